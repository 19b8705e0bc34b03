internal import Isolation

/// The one writer: changes that arrive while a transaction is being committed share the next.
///
/// Syncing the disk costs the same for one change as for hundreds, so a busy store stays fast
/// with `synchronous=FULL`. Each change has a savepoint of its own: one that is refused is undone
/// alone. Each is answered after the commit, never before.
actor GroupCommit {
    /// What writes: returns a number for the caller, throws `StoreError` to refuse.
    typealias Change = @Sendable (Database) throws -> Int64

    /// Changes in one transaction.
    static let changesMax = 256
    /// Changes that wait for one; more are answered with `.unavailable`.
    static let waitingMax = 4096
    /// Pages written to the log between two checkpoints (of 4 KiB: 16 MiB).
    static let pagesPerCheckpoint = 4096

    private let executor: QueueExecutor
    private let checkpointer: Checkpointer
    private let onEvent: @Sendable (StoreEvent) -> Void
    private nonisolated let inbox = Locked(Inbox())
    private var database: Database?
    private var pagesSinceCheckpoint = 0
    private var isFailing = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(
        database: sending Database, checkpointer: Checkpointer,
        onEvent: @escaping @Sendable (StoreEvent) -> Void
    ) {
        executor = QueueExecutor(label: "PartyStore writer")
        self.database = database
        self.checkpointer = checkpointer
        self.onEvent = onEvent
    }

    /// Writes with the next transaction; returns what `change` returned, once it is durable.
    /// `explain` says what a failure of SQLite means to this change.
    nonisolated func submit(
        explain: @escaping @Sendable (SQLiteFailure) -> StoreError = { $0.storeError },
        _ change: @escaping Change
    ) async throws(StoreError) -> Int64 {
        try await enqueue(explain: explain, .goOn, change).get()
    }

    /// Writes what waits, and closes the connection. Later changes are answered with `.closed`.
    nonisolated func close() async {
        // A change that writes nothing, as the last one: it is answered after all others.
        _ = await enqueue(explain: { $0.storeError }, .thenClose) { _ in 0 }
        await disconnect()
    }

    private nonisolated func enqueue(
        explain: @escaping @Sendable (SQLiteFailure) -> StoreError, _ then: Inbox.Then,
        _ change: @escaping Change
    ) async -> Result<Int64, StoreError> {
        await withCheckedContinuation { continuation in
            let pending = Pending(change: change, explain: explain, answer: continuation)
            switch inbox.withLock({ $0.add(pending, then) }) {
            case .refused(let error):
                continuation.resume(returning: .failure(error))
            case .queued:
                break
            case .queuedFirst:
                // Nobody waits for the task itself: each change waits for its own answer.
                Task { await drain() }
            }
        }
    }

    private func drain() async {
        while true {
            let batch = inbox.withLock { $0.take(Self.changesMax) }
            guard !batch.isEmpty else { return }
            commit(batch)
            await checkpointIfDue()
        }
    }

    private func disconnect() {
        database = nil
    }
}

// MARK: One transaction

extension GroupCommit {
    private func commit(_ batch: [Pending]) {
        guard let database else {
            for pending in batch { pending.answer.resume(returning: .failure(.closed)) }
            return
        }
        do {
            let results = try transact(batch, on: database)
            noteSuccess()
            for (pending, result) in zip(batch, results) {
                pending.answer.resume(returning: result)
            }
        } catch {
            database.rollBack()
            fail(batch, with: error)
        }
    }

    private func transact(
        _ batch: [Pending], on database: Database
    ) throws -> [Result<Int64, StoreError>] {
        try database.begin()
        var results: [Result<Int64, StoreError>] = []
        for pending in batch {
            try database.run("SAVEPOINT change")
            do {
                results.append(.success(try pending.change(database)))
            } catch let refusal as StoreError {
                try database.run("ROLLBACK TO change")
                results.append(.failure(refusal))
            }
            try database.run("RELEASE change")
        }
        try database.commit()
        return results
    }

    /// Nothing of the batch was written. A failure that passes answers all of it; any other is
    /// the fault of one change, so each gets a transaction of its own.
    private func fail(_ batch: [Pending], with error: any Error) {
        let failure =
            error as? SQLiteFailure
            ?? SQLiteFailure(code: 1, message: "a change threw a \(type(of: error))")
        if failure.isPassing {
            noteFailure(failure)
            for pending in batch {
                pending.answer.resume(returning: .failure(failure.storeError))
            }
        } else if batch.count > 1 {
            for pending in batch { commit([pending]) }
        } else {
            for pending in batch {
                pending.answer.resume(returning: .failure(pending.explain(failure)))
            }
        }
    }

    private func noteSuccess() {
        guard isFailing else { return }
        isFailing = false
        onEvent(.writingResumed)
    }

    private func noteFailure(_ failure: SQLiteFailure) {
        guard !isFailing else { return }
        isFailing = true
        onEvent(.writingStopped("\(failure.message) (code \(failure.code))"))
    }

    /// Checkpoints run beside the commits; only a log that has outgrown its bound stops them.
    private func checkpointIfDue() async {
        pagesSinceCheckpoint += database?.pagesWritten() ?? 0
        guard pagesSinceCheckpoint >= Self.pagesPerCheckpoint else { return }
        pagesSinceCheckpoint = 0
        switch checkpointer.request() {
        case .beside: break
        case .waitForIt: await checkpointer.restartLog()
        }
    }
}

extension GroupCommit {
    /// How long a transaction waits for another process's lock.
    func waitForLocks(milliseconds: Int32) { database?.waitForLocks(milliseconds: milliseconds) }
}
