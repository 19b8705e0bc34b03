/// Work that waits for a transaction on a session.
enum Work<Session>: Sendable {
    /// Changes of parties, with the epoch of their owner.
    case batch(Batch, Epoch, done: @Sendable (BatchResult) -> Void)
    /// Another change: a fenced closure with its own savepoint.
    case closure(Closure)

    struct Closure: Sendable {
        /// Whether other work may be in its transaction.
        enum Company: Sendable {
            case any, none
        }

        let locks: RowLocks
        let company: Company
        /// Returns a number for the caller; throws `StoreError` to refuse.
        let change: @Sendable (Session) throws -> Int64
        let done: CheckedContinuation<Result<Int64, StoreError>, Never>
    }

    var locks: RowLocks {
        switch self {
        case .batch(let batch, let owner, _): batch.locks + .node(owner)
        case .closure(let closure): closure.locks
        }
    }

    /// Whether it needs a transaction of its own.
    var isAlone: Bool {
        switch self {
        case .batch: false
        case .closure(let closure): closure.company == .none
        }
    }

    /// The size of what it writes in bytes, as far as that is known before.
    var bytes: Int64 {
        switch self {
        case .batch(let batch, _, _): Int64(batch.bytes)
        case .closure: 0
        }
    }

    /// The outcome, reported after the commit, never before.
    enum Outcome {
        case batch(BatchResult)
        case closure(Result<Int64, StoreError>)
    }

    func finish(_ outcome: Outcome) {
        switch (self, outcome) {
        case (.batch(_, _, let done), .batch(let result)): done(result)
        case (.closure(let closure), .closure(let result)): closure.done.resume(returning: result)
        case (.batch, .closure), (.closure, .batch):
            preconditionFailure("an outcome of one kind for work of another")
        }
    }

    /// Fails the work: nothing of it was written.
    func fail(_ error: StoreError) {
        switch self {
        case .batch(let batch, _, let done): done(BatchResult(of: batch, failed: error))
        case .closure(let closure): closure.done.resume(returning: .failure(error))
        }
    }
}

/// How much may wait for a transaction.
enum WriterLimits {
    /// The most batches; more fail with `.unavailable`.
    static let batchesMax = 256
    /// The most closures.
    static let closuresMax = 4096
}

/// The work that waits for the writer, in the order of its arrival.
struct WriterQueue<Session>: Sendable {
    enum Then {
        case goOn, thenClose
    }

    enum Addition {
        /// The writer is running and will reach it.
        case queued
        /// The writer sleeps: wake it.
        case queuedFirst
        case refused(StoreError)
    }

    private enum State {
        case idle, draining
    }

    private var waiting: [Work<Session>] = []
    var count: Int { waiting.count }
    private var batches = 0
    private var state = State.idle
    private var isClosed = false

    mutating func add(_ work: Work<Session>, _ then: Then) -> Addition {
        guard !isClosed else { return .refused(.closed) }
        switch then {
        case .goOn: if let refusal = refusal(of: work) { return .refused(refusal) }
        case .thenClose: isClosed = true
        }
        waiting.append(work)
        if case .batch = work { batches += 1 }
        defer { state = .draining }
        switch state {
        case .idle: return .queuedFirst
        case .draining: return .queued
        }
    }

    /// Returns why there is no room for more work of this kind.
    private func refusal(of work: Work<Session>) -> StoreError? {
        switch work {
        case .batch:
            guard batches >= WriterLimits.batchesMax else { return nil }
            return .unavailable("\(batches) batches are already waiting")
        case .closure:
            let closures = waiting.count - batches
            guard closures >= WriterLimits.closuresMax else { return nil }
            return .unavailable("\(closures) changes are already waiting")
        }
    }

    /// Returns the work of the next transaction: all that waits, as far as it may share one. Without
    /// any, the writer sleeps.
    mutating func take() -> [Work<Session>] {
        if waiting.isEmpty { state = .idle }
        guard let alone = waiting.firstIndex(where: \.isAlone) else {
            batches = 0
            defer { waiting = [] }
            return waiting
        }
        let taken = Array(waiting.prefix(max(alone, 1)))
        waiting.removeFirst(taken.count)
        batches = waiting.count { if case .batch = $0 { true } else { false } }
        return taken
    }
}
