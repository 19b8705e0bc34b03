/// The bodies of the HTTP API, as a client sees them (docs/api.md).
package struct Registration: Decodable, Sendable {
    package let player: String
    package let token: String
}

package struct NewHero: Encodable, Sendable {
    package let name: String
    package let avatar: String
    package let heroType: String
    package let healthRecoveryRatePerHour: Double
}

package struct NewActivity: Encodable, Sendable {
    package let hero: String
    package let pushToken: String?
    package let environment: String
    package let frequentPushesEnabled: Bool
    package let language: String
    package let osVersion: String
}

package struct HeroState: Decodable, Sendable {
    package let id: String
    package let name: String
}

package struct PartyState: Decodable, Sendable {
    package let id: String
    package let version: Int
    package let inviteCode: String
    package let leader: String?
    package let heroes: [MemberState]
    package let adventure: AdventureState?
    package let events: [EventState]

    package func hero(_ id: String) -> MemberState? { heroes.first { $0.id == id } }

    package var isOver: Bool { adventure?.phase == "over" }

    /// No adventure is running.
    package var isReadyToStart: Bool { adventure == nil || isOver }
}

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

/// `AdventureAttributes.ContentState` as it stands in the talk: what a phone decodes, with a
/// default `JSONDecoder`.
package struct CardState: Hashable, Decodable, Sendable {
    package let currentHealthLevel: Double
    package let eventDescription: String
}

package struct AdventureState: Decodable, Sendable {
    package let phase: String
    package let outcome: String?
}

package struct EventState: Hashable, Decodable, Sendable {
    package let sequence: Int
    package let kind: String
    /// The hero it is about, if it is about one.
    package let hero: String?
    /// Milliseconds since 1970.
    package let at: Int
    package let description: String
}

package struct Ledger: Decodable, Sendable {
    package let decisions: [LedgerRow]
}

package struct LedgerRow: Decodable, Sendable {
    package let event: Int
    package let activity: String
    package let verdict: String
    package let priority: Int
    package let alert: Bool
    package let rule: String
}
