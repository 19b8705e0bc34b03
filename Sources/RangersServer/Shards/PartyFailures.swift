internal import GameLogic

/// The parties whose ticks fail, and those that are set aside: after too many failures, or because
/// a start of the server has found their rows damaged (PR19).
struct PartyFailures {
    static let countMax = 5

    private var counts: [PartyID: Int] = [:]
    private var frozen: Set<PartyID> = []

    func isFrozen(_ party: PartyID) -> Bool { frozen.contains(party) }

    /// Counts a failure. Returns whether the party must be frozen.
    mutating func add(_ party: PartyID) -> Bool {
        counts[party, default: 0] += 1
        return counts[party, default: 0] >= Self.countMax
    }

    mutating func clear(_ party: PartyID) { counts[party] = nil }

    /// Returns whether the party was not frozen before.
    mutating func freeze(_ party: PartyID) -> Bool {
        counts[party] = nil
        return frozen.insert(party).inserted
    }
}
