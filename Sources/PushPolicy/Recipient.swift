package import GameLogic

/// Whom an activity reaches: it decides how urgently its pushes may come.
package enum Recipient: Hashable, Sendable, CaseIterable {
    /// A player with a hero in the party, on a device of their own.
    case player
    /// Whoever listens to the party's broadcast channel: a crowd that nobody knows by name.
    case spectator

    /// The highest priority that a push to them may have. Nobody can say what is left of the
    /// budget of each phone in a crowd, so a broadcast spends none of it (rules Q1, Q4).
    package var highestPriority: PushPriority {
        switch self {
        case .player: .high
        case .spectator: .low
        }
    }
}

extension Policy {
    /// The table's row, as this recipient gets it.
    package static func rule(for kind: PartyEvent.Kind, on recipient: Recipient) -> Rule {
        switch recipient {
        case .player: rule(for: kind)
        case .spectator: rule(for: kind).forSpectators
        }
    }
}

extension Rule {
    /// Spectators cannot act on anything, so nothing alerts them (rule Q9).
    fileprivate var forSpectators: Rule {
        Rule(
            priority: Recipient.spectator.highestPriority, alertedHero: nil,
            relevance: relevance, expirationSeconds: expirationSeconds, subject: subject,
            tone: .broadcast)
    }
}
