/// A change that waits for a transaction, and who waits for its answer.
struct Pending: Sendable {
    let change: GroupCommit.Change
    let explain: @Sendable (SQLiteFailure) -> StoreError
    let answer: CheckedContinuation<Result<Int64, StoreError>, Never>
}

/// The changes that wait for the writer, in the order of their arrival.
struct Inbox: Sendable {
    enum Then {
        case goOn, thenClose
    }

    enum Addition {
        /// The writer is at work and will come to it.
        case queued
        /// The writer sleeps: wake it.
        case queuedFirst
        case refused(StoreError)
    }

    private enum State {
        case idle, draining
    }

    private var waiting: [Pending] = []
    private var state = State.idle
    private var isClosed = false

    mutating func add(_ pending: Pending, _ then: Then) -> Addition {
        guard !isClosed else { return .refused(.closed) }
        switch then {
        case .goOn:
            guard waiting.count < GroupCommit.waitingMax else {
                return .refused(.unavailable("\(waiting.count) changes are waiting already"))
            }
        case .thenClose:
            isClosed = true
        }
        waiting.append(pending)
        defer { state = .draining }
        switch state {
        case .idle: return .queuedFirst
        case .draining: return .queued
        }
    }

    /// The next to be written; none lets the writer sleep.
    mutating func take(_ count: Int) -> [Pending] {
        let batch = Array(waiting.prefix(count))
        waiting.removeFirst(batch.count)
        if batch.isEmpty { state = .idle }
        return batch
    }
}
