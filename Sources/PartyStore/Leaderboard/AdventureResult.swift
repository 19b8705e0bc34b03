package import GameLogic
package import PushPolicy

/// The result of an adventure that has ended, and who finished it together. It is written once,
/// with the change that ends the adventure.
package struct AdventureResult: Hashable, Sendable {
    /// The adventure's score for one hero.
    package struct Entry: Hashable, Sendable {
        package let hero: HeroID
        /// 0: nothing is written of it.
        package let points: Int
    }

    /// In the party's order. Empty for an adventure without scores.
    package let entries: [Entry]
    /// The players who were there at the end, each once.
    package let players: [PlayerID]
    package let pack: String
    /// The adventure's score for the party: for a hero who attended all of it.
    package let partyPoints: Int
    /// By the wall clock.
    package let at: WallTime
}

extension AdventureResult {
    /// Computes the result of a party as it is when its adventure ends. `nil` when the adventure is
    /// not over, and when everybody has left it.
    package init?(of party: Party, at time: WallTime) {
        guard let adventure = party.adventure, adventure.isOver, !party.members.isEmpty else {
            return nil
        }
        let members = adventure.hasScore ? party.members.filter(\.outing.hasSetOut) : []
        entries = members.map {
            Entry(hero: $0.hero.id, points: party.score(of: $0) ?? 0)
        }
        partyPoints = party.score ?? 0
        players = party.adventurers.map(\.hero.owner).reduce(into: []) { players, player in
            if !players.contains(player) { players.append(player) }
        }
        pack = adventure.pack.reference.id
        at = time
    }

    package var season: Season { Season(at: at.milliseconds) }

    /// The day of the season, from 0 to 27.
    package var day: Int { season.day(of: at.milliseconds) ?? 0 }

    /// Whether nothing of it is written.
    var isEmpty: Bool { players.count < 2 && !entries.contains { $0.points > 0 } }
}
