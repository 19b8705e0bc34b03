internal import HTTP2

/// Requests that wait for a stream, oldest first. Pure.
struct ConnectionPoolQueue {
    /// Requests that came back from a connection, in order; they go first.
    private var returned: [Submission] = []
    /// Requests that have not been tried; those before `head` have left.
    private var fresh: [Submission?] = []
    private var head = 0

    var count: Int { returned.count + fresh.count - head }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ submission: Submission) {
        fresh.append(submission)
    }

    /// Puts a request back to where its order belongs among those that came back.
    mutating func putBack(_ submission: Submission) {
        // Mostly they come back in order, so the place is at the end.
        let place = returned.lastIndex { $0.order < submission.order }.map { $0 + 1 } ?? 0
        returned.insert(submission, at: place)
    }

    mutating func takeFirst() -> Submission? {
        if !returned.isEmpty { return returned.removeFirst() }
        guard head < fresh.count else { return nil }
        let first = fresh[head]
        fresh[head] = nil
        head += 1
        if head == fresh.count {
            fresh.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 1_024, head * 2 >= fresh.count {
            fresh.removeFirst(head)
            head = 0
        }
        return first
    }

    /// Takes the requests that have waited since before a time, and those whose deadline passed.
    mutating func takeOverdue(at now: Int64, waitMax: Int64, patience: Int64) -> [Submission] {
        // A request was handed in `patience` before its deadline.
        let isOverdue = { (submission: Submission) in
            submission.deadline <= now || submission.deadline - patience + waitMax <= now
        }
        var overdue = returned.filter(isOverdue)
        if !overdue.isEmpty { returned.removeAll(where: isOverdue) }
        // Fresh ones are in the order of their deadlines.
        while head < fresh.count, let first = fresh[head], isOverdue(first) {
            overdue.append(first)
            fresh[head] = nil
            head += 1
        }
        return overdue
    }

    mutating func takeAll() -> [Submission] {
        let all = returned + fresh[head...].compactMap { $0 }
        self = ConnectionPoolQueue()
        return all
    }
}
