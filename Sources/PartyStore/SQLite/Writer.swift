internal import GameLogic
internal import Isolation

/// The one writer: everything that waits while a transaction is being committed shares the next.
///
/// Syncing the disk costs the same for one change as for hundreds, so a busy store stays fast with
/// `synchronous=FULL`. Each change is completed after the commit, never before.
actor Writer: TransactionWriter {
    /// After the disk was full, the number of transactions between two looks at its free space.
    private static let transactionsPerLook = 16

    private let executor: QueueExecutor
    private let checkpointer: Checkpointer
    private let damage: Damage
    nonisolated let queue = Locked(WriterQueue<Database>())
    /// The CPU time that transactions have taken, in seconds.
    nonisolated let cpuSeconds = Locked(0.0)
    private var database: Database?
    private var parties: PartyWriter?
    private let pageBytes: Int64
    private let ballast: Ballast?
    private var pagesSinceCheckpoint = 0
    /// Transactions until the next look at the free space; `nil`: the ballast is there.
    private var transactionsToLook: Int?
    /// The epoch that could not be written at the start, because the disk was full, and the one
    /// that the file had then.
    private var pendingEpoch: (new: Int64, old: Int64)?
    /// Of this writer alone.
    nonisolated let refusals: Refusals
    private static let name = "writer"

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(
        database: sending Database, pageBytes: Int64, checkpointer: Checkpointer,
        ballast: Ballast?, damage: Damage, sleep: @escaping StoreSleep
    ) {
        executor = QueueExecutor(label: "PartyStore writer")
        refusals = Refusals(sleep: sleep, report: damage.report)
        self.pageBytes = pageBytes
        self.ballast = ballast
        self.database = database
        self.checkpointer = checkpointer
        self.damage = damage
        refusals.register(Self.name) { [weak self] in await self?.tryWriting(bytes: $0) }
    }

    func drain() async {
        while true {
            let work = queue.withLock { $0.take() }
            guard !work.isEmpty else { return }
            commit(work[...])
            await checkpointIfDue()
        }
    }

    func disconnect() {
        parties = nil
        database = nil
    }
}

// MARK: One transaction

extension Writer {
    private func commit(_ work: ArraySlice<Work<Database>>) {
        let began = ThreadTime.now
        defer { cpuSeconds.withLock { $0 += ThreadTime.now - began } }
        guard let database else {
            for work in work { work.fail(.closed) }
            return
        }
        do throws(SQLFailure) {
            let outcomes = try withBallast(on: database) { () throws(SQLFailure) in
                try transact(work, on: database)
            }
            refusals.committed(Self.name, bytes: bytesTried(with: work))
            for (work, outcome) in zip(work, outcomes) { work.finish(outcome) }
        } catch {
            database.rollBack()
            fail(work, with: error, on: database)
        }
    }

    /// Returns how many bytes the last transaction has written, or was to write, as far as that is
    /// known: SQLite counts pages when it begins to write them.
    private func bytesTried(with work: ArraySlice<Work<Database>>) -> Int64 {
        max(notePages(), work.reduce(0) { $0 + $1.bytes })
    }

    /// Counts the pages that were written since the last call; returns their bytes.
    @discardableResult
    private func notePages() -> Int64 {
        let pages = database?.pagesWritten() ?? 0
        pagesSinceCheckpoint += pages
        return Int64(pages) * pageBytes
    }

    /// Commits. The transaction holds the write lock, so the epoch that it read stays the newest.
    private func transact(
        _ work: ArraySlice<Work<Database>>, on database: Database
    ) throws(SQLFailure) -> [Work<Database>.Outcome] {
        try database.begin()
        try takePendingEpoch(on: database)
        var epoch = try database.epoch()
        var outcomes: [Work<Database>.Outcome] = []
        outcomes.reserveCapacity(work.count)
        for work in work {
            switch work {
            case .batch(let batch, let owner, _):
                guard owner.number == epoch else {
                    outcomes.append(.batch(BatchResult(of: batch, failed: .notTheOwner)))
                    continue
                }
                outcomes.append(.batch(try partyWriter(on: database).write(batch)))
            case .closure(let closure):
                outcomes.append(.closure(try run(closure.change, on: database)))
                epoch = try database.epoch()
            }
        }
        try database.commit()
        pendingEpoch = nil
        return outcomes
    }

    private func run(
        _ change: @Sendable (Database) throws -> Int64, on database: Database
    ) throws(SQLFailure) -> Result<Int64, StoreError> {
        try database.run("SAVEPOINT change")
        let result: Result<Int64, StoreError>
        do {
            result = .success(try change(database))
        } catch let refusal as StoreError {
            try database.run("ROLLBACK TO change")
            result = .failure(refusal)
        } catch let failure as SQLFailure {
            throw failure
        } catch {
            throw SQLFailure(code: 1, message: "a change threw a \(type(of: error))")
        }
        try database.run("RELEASE change")
        return result
    }

