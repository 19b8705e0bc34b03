// The bodies of the HTTP API for clients: docs/reference/api.md documents their fields.

/// A player's id and token, shown once.
package struct Registration: Decodable, Sendable {
    package let player: String
    package let token: String
}

/// A hero to create.
package struct NewHero: Encodable, Sendable {
    package let name: String
    package let avatar: String
    package let heroType: String
    package let healthRecoveryRatePerHour: Double

    package init(
        name: String, avatar: String, heroType: String, healthRecoveryRatePerHour: Double
    ) {
        self.name = name
        self.avatar = avatar
        self.heroType = heroType
        self.healthRecoveryRatePerHour = healthRecoveryRatePerHour
    }
}

/// A Live Activity to register, or its new token.
package struct NewActivity: Encodable, Sendable {
    package let hero: String
    package let pushToken: String?
    /// Whether it is on a page, which has neither a token nor an environment.
    package var page: Bool?
    package let environment: String?
    package let frequentPushesEnabled: Bool
    package let language: String
    package let osVersion: String
    /// The phone's name, if it has registered a push-to-start token.
    package let device: String?
    /// The second one: its cards have a button.
    package let stateVersion: Int
    /// The app's count of its registrations of the activity; `nil`: it does not count.
    package let revision: Int?
}

/// A phone's push-to-start token to register.
package struct NewStartToken: Encodable, Sendable {
    package let pushToStartToken: String
    package let attributesType: String
    package let environment: String
    package let frequentPushesEnabled: Bool
    package let language: String
    package let osVersion: String
}

/// A created hero.
package struct HeroState: Decodable, Sendable {
    package let id: String
    package let name: String
}

/// A party with the requested events.
package struct PartyState: Decodable, Sendable {
    package let id: String
    package let version: Int
    package let inviteCode: String
    package let leader: String?
    package let heroes: [MemberState]
    package let adventure: AdventureState?
    /// While the leader asks who is ready.
    package let readyCheck: ReadyCheckState?
    package let events: [EventState]

    package func hero(_ id: String) -> MemberState? { heroes.first { $0.id == id } }

    package var isOver: Bool { adventure?.phase == "over" }

    /// Whether no adventure is running.
    package var isReadyToStart: Bool { adventure == nil || isOver }
}

/// A hero in a party.
package struct MemberState: Decodable, Sendable {
    package let id: String
    package let owner: String
    package let name: String
    package let avatar: String
    package let health: Double
    package let potions: Int
    package let condition: String
    package let card: CardState?

    package var isKnockedDown: Bool { condition == "knockedDown" }
    package var isStanding: Bool { condition == "standing" }
}

/// `AdventureAttributes.ContentState` as in Apple's talk, which a phone decodes with a default
/// `JSONDecoder`.
package struct CardState: Hashable, Decodable, Sendable {
    package let currentHealthLevel: Double
    package let eventDescription: String
}

/// An adventure's progress.
package struct AdventureState: Decodable, Sendable {
    package let phase: String
    package let outcome: String?
    /// The open questions.
    package let asks: [AskState]
}

/// A question that a button answers.
package struct AskState: Hashable, Decodable, Sendable {
    package let id: Int
    package let kind: String
    package let button: String
    package let yes: [String]
    package let no: [String]

    package func isAnswered(by hero: String) -> Bool { yes.contains(hero) || no.contains(hero) }
}

/// A ready check, as far as a bot needs it.
package struct ReadyCheckState: Hashable, Decodable, Sendable {
    package let ask: Int
    package let yes: [String]
}

/// A hero's answer.
package struct NewAnswer: Encodable, Sendable {
    package let hero: String
    package let ask: Int
    package let yes: Bool
}

/// An event, described in the client's language.
package struct EventState: Hashable, Decodable, Sendable {
    package let sequence: Int
    package let kind: String
    /// The hero concerned, if any.
    package let hero: String?
    /// Milliseconds since 1970.
    package let at: Int
    package let description: String
}

/// The channel of a party's spectators.
package struct ChannelState: Decodable, Sendable {
    /// Base64, the form for ActivityKit.
    package let channel: String
    package let environment: String
}

/// The decisions for a party's events, for game masters.
package struct Ledger: Decodable, Sendable {
    package let decisions: [LedgerRow]
}

/// A code that signs in to the console once.
struct SessionCode: Decodable, Sendable {
    let code: String
}

/// One decision, for one activity.
package struct LedgerRow: Decodable, Sendable {
    package let event: Int
    package let activity: String
    package let verdict: String
    package let priority: Int
    package let alert: Bool
    package let rule: String
}
