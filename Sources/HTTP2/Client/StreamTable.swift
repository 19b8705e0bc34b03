/// The requests of one connection, in slots that are used again. A request that is queued but
/// not sent has no stream in nghttp2 yet, so the table is the place that knows all of them.
struct StreamTable {
    /// A slot, and the request in it.
    struct Stream {
        fileprivate(set) var occupancy = Occupancy.taken
        /// There while the slot is taken.
        fileprivate(set) var submission: Submission?
        var id: Int32 = 0
        var bodyOffset = 0
        var departure = Departure.queued
        /// Its room is used again with the slot.
        var answer = HTTP2Answer()
    }

    enum Occupancy: Equatable {
        case free(next: Int)
        case taken
        /// Its owner has been told; the stream is still to be closed.
        case settled
    }

    /// Have the HEADERS been serialised?
    enum Departure {
        case queued, sent
    }

    /// A request that left the table, for telling its owner.
    struct Settled {
        let submission: Submission
        let id: Int32
        let departure: Departure
    }

    /// Indexed by slot; changed in place, because copies of a slot would cost more than the work.
    var slots: [Stream] = []
    private var firstFree = -1
    /// Slots whose HEADERS have not been serialised, in the order in which they will be; those
    /// before `unsentHead` have left.
    private var unsent: [Int] = []
    private var unsentHead = 0
    /// Slots that are not free: what the peer counts.
    private(set) var count = 0
    /// The answer that is being read outside the table, or room for it.
    private var lent = HTTP2Answer()

    mutating func insert(_ submission: Submission) -> Int {
        count += 1
        guard firstFree >= 0, case .free(let next) = slots[firstFree].occupancy else {
            slots.append(Stream(submission: submission))
            return slots.count - 1
        }
        let slot = firstFree
        firstFree = next
        slots[slot].occupancy = .taken
        slots[slot].submission = submission
        slots[slot].id = 0
        slots[slot].bodyOffset = 0
        slots[slot].departure = .queued
        return slot
    }

    /// nghttp2 has taken the request into its queue, as this stream.
    mutating func queued(_ slot: Int, asStream id: Int32) {
        slots[slot].id = id
        unsent.append(slot)
    }

    /// Is an unsettled request there?
    func holds(_ slot: Int) -> Bool {
        slots.indices.contains(slot) && slots[slot].occupancy == .taken
    }

    /// Takes the request for telling its owner and keeps the slot until `release`.
    mutating func settle(_ slot: Int) -> Settled? {
        guard holds(slot), let submission = slots[slot].submission.take() else { return nil }
        slots[slot].occupancy = .settled
        return Settled(
            submission: submission, id: slots[slot].id, departure: slots[slot].departure)
    }

    /// Takes the answer out for reading; `release` makes its room the next one's. Swapped, not
    /// copied: a copy would count references for nothing.
    mutating func takeAnswer(_ slot: Int) -> HTTP2Answer {
        var answer = HTTP2Answer()
        swap(&answer, &lent)
        swap(&answer, &slots[slot].answer)
        return answer
    }

    /// Gives back the room of an answer that has been read.
    mutating func giveBack(_ answer: consuming HTTP2Answer) {
        answer.clear()
        lent = answer
    }

    /// The slot is free again.
    mutating func release(_ slot: Int) {
        guard slots.indices.contains(slot) else { return }
        if case .free = slots[slot].occupancy { return }
        slots[slot].occupancy = .free(next: firstFree)
        slots[slot].submission = nil
        slots[slot].answer.clear()
        firstFree = slot
        count -= 1
    }

    /// The slot of a stream whose HEADERS leave now, or never will. nghttp2 works its queue in
    /// order, so it is nearly surely the first one.
    mutating func takeUnsent(stream id: Int32) -> Int? {
        guard unsentHead < unsent.count, slots[unsent[unsentHead]].id == id else {
            return slots.firstIndex { stream in
                if case .free = stream.occupancy { return false }
                return stream.id == id
            }
        }
        let slot = unsent[unsentHead]
        unsentHead += 1
        if unsentHead == unsent.count {
            unsent.removeAll(keepingCapacity: true)
            unsentHead = 0
        } else if unsentHead >= 1_024, unsentHead * 2 >= unsent.count {
            unsent.removeFirst(unsentHead)
            unsentHead = 0
        }
        return slot
    }

    /// Slots whose request's deadline has passed.
    func overdue(at now: Int64) -> [Int] {
        slots.indices.filter { index in
            guard let submission = slots[index].submission else { return false }
            return submission.deadline <= now
        }
    }

    /// Empties the table; the unsettled requests in the order of their submission.
    mutating func takeAll() -> [Settled] {
        let unsettled = slots.indices.compactMap { settle($0) }
        slots.removeAll()
        unsent.removeAll()
        unsentHead = 0
        firstFree = -1
        count = 0
        return unsettled.sorted { $0.submission.order < $1.submission.order }
    }
}
