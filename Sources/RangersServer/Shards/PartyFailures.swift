package import GameLogic
internal import PartyStore
package import PushPolicy

/// A party that is set aside until an operator repairs or abandons it.
package struct FrozenParty: Hashable, Sendable {
    package let party: PartyID
    package let since: WallTime
    /// The first of the failures that led to it, in words.
    package let fault: String
    /// How many ticks failed; 0: a start of the server found the row damaged.
    package let failures: Int
}

extension StoreError {
    /// What a failed tick says.
    enum Blame {
        /// All parties fail: the store and the shard have said so, once.
        case all
        /// The change was of something older: the party is scheduled again already.
        case change
        /// The party is tried again.
        case store
        /// It is tried again, and set aside after too many times.
        case party
    }

    var blame: Blame {
        switch self {
        case .notTheOwner, .unavailable: .all
        case .elsewhere, .staleVersion, .staleDevice, .staleLetters: .change
        case .broken, .closed: .store
        case .rule, .corrupt, .staleHero, .heroIsTaken, .tokenIsTaken, .tooManyParties,
            .tooManyHeroes, .account, .requestIsKept, .exists, .isBlocked, .meetsBlockedPlayer:
            .party
        }
    }
}

/// The parties whose ticks fail, and those that are set aside: after too many failures, or because
/// a start of the server has found their rows damaged (PR19).
struct PartyFailures {
    static let countMax = 5

    private struct Failing {
        var count = 0
        let firstFault: String
    }

    private var failing: [PartyID: Failing] = [:]
    private var frozen: [PartyID: FrozenParty] = [:]

    func isFrozen(_ party: PartyID) -> Bool { frozen[party] != nil }

    subscript(_ party: PartyID) -> FrozenParty? { frozen[party] }

    var all: [FrozenParty] { Array(frozen.values) }

    /// Counts a failure. Returns whether the party must be frozen.
    mutating func add(_ party: PartyID, _ fault: String) -> Bool {
        var known = failing[party] ?? Failing(firstFault: fault)
        known.count += 1
        failing[party] = known
        return known.count >= Self.countMax
    }

    mutating func clear(_ party: PartyID) { failing[party] = nil }

    /// Sets a party aside; `fault` counts if no earlier one is known. Returns whether the party was
    /// not frozen before.
    mutating func freeze(_ party: PartyID, _ fault: String, at now: WallTime) -> Bool {
        let known = failing.removeValue(forKey: party)
        guard frozen[party] == nil else { return false }
        frozen[party] = FrozenParty(
            party: party, since: now, fault: known?.firstFault ?? fault,
            failures: known?.count ?? 0)
        return true
    }

    /// Forgets parties that another node has by now. Returns how many of them were frozen.
    mutating func forget(where hasLeft: (PartyID) -> Bool) -> Int {
        let count = frozen.count
        failing = failing.filter { !hasLeft($0.key) }
        frozen = frozen.filter { !hasLeft($0.key) }
        return count - frozen.count
    }

    /// Returns whether the party was frozen.
    mutating func thaw(_ party: PartyID) -> Bool { frozen.removeValue(forKey: party) != nil }
}
