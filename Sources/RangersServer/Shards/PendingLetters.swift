internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// Letters to the parties of a shard loop, until a commit has taken them.
struct PendingLetters {
    private var letters: [PartyID: [PartyLetter]] = [:]

    /// Those to one party, in the order in which they came.
    subscript(_ party: PartyID) -> [PartyLetter] { letters.isEmpty ? [] : letters[party] ?? [] }

    /// Whether the party is to be written soon.
    func areWaiting(for party: PartyID) -> Bool { !letters.isEmpty && letters[party] != nil }

    /// Adds a letter. Returns whether it was not known.
    mutating func add(_ letter: PartyLetter) -> Bool {
        guard !self[letter.party].contains(where: { $0.number == letter.number }) else {
            return false
        }
        letters[letter.party, default: []].append(letter)
        return true
    }

    /// Removes letters that were taken.
    mutating func remove(_ taken: [PartyLetter], to party: PartyID) {
        guard !taken.isEmpty else { return }
        let numbers = Set(taken.map(\.number))
        letters[party]?.removeAll { numbers.contains($0.number) }
        if letters[party]?.isEmpty == true { letters[party] = nil }
    }

    /// Removes all to one party.
    mutating func removeAll(to party: PartyID) { letters[party] = nil }

    /// Removes all to parties that another node has by now.
    mutating func removeAll(where hasLeft: (PartyID) -> Bool) {
        letters = letters.filter { !hasLeft($0.key) }
    }
}

extension LiveParties {
    /// Takes a letter. The party's next write carries it out, and is due now.
    func take(_ letter: PartyLetter, at now: WallTime) {
        guard letters.add(letter) else { return }
        guard let party = self[letter.party] else {
            // A frozen one takes it when it thaws.
            if !failures.isFrozen(letter.party) { readAgain(letter.party) }
            return
        }
        if party.isIdle, party.stored != nil { setDue(party, at: now) }
    }
}
