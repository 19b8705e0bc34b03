internal import APNsClient
internal import APNsSimulator

/// What Apple does wrong, and to which pushes.
package struct AppleFault: Sendable, Codable, Equatable {
    package var effect: Effect
    /// `nil`: any.
    package var token: String?
    /// The share of these pushes, 0 to 1.
    package var share: Double

    package init(_ effect: Effect, token: String? = nil, share: Double = 1) {
        self.effect = effect
        self.token = token
        self.share = share
    }

    /// What happens to a push.
    package enum Effect: Sendable, Codable, Equatable {
        /// One of Apple's refusals, by its reason.
        case refusal(String)
        /// A 410 that is this many milliseconds old.
        case unregistered(age: Int64)
        /// Its response is lost; whether it was accepted.
        case lostResponse(accepted: Bool)
        /// Its response is late by up to so many milliseconds, so that responses overtake.
        case late(Int)
        /// No byte comes back on its connection any more.
        case silence
        /// Its connection ends; whether it was handled before.
        case lostConnection(accepted: Bool)
        /// GOAWAY after its response, or in place of it.
        case goAway(processed: Bool)
        /// REFUSED_STREAM.
        case refusedStream
        /// Nobody answers a connect.
        case unreachable

        /// Whether it may happen to a request about a channel.
        var concernsChannels: Bool {
            switch self {
            case .refusal(let reason): Self.ofChannels.contains(reason)
            case .unregistered: false
            case .late, .lostResponse, .silence, .lostConnection, .goAway, .refusedStream,
                .unreachable:
                true
            }
        }

        private static let ofChannels = [
            "TooManyRequests", "InternalServerError", "ServiceUnavailable", "Shutdown",
            "ExpiredProviderToken", "InvalidProviderToken",
        ]

        /// The effect for the simulated APNs; `nil`: it is none on a single push.
        func scripted(at now: Int64) -> APNsFault.Effect? {
            switch self {
            case .refusal(let reason):
                .refuse(
                    RefusalReason(rawValue: reason) ?? RefusalReason(reason, status: 400))
            case .unregistered(let age): .refuse(.unregistered, timestamp: now - age)
            case .lostResponse(let accepted): .ignore(accepted ? .accepted : .untouched)
            case .late(let most): .shuffle(milliseconds: 0...most)
            case .silence: .silence(.untouched)
            case .lostConnection(let accepted):
                .dropConnection(accepted ? .accepted : .untouched)
            case .goAway(let processed):
                processed
                    ? .goAway(reason: "Shutdown") : .goAwayUnprocessed(reason: "Shutdown")
            case .refusedStream: .resetStream(errorCode: 7)
            case .unreachable: nil
            }
        }

        /// What the simulation says of it.
        var words: String {
            switch self {
            case .refusal(let reason): "APNs answers \(reason)"
            case .unregistered(let age): "APNs answers 410 with a time \(age) ms ago"
            case .lostResponse(let accepted):
                "APNs \(accepted ? "accepts" : "drops") pushes and its responses are lost"
            case .late(let most): "APNs answers up to \(most) ms late"
            case .silence: "connections to APNs fall silent"
            case .lostConnection(let accepted):
                "connections to APNs break \(accepted ? "after" : "before") it has acted"
            case .goAway(let processed):
                "APNs sends GOAWAY \(processed ? "after a response" : "in place of a response")"
            case .refusedStream: "APNs refuses streams"
            case .unreachable: "nobody answers at APNs"
            }
        }
    }
}
