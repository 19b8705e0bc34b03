internal import GameLogic
internal import Isolation

/// The one writer of a store, on an executor of its own: all work that waits shares one transaction.
protocol TransactionWriter: Actor {
    associatedtype Session

    nonisolated var queue: Locked<WriterQueue<Session>> { get }

    /// Commits what waits, until nothing does.
    func drain() async

    /// Closes the connection.
    func disconnect()
}

extension TransactionWriter {
    /// Writes with the next transaction, then calls `done` on the writer's thread.
    nonisolated func write(
        _ batch: Batch, epoch: Epoch, done: @escaping @Sendable (BatchResult) -> Void
    ) {
        enqueue(.batch(batch, epoch, done: done), .goOn)
    }

    /// Writes with the next transaction. Returns what `change` returned, once it is durable.
    nonisolated func submit(
        _ locks: RowLocks = .none, _ change: @escaping @Sendable (Session) throws -> Int64
    ) async throws(StoreError) -> Int64 {
        try await submit(locks, change, .any, .goOn).get()
    }

    /// Tries to commit so many bytes, in a transaction of their own. `Refusals` gets the outcome.
    nonisolated func tryWriting(bytes: Int64) async where Session: SQLSession {
        _ = await submit(
            .none,
            { session in
                try session.writeAndDelete(bytes: bytes)
                return 0
            }, .none, .goOn)
    }

    /// Writes what waits, and closes the connection. Later changes fail with `.closed`.
    nonisolated func close() async {
        // An empty change as the last one: it completes after all others.
        _ = await submit(.none, { _ in 0 }, .any, .thenClose)
        await disconnect()
    }

    private nonisolated func submit(
        _ locks: RowLocks, _ change: @escaping @Sendable (Session) throws -> Int64,
        _ company: Work<Session>.Closure.Company, _ then: WriterQueue<Session>.Then
    ) async -> Result<Int64, StoreError> {
        await withCheckedContinuation { continuation in
            let closure = Work<Session>.Closure(
                locks: locks, company: company, change: change, done: continuation)
            enqueue(.closure(closure), then)
        }
    }

    private nonisolated func enqueue(_ work: Work<Session>, _ then: WriterQueue<Session>.Then) {
        switch queue.withLock({ $0.add(work, then) }) {
        case .refused(let error):
            // Nobody waits for the task itself: the writer may be busy for long, and a caller must
            // not be called back within its own call.
            Task { work.fail(error) }
        case .queued:
            break
        case .queuedFirst:
            // Nobody waits for the task itself: each change waits for its own outcome.
            Task { await drain() }
        }
    }
}

extension Result where Success == Void, Failure == StoreError {
    /// The error, if it failed.
    package var error: StoreError? {
        switch self {
        case .success: nil
        case .failure(let error): error
        }
    }
}
