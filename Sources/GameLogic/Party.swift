/// A party of one to eight heroes, and the adventure it is on: a pure state machine.
///
/// Time and dice are parameters. Same seed and same commands at the same times give the same
/// events, in one step or in a thousand.
package struct Party: Hashable, Sendable {
    package static let sizeMax = 8

    package let id: PartyID
    /// In the order of joining; the first member's owner is the leader.
    package internal(set) var members: [Member]
    /// The adventure that is running, or the last one.
    package internal(set) var adventure: Adventure?
    /// The newest event of all: what the cards tell.
    package internal(set) var lastEvent: PartyEvent?
    /// The number of the event to come; all smaller ones have happened.
    package internal(set) var nextSequence: Int

    package init(id: PartyID) {
        self.id = id
        members = []
        nextSequence = 1
    }
}

extension Party {
    package var leader: PlayerID? { members.first?.hero.owner }

    package var isOnAdventure: Bool {
        guard let adventure else { return false }
        return !adventure.isOver
    }

    package func member(_ id: HeroID) -> Member? { members.first { $0.hero.id == id } }

    package func hero(_ id: HeroID) -> Hero? { member(id)?.hero }

    /// Numbers an event and remembers it as the newest.
    mutating func note(_ kind: PartyEvent.Kind, at time: GameTime) -> PartyEvent {
        let event = PartyEvent(sequence: nextSequence, time: time, kind: kind)
        nextSequence += 1
        lastEvent = event
        return event
    }
}
