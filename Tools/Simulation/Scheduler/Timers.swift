/// Timers in the order of their time, those of equal time in the order in which they were set.
struct Timers {
    enum Action {
        case resume(UnsafeContinuation<Void, Never>)
        case call(() -> Void)
        /// A lane's work has come back from its disk or database.
        case open(lane: Int)
    }
    struct Timer {
        let at: Int64
        let setAt: Int64
        let owner: LifeID
        let action: Action
    }
    private struct Entry {
        let at: Int64
        let number: Int
        static func < (one: Entry, other: Entry) -> Bool {
            one.at != other.at ? one.at < other.at : one.number < other.number
        }
    }

    /// A binary heap; entries without a timer were cancelled.
    private var heap: [Entry] = []
    private(set) var pending: [Int: Timer] = [:]
    private var number = 0
    /// Timers that the dead set must not have numbers of others.
    private static let numbersOfDead = 1 << 48

    mutating func set(_ timer: Timer) -> Int {
        number += 1
        insert(timer, number)
        return number
    }

    private mutating func insert(_ timer: Timer, _ number: Int) {
        pending[number] = timer
        heap.append(Entry(at: timer.at, number: number))
        rise(heap.count - 1)
    }

    mutating func cancel(_ number: Int) -> Timer? { pending.removeValue(forKey: number) }

    /// Removes the timers of a life, and returns them with their numbers.
    mutating func split(of life: LifeID) -> Timers {
        var removed = Timers()
        removed.number = number + Self.numbersOfDead
        for number in pending.filter({ $0.value.owner == life }).keys.sorted() {
            guard let timer = pending.removeValue(forKey: number) else { continue }
            removed.insert(timer, number)
        }
        return removed
    }

    /// The time of the first timer.
    mutating func earliest() -> Int64? {
        while let first = heap.first {
            if pending[first.number] != nil { return first.at }
            removeFirst()
        }
        return nil
    }

    /// Removes the first timer.
    mutating func takeFirst() -> Timer? {
        while let first = heap.first {
            removeFirst()
            if let timer = pending.removeValue(forKey: first.number) { return timer }
        }
        return nil
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        sink(0)
    }

    private mutating func rise(_ start: Int) {
        var index = start
        while index > 0, heap[index] < heap[(index - 1) / 2] {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var least = index
            if 2 * index + 1 < heap.count, heap[2 * index + 1] < heap[least] {
                least = 2 * index + 1
            }
            if 2 * index + 2 < heap.count, heap[2 * index + 2] < heap[least] {
                least = 2 * index + 2
            }
            guard least != index else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
