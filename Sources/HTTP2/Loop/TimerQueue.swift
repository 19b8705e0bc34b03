/// Deadlines in order, each with its action. Pure: time is a parameter.
struct TimerQueue<Action> {
    /// Identifies a timer for cancelling; never reused.
    typealias ID = UInt64

    /// A binary heap: the earliest deadline first, equal ones in the order of adding.
    private var heap: [(deadline: Int64, id: ID)] = []
    /// The actions that were neither run nor cancelled. Cancelled entries leave the heap when due.
    private var actions: [ID: Action] = [:]
    private var nextID: ID = 1

    var isEmpty: Bool { actions.isEmpty }

    /// The deadline of the next timer, if any.
    var nextDeadline: Int64? {
        mutating get {
            dropCancelled()
            return heap.first?.deadline
        }
    }

    mutating func add(at deadline: Int64, _ action: Action) -> ID {
        let id = nextID
        nextID += 1
        actions[id] = action
        heap.append((deadline, id))
        siftUp(from: heap.count - 1)
        return id
    }

    mutating func cancel(_ id: ID) {
        actions[id] = nil
    }

    /// Takes one due action; `nil` when none is due.
    mutating func takeDue(at now: Int64) -> Action? {
        dropCancelled()
        guard let first = heap.first, first.deadline <= now else { return nil }
        removeFirst()
        return actions.removeValue(forKey: first.id)
    }

    private mutating func dropCancelled() {
        while let first = heap.first, actions[first.id] == nil { removeFirst() }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown()
    }

    private func comesBefore(_ left: Int, _ right: Int) -> Bool {
        (heap[left].deadline, heap[left].id) < (heap[right].deadline, heap[right].id)
    }

    private mutating func siftUp(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard comesBefore(child, parent) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && comesBefore(child, least) {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
