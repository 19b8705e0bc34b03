package import GameLogic

/// Whom an activity reaches, which decides the highest priority of its pushes.
package enum Recipient: Hashable, Sendable, CaseIterable {
    /// A player with a hero in the party, on the player's own device.
    case player
    /// The followers of the party's broadcast channel, an anonymous crowd.
    case spectator

    /// The highest priority of a push to this recipient. The remaining budget of each device in a
    /// crowd is unknown, so a broadcast spends none of it (rules Q1, Q4).
    package var highestPriority: PushPriority {
        switch self {
        case .player: .high
        case .spectator: .low
        }
    }
}

extension Policy {
    /// Returns the policy's row for this recipient.
    package static func rule(for kind: PartyEvent.Kind, on recipient: Recipient) -> Rule {
        switch recipient {
        case .player: rule(for: kind)
        case .spectator: rule(for: kind).forSpectators
        }
    }
}

extension Rule {
    /// The same rule without an alert: spectators cannot act (rule Q9).
    fileprivate var forSpectators: Rule {
        Rule(
            priority: Recipient.spectator.highestPriority, audience: .party, alert: nil,
            relevance: relevance, expirationSeconds: expirationSeconds, subject: subject,
            tone: .broadcast)
    }
}
