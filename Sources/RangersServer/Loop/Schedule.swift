internal import GameLogic
internal import PushPolicy

/// When each party must be looked at next: a heap whose outdated entries are skipped.
struct Schedule {
    private struct Entry {
        let at: WallTime
        let party: PartyID

        static func < (left: Entry, right: Entry) -> Bool {
            (left.at, left.party) < (right.at, right.party)
        }
    }

    private var heap: [Entry] = []
    private var due: [PartyID: WallTime] = [:]

    /// Sets when a party is due; `nil`: not before somebody sets it again.
    mutating func set(_ party: PartyID, at time: WallTime?) {
        guard due[party] != time else { return }
        due[party] = time
        if let time { push(Entry(at: time, party: party)) }
    }

    /// Makes a party due at that time, if it is not due sooner.
    mutating func hasten(_ party: PartyID, to time: WallTime) {
        if let known = due[party], known <= time { return }
        set(party, at: time)
    }

    /// The earliest time at which a party is due.
    mutating func next() -> WallTime? {
        while let first = heap.first {
            if due[first.party] == first.at { return first.at }
            pop()
        }
        return nil
    }

    /// Takes out the parties that are due at `time`, the longest overdue first.
    mutating func take(dueAt time: WallTime, limit: Int) -> [(party: PartyID, due: WallTime)] {
        var taken: [(party: PartyID, due: WallTime)] = []
        while taken.count < limit, let next = next(), next <= time {
            let party = heap[0].party
            taken.append((party, next))
            due[party] = nil
            pop()
        }
        return taken
    }

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func pop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while let child = smallestChild(of: parent), heap[child] < heap[parent] {
            heap.swapAt(child, parent)
            parent = child
        }
    }

    private func smallestChild(of parent: Int) -> Int? {
        let left = 2 * parent + 1
        guard left < heap.count else { return nil }
        let right = left + 1
        return right < heap.count && heap[right] < heap[left] ? right : left
    }
}
