package import GameLogic

/// For whom a card is: it decides how loudly its news may come.
package enum Watcher: Hashable, Sendable, CaseIterable {
    /// A player with a hero in the party, on a phone of their own.
    case player
    /// Whoever listens to the party's broadcast channel: a crowd that nobody knows by name.
    case spectator

    /// The highest priority that a push to them may have. Nobody can say what is left of the
    /// budget of each phone in a crowd, so a broadcast spends none of it (rules Q1, Q4).
    package var loudest: PushPriority {
        switch self {
        case .player: .high
        case .spectator: .low
        }
    }
}

extension Policy {
    /// The table's row, as this watcher gets it.
    package static func rule(for kind: PartyEvent.Kind, on watcher: Watcher) -> Rule {
        switch watcher {
        case .player: rule(for: kind)
        case .spectator: rule(for: kind).forSpectators
        }
    }
}

extension Rule {
    /// Spectators cannot act on anything, so nothing alerts them (rule Q9).
    fileprivate var forSpectators: Rule {
        Rule(
            priority: Watcher.spectator.loudest, alert: nil, relevance: relevance,
            expirationSeconds: expirationSeconds,
            why: "a broadcast to spectators is low priority and never alerts (Q1, Q9)")
    }
}
