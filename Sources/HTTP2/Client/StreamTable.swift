/// The requests of one connection, in slots that keep their place and are used again. nghttp2
/// keeps each stream's slot, by its address, so that nothing is searched for; but a request that
/// is queued and not sent has no stream there yet, so the table is the place that knows all of
/// them. Plain memory, because every callback comes here.
final class StreamTable {
    typealias Slot = UnsafeMutablePointer<Stream>

    /// A slot, and the request in it.
    struct Stream {
        fileprivate(set) var occupancy = Occupancy.free
        /// There while the slot is taken.
        fileprivate(set) var submission: Submission?
        var id: Int32 = 0
        /// So many bytes of its body, the last ones, are not in DATA frames yet.
        fileprivate(set) var bodyLeft = 0
        fileprivate(set) var bodyCount = 0
        var departure = Departure.queued
        /// Its room is used again with the slot.
        var answer = HTTP2Answer()

        /// Is an unsettled request there?
        var isTaken: Bool { occupancy == .taken }

        /// Copies what follows of the body.
        func copyBody(to room: UnsafeMutableRawBufferPointer) {
            submission?.copyBody(from: bodyCount - bodyLeft, to: room)
        }
    }

    enum Occupancy {
        case free, taken
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

    private var all: [Slot] = []
    private var free: [Slot] = []

    /// Slots that are not free: what the peer counts.
    var count: Int { all.count - free.count }

    /// What all of them still have to send of their bodies.
    private(set) var bodiesLeft = 0

    deinit {
        for slot in all {
            slot.deinitialize(count: 1)
            slot.deallocate()
        }
    }

    func insert(_ submission: Submission) -> Slot {
        let slot = free.popLast() ?? make()
        slot.pointee.occupancy = .taken
        slot.pointee.submission = submission
        slot.pointee.id = 0
        slot.pointee.departure = .queued
        return slot
    }

    /// Takes the request for telling its owner and keeps the slot until `release`.
    func settle(_ slot: Slot) -> Settled? {
        guard slot.pointee.isTaken, let submission = slot.pointee.submission.take() else {
            return nil
        }
        slot.pointee.occupancy = .settled
        bodyLeaves(slot.pointee.bodyLeft, of: slot)
        return Settled(
            submission: submission, id: slot.pointee.id, departure: slot.pointee.departure)
    }

    /// Tells the request's owner of its answer, and frees the slot.
    func answer(_ slot: Slot) {
        guard let submission = slot.pointee.submission.take() else { return }
        slot.pointee.occupancy = .settled
        submission.batch.answered(submission.index, with: slot.pointee.answer)
        release(slot)
    }

    /// The request is queued, with a body of so many bytes.
    func expectBody(_ count: Int, of slot: Slot) {
        slot.pointee.bodyCount = count
        slot.pointee.bodyLeft = count
        bodiesLeft += count
    }

    /// So many bytes go into a DATA frame, or never will.
    func bodyLeaves(_ count: Int, of slot: Slot) {
        slot.pointee.bodyLeft -= count
        bodiesLeft -= count
    }

    /// The slot is free again.
    func release(_ slot: Slot) {
        guard slot.pointee.occupancy != .free else { return }
        if slot.pointee.bodyLeft > 0 { bodyLeaves(slot.pointee.bodyLeft, of: slot) }
        slot.pointee.occupancy = .free
        if slot.pointee.submission != nil { slot.pointee.submission = nil }
        slot.pointee.answer.clear()
        free.append(slot)
    }

    /// The slot of a request for which nghttp2 has no stream.
    func slot(ofStream id: Int32) -> Slot? {
        all.first { $0.pointee.id == id && $0.pointee.occupancy != .free }
    }

    /// Slots whose request's deadline has passed.
    func overdue(at now: Int64) -> [Slot] {
        all.filter { slot in
            guard slot.pointee.isTaken, let submission = slot.pointee.submission else {
                return false
            }
            return submission.deadline <= now
        }
    }

    /// Settles and frees everything; the unsettled requests in the order of their submission.
    func takeAll() -> [Settled] {
        let unsettled = all.compactMap(settle)
        all.forEach(release)
        return unsettled.sorted { $0.submission.order < $1.submission.order }
    }

    private func make() -> Slot {
        let slot = Slot.allocate(capacity: 1)
        slot.initialize(to: Stream())
        all.append(slot)
        return slot
    }
}
