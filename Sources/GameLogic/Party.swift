/// A party of one to eight heroes, and the adventure it is on: a pure state machine.
///
/// Time and dice are parameters. Same seed and same commands at the same times give the same
/// events, in one step or in a thousand.
package struct Party: Hashable, Codable, Sendable {
    package static let sizeMax = 8

    package let id: PartyID
    /// In the order of joining; the first member's owner is the leader.
    package internal(set) var members: [Member]
    /// The adventure that is running, or the last one.
    package internal(set) var adventure: Adventure?
    /// The newest event of all: what the cards tell.
    package internal(set) var lastEvent: PartyEvent?

    package init(id: PartyID) {
        self.id = id
        members = []
    }
}
