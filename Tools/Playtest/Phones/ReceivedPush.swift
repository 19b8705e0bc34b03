package import Foundation

/// A push as decoded by ActivityKit: the keys of `aps`, with a default decoder.
package struct ReceivedPush: Sendable {
    package let priority: Int
    package let payloadBytes: Int
    /// Milliseconds since 1970.
    package let receivedAt: Int64
    package let aps: Aps

    package struct Aps: Decodable, Sendable {
        package let timestamp: Int64
        package let event: String
        package let content: Content?
        package let alert: Alert?
        package let staleDate: Int64?
        package let dismissalDate: Int64?
        package let relevanceScore: Double?
        package let attributesType: String?
        package let attributes: Attributes?
        package let inputPushToken: Int?
        package let inputPushChannel: String?

        enum CodingKeys: String, CodingKey {
            case timestamp, event, alert, attributes
            case attributesType = "attributes-type"
            case inputPushToken = "input-push-token"
            case inputPushChannel = "input-push-channel"
            case content = "content-state"
            case staleDate = "stale-date"
            case dismissalDate = "dismissal-date"
            case relevanceScore = "relevance-score"
        }
    }

    /// The content state, as far as a bot reads it: that of an app that knows the second version.
    package struct Content: Decodable, Sendable {
        package let currentHealthLevel: Double
        package let eventDescription: String
        /// Where a tap leads: `game:///party/party-1/hero/hero-1/give/hero-2`.
        package let link: String?
        package let ask: Ask?
        package let deadline: Deadline?

        /// What happens by itself, to which a phone counts down.
        package struct Deadline: Decodable, Sendable {
            package let kind: String
            package let at: Date
        }

        /// The question that the card's button answers.
        package struct Ask: Decodable, Sendable {
            package let kind: String
            /// The sentence that asks.
            package let text: String
            package let button: String
            package let endsAt: Date?
            package let id: Int?
            package let mine: Bool?
        }
    }

    /// `AdventureAttributes` as in Apple's talk, with Apple's hero: what an app requires.
    package struct Attributes: Decodable, Sendable {
        package let hero: EmojiRanger

        package struct EmojiRanger: Decodable, Sendable {
            package let name, avatar, heroType, bio: String
            package let healthLevel, healthRecoveryRatePerHour: Double
            package let url, battleCode: URL
            package let level, exp: Int
        }
    }

    package struct Alert: Decodable, Sendable {
        package let title: Text
        package let body: Text
        package let sound: String?
    }

    /// `{loc-key, loc-args}`: a text that the phone finds in its own language.
    package struct Text: Decodable, Sendable {
        package let key: String
        package let arguments: [String]

        enum CodingKeys: String, CodingKey {
            case key = "loc-key"
            case arguments = "loc-args"
        }

        /// The text on an English phone.
        package var english: String {
            arguments.reduce(key) { text, argument in
                guard let gap = text.range(of: "%@") else { return text }
                return text.replacingCharacters(in: gap, with: argument)
            }
        }
    }

    private struct Payload: Decodable {
        let aps: Aps
    }

    /// Decodes a push. Throws the phone's decoding error; the phone drops such a push silently.
    package init(payload: [UInt8], priority: Int, receivedAt: Int64) throws {
        self.priority = priority
        self.receivedAt = receivedAt
        payloadBytes = payload.count
        aps = try JSONDecoder().decode(Payload.self, from: Data(payload)).aps
    }
}

extension ReceivedPush.Aps {
    /// What the card shows, in Apple's two fields.
    package var state: CardState? {
        content.map {
            CardState(
                currentHealthLevel: $0.currentHealthLevel, eventDescription: $0.eventDescription)
        }
    }
}
