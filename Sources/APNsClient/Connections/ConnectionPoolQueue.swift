internal import HTTP2

/// Requests that wait for a stream, oldest first. Pure.
struct ConnectionPoolQueue {
    /// The requests of a batch that were not tried yet.
    private struct Fresh {
        let batch: any HTTP2Batch
        var next: Int
        let end: Int
        /// The position of the batch's request 0.
        let order: UInt64
        let deadline: Int64

        mutating func takeFirst() -> Submission {
            defer { next += 1 }
            return Submission(
                batch, next, order: order + UInt64(next), deadline: deadline)
        }
    }

    /// Requests returned by a connection, in order; they go first. Those before `returnedHead` are
    /// gone.
    private var returned: [Submission?] = []
    private var returnedHead = 0
    /// Requests not tried yet, by batch: a waiting request takes no space of its own. Those before
    /// `freshHead` are gone.
    private var fresh: [Fresh?] = []
    private var freshHead = 0
    private var freshCount = 0
    private var nextOrder: UInt64 = 1

    var count: Int { returned.count - returnedHead + freshCount }
    var isEmpty: Bool { count == 0 }

    /// Appends the first `count` requests of a batch.
    mutating func append(_ batch: any HTTP2Batch, first count: Int, deadline: Int64) {
        guard count > 0 else { return }
        fresh.append(
            Fresh(batch: batch, next: 0, end: count, order: nextOrder, deadline: deadline))
        nextOrder += UInt64(count)
        freshCount += count
    }

    /// Inserts a returned request at its position among the returned ones.
    mutating func putBack(_ submission: Submission) {
        // They mostly return in order, so the search starts at the end.
        var place = returned.count
        while place > returnedHead, let other = returned[place - 1],
            other.order > submission.order
        {
            place -= 1
        }
        returned.insert(submission, at: place)
    }

    mutating func takeFirst() -> Submission? {
        if returnedHead < returned.count {
            defer { Self.advance(&returnedHead, in: &returned) }
            return returned[returnedHead]
        }
        guard freshHead < fresh.count, let first = fresh[freshHead]?.takeFirst() else {
            return nil
        }
        freshCount -= 1
        if let left = fresh[freshHead], left.next == left.end {
            Self.advance(&freshHead, in: &fresh)
        }
        return first
    }

    /// Takes the requests that have waited too long, and those past their deadline.
    mutating func takeOverdue(at now: Int64, waitMax: Int64, patience: Int64) -> [Submission] {
        // A request was submitted `patience` before its deadline.
        let isOverdue = { (deadline: Int64) in
            deadline <= now || deadline - patience + waitMax <= now
        }
        let waiting = returned[returnedHead...].compactMap { $0 }
        var overdue = waiting.filter { isOverdue($0.deadline) }
        if !overdue.isEmpty {
            returned = waiting.filter { !isOverdue($0.deadline) }
            returnedHead = 0
        }
        // Fresh requests are in the order of their deadlines.
        while freshHead < fresh.count, let first = fresh[freshHead], isOverdue(first.deadline) {
            overdue += Self.takeAll(of: first)
            freshCount -= first.end - first.next
            Self.advance(&freshHead, in: &fresh)
        }
        return overdue
    }

    mutating func takeAll() -> [Submission] {
        let all =
            returned[returnedHead...].compactMap { $0 }
            + fresh[freshHead...].compactMap { $0 }.flatMap(Self.takeAll)
        self = ConnectionPoolQueue()
        return all
    }

    private static func takeAll(of fresh: Fresh) -> [Submission] {
        var fresh = fresh
        return (fresh.next..<fresh.end).map { _ in fresh.takeFirst() }
    }

    /// Removes the first element; reclaims the space before the head from time to time.
    private static func advance<Element>(_ head: inout Int, in queue: inout [Element?]) {
        queue[head] = nil
        head += 1
        if head == queue.count {
            queue.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 1_024, head * 2 >= queue.count {
            queue.removeFirst(head)
            head = 0
        }
    }
}
