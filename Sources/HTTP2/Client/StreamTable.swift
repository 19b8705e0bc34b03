/// The requests of one connection, in slots with fixed addresses that are reused. nghttp2 stores
/// each stream's slot by its address, which avoids searches. A queued request that was not sent has
/// no stream in nghttp2 yet, so only the table contains all of them. Plain memory, because every
/// callback uses it.
final class StreamTable {
    typealias Slot = UnsafeMutablePointer<Stream>

    /// A slot, and the request in it.
    struct Stream {
        fileprivate(set) var occupancy = Occupancy.free
        /// Set while the slot is taken.
        fileprivate(set) var submission: Submission?
        var id: Int32 = 0
        /// The bytes at the end of its body that are not in DATA frames yet.
        fileprivate(set) var bodyLeft = 0
        fileprivate(set) var bodyCount = 0
        var departure = Departure.queued
        /// Its memory is reused with the slot.
        var response = HTTP2Response()

        /// Whether the slot contains an unsettled request.
        var isTaken: Bool { occupancy == .taken }

        /// Copies the next part of the body.
        func copyBody(to room: UnsafeMutableRawBufferPointer) {
            submission?.copyBody(from: bodyCount - bodyLeft, to: room)
        }
    }

    enum Occupancy {
        case free, taken
        /// The owner was notified; the stream is still to be closed.
        case settled
    }

    /// Whether the HEADERS were serialised.
    enum Departure {
        case queued, sent
    }

    /// A request taken from the table, to notify its owner.
    struct Settled {
        let submission: Submission
        let id: Int32
        let departure: Departure

        /// Returns its failure by whether its HEADERS were sent.
        func failure(ifQueued queuedReason: String, ifSent sentReason: String) -> HTTP2Failure {
            switch departure {
            case .queued: .neverSent(queuedReason)
            case .sent: .unknown(sentReason)
            }
        }
    }

    private var all: [Slot] = []
    private var free: [Slot] = []

    /// The slots in use, which the peer counts.
    var count: Int { all.count - free.count }

    /// The unsent bytes of all bodies.
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

    /// Takes the request to notify its owner, and keeps the slot until `release`.
    func settle(_ slot: Slot) -> Settled? {
        guard slot.pointee.isTaken, let submission = slot.pointee.submission.take() else {
            return nil
        }
        slot.pointee.occupancy = .settled
        bodyLeaves(slot.pointee.bodyLeft, of: slot)
        return Settled(
            submission: submission, id: slot.pointee.id, departure: slot.pointee.departure)
    }

    /// Reports the response to the request's owner, and frees the slot.
    func complete(_ slot: Slot) {
        guard let submission = slot.pointee.submission.take() else { return }
        slot.pointee.occupancy = .settled
        submission.batch.completed(submission.index, with: slot.pointee.response)
        release(slot)
    }

    /// Records a queued request with a body of this size.
    func expectBody(_ count: Int, of slot: Slot) {
        slot.pointee.bodyCount = count
        slot.pointee.bodyLeft = count
        bodiesLeft += count
    }

    /// Records bytes that go into a DATA frame, or will never be sent.
    func bodyLeaves(_ count: Int, of slot: Slot) {
        slot.pointee.bodyLeft -= count
        bodiesLeft -= count
    }

    /// Frees the slot.
    func release(_ slot: Slot) {
        guard slot.pointee.occupancy != .free else { return }
        if slot.pointee.bodyLeft > 0 { bodyLeaves(slot.pointee.bodyLeft, of: slot) }
        slot.pointee.occupancy = .free
        if slot.pointee.submission != nil { slot.pointee.submission = nil }
        slot.pointee.response.clear()
        free.append(slot)
    }

    /// Returns the slot of a request for which nghttp2 has no stream.
    func slot(ofStream id: Int32) -> Slot? {
        all.first { $0.pointee.id == id && $0.pointee.occupancy != .free }
    }

    /// Returns the slots whose request is past its deadline.
    func overdue(at now: Int64) -> [Slot] {
        all.filter { slot in
            guard slot.pointee.isTaken, let submission = slot.pointee.submission else {
                return false
            }
            return submission.deadline <= now
        }
    }

    /// Settles and frees everything; returns the unsettled requests in the order of their
    /// submission.
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