    private func partyWriter(on database: Database) throws(SQLFailure) -> PartyWriter {
        if let parties { return parties }
        let prepared = try PartyWriter(database)
        parties = prepared
        return prepared
    }
}

// MARK: Failures

extension Writer {
    /// Handles a failed transaction: nothing was written. A temporary failure fails all of it; any
    /// other is the fault of one change, so each gets its own transaction.
    private func fail(
        _ work: ArraySlice<Work<Database>>, with failure: SQLFailure, on database: Database
    ) {
        if failure.isPassing {
            refusals.add(Self.name, failure, bytes: bytesTried(with: work))
            for work in work { work.fail(failure.storeError) }
        } else if work.count > 1 {
            for index in work.indices { commit(work[index...index]) }
        } else {
            for work in work { isolate(work, failure, on: database) }
        }
    }

    /// Commits party by party, so that only the damaged one freezes.
    private func isolate(_ work: Work<Database>, _ failure: SQLFailure, on database: Database) {
        guard case .batch(let batch, let owner, let done) = work else {
            work.fail(failure.storeError)
            return
        }
        var results: [Result<Void, StoreError>] = []
        for index in batch.parties.indices {
            let result = alone(owner, on: database) { writer throws(SQLFailure) in
                try writer.write(batch, change: index)
            } explain: { [damage] failure in
                damage.explain(failure, of: batch.parties[index])
            }
            results.append(result)
        }
        let rest = alone(owner, on: database) { writer throws(SQLFailure) in
            try writer.writeOutcomes(of: batch)
        } explain: {
            $0.storeError
        }
        done(BatchResult(parties: results, failure: rest.error))
    }

    private func alone(
        _ owner: Epoch, on database: Database,
        _ body: (PartyWriter) throws(SQLFailure) -> StoreError?,
        explain: (SQLFailure) -> StoreError
    ) -> Result<Void, StoreError> {
        do throws(SQLFailure) {
            try database.begin()
            try takePendingEpoch(on: database)
            guard try database.epoch() == owner.number else {
                database.rollBack()
                return .failure(.notTheOwner)
            }
            let refusal = try body(try partyWriter(on: database))
            try database.commit()
            pendingEpoch = nil
            refusals.committed(Self.name, bytes: notePages())
            return refusal.map { .failure($0) } ?? .success(())
        } catch {
            database.rollBack()
            if error.isPassing { refusals.add(Self.name, error, bytes: notePages()) }
            return .failure(explain(error))
        }
    }

    /// Runs a transaction; if the disk is full, it runs once more with the ballast's space.
    private func withBallast<Result>(
        on database: Database, _ body: () throws(SQLFailure) -> Result
    ) throws(SQLFailure) -> Result {
        do throws(SQLFailure) {
            return try body()
        } catch {
            guard error.isFullDisk else { throw error }
            transactionsToLook = transactionsToLook ?? Self.transactionsPerLook
            guard ballast?.free() == true else { throw error }
            damage.report(.ballastFreed)
            database.rollBack()
            // Of the first attempt.
            notePages()
            return try body()
        }
    }

    /// Takes ownership with the next transaction that succeeds, unless another server does first.
    /// Its epoch is far above the file's, so that no other server can have the same.
    func takeLater(above old: Int64) -> Epoch {
        let new = old + Self.epochGap
        pendingEpoch = (new, old)
        return Epoch(number: new)
    }

    private static let epochGap: Int64 = 1 << 20

    private func takePendingEpoch(on database: Database) throws(SQLFailure) {
        guard let pendingEpoch else { return }
        try database.run(
            "UPDATE ownership SET epoch = ?1 WHERE epoch = ?2",
            [.integer(pendingEpoch.new), .integer(pendingEpoch.old)])
    }

    /// Starts a checkpoint in parallel with the commits. Only a log beyond its limit stops them.
    private func checkpointIfDue() async {
        notePages()
        let bytes = Int64(pagesSinceCheckpoint) * pageBytes
        let isFull = bytes >= checkpointer.limits.bytesPerCheckpoint
        guard isFull || isTimeToLook() else { return }
        pagesSinceCheckpoint = 0
        switch checkpointer.request() {
        case .beside: break
        case .waitForIt: await checkpointer.restartLog()
        }
    }

    /// Returns whether the free space should be looked at, which a checkpoint does.
    private func isTimeToLook() -> Bool {
        guard let left = transactionsToLook else { return false }
        transactionsToLook = left > 1 ? left - 1 : Self.transactionsPerLook
        if left <= 1, ballast?.isWhole ?? true { transactionsToLook = nil }
        return left <= 1
    }

    /// Sets how long a transaction waits for another process's lock.
    func waitForLocks(milliseconds: Int32) { database?.waitForLocks(milliseconds: milliseconds) }
}
