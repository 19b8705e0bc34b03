internal import GameLogic

/// Counts the failed ticks of each party. A party with too many of them is frozen (PR19).
struct PartyFailures {
    static let countMax = 5

    private var counts: [PartyID: Int] = [:]

    var frozenParties: Int { counts.values.count { $0 >= Self.countMax } }

    func isFrozen(_ party: PartyID) -> Bool { counts[party, default: 0] >= Self.countMax }

    mutating func add(_ party: PartyID) { counts[party, default: 0] += 1 }

    mutating func clear(_ party: PartyID) { counts[party] = nil }
}
