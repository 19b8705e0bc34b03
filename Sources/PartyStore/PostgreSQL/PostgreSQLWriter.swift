internal import GameLogic
internal import Isolation

/// A writing connection: all work that waits shares one transaction, as with a file.
actor PostgreSQLWriter: TransactionWriter {
    /// How often a transaction runs that another one is in the way of.
    static let attemptsMax = 5

    private let executor: QueueExecutor
    private let damage: Damage
    /// `nil`: nobody waits until this one can write.
    private let refusals: Refusals?
    private let name: String
    /// What the transaction under way has sent, in bytes.
    private var bytesSent: Int64 = 0
    nonisolated let queue = Locked(WriterQueue<PostgreSQLSession>())
    private var connector: PostgreSQLConnector

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(
        _ name: String, _ address: PostgreSQLAddress, pauseMilliseconds: Int64, damage: Damage,
        refusals: Refusals?, departures: HostDepartures
    ) {
        executor = QueueExecutor(label: "PartyStore \(name)")
        self.name = name
        self.refusals = refusals
        connector = PostgreSQLConnector(
            address, pauseMilliseconds: pauseMilliseconds, departures: departures)
        self.damage = damage
        refusals?.register(name) { [weak self] in await self?.tryWriting(bytes: $0) }
    }

    func drain() async {
        while true {
            let work = queue.withLock { $0.take() }
            guard !work.isEmpty else { return }
            commit(work[...])
        }
    }

    func disconnect() { connector.close() }

    /// Runs a statement that is a transaction of its own. It may run twice.
    func statement<Result>(
        _ body: (PostgreSQLSession) throws(SQLFailure) -> Result
    ) throws(StoreError) -> Result {
        let result: Result?
        do throws(SQLFailure) {
            result = try connector.withSession(body)
        } catch {
            throw error.storeError
        }
        guard let result else { throw .closed }
        return result
    }

    /// Creates the tables of a new database, and migrates those of another schema.
    func prepare() throws(StoreError) {
        let refusal = try statement { session throws(SQLFailure) in try session.prepare() }
        if let refusal { throw refusal }
    }

    /// Checks a database that is only read.
    func examine() throws(StoreError) {
        let refusal: StoreError??
        do throws(SQLFailure) {
            refusal = try connector.withSession { session throws(SQLFailure) in
                try session.refusalToRead()
            }
        } catch {
            throw error.storeError
        }
        guard let refusal else { throw .closed }
        if let refusal { throw refusal }
    }
}

// MARK: One transaction

extension PostgreSQLWriter {
    private typealias Works = ArraySlice<Work<PostgreSQLSession>>

    /// The first round trip of a transaction: its locks, and what touches only parties' rows.
    private struct Opening {
        var batches: [PostgreSQLBatch] = []
        let locks: RowLocks
    }

    private func commit(_ work: Works) {
        do throws(SQLFailure) {
            let outcomes = try transaction(of: work)
            guard let outcomes else {
                for work in work { work.fail(.closed) }
                return
            }
            refusals?.committed(name, bytes: bytesTried(with: work))
            for (work, outcome) in zip(work, outcomes) { work.finish(outcome) }
        } catch {
            fail(work, with: error)
        }
    }

    /// Returns how many bytes the last transaction has sent, or was to send, as far as that is known.
    private func bytesTried(with work: Works) -> Int64 {
        max(bytesSent, work.reduce(0) { $0 + $1.bytes })
    }

    /// Runs a transaction, and again when another one was in the way. `nil` after `disconnect`.
    ///
    /// A connection that is lost in a transaction may have committed it, so that is not repeated:
    /// its callers get `.unavailable`, and the fences show what was written.
    private func transaction<Result>(
        _ opening: Opening,
        _ body: (PostgreSQLSession, _ written: [Set<Int64>]) throws(SQLFailure) -> Result
    ) throws(SQLFailure) -> Result? {
        var attempts = 1
        while true {
            do throws(SQLFailure) {
                return try attempt(opening, body)
            } catch {
                // Tables explain each duplicate that they expect: another one has just been written.
                guard error.isConflict || error.isDuplicate, attempts < Self.attemptsMax else {
                    throw error
                }
                attempts += 1
            }
        }
    }

    /// The first round trip may be made again over another connection: nothing is committed yet.
    private func attempt<Result>(
        _ opening: Opening,
        _ body: (PostgreSQLSession, _ written: [Set<Int64>]) throws(SQLFailure) -> Result
    ) throws(SQLFailure) -> Result? {
        bytesSent = 0
        let begun = try connector.withSession { session throws(SQLFailure) in
            session.begin(.writing)
            session.link.bytesSent = 0
            defer { bytesSent = session.link.bytesSent }
            do throws(SQLFailure) {
                let written = try session.run(
                    opening.batches.flatMap(\.statements),
                    of: Set(opening.locks.nodes.map(\.number)), taking: opening.locks)
                return (session: session, written: written)
            } catch {
                session.rollBack()
                throw error
            }
        }
        guard let session = begun?.session else { return nil }
        defer { bytesSent = session.link.bytesSent }
        do throws(SQLFailure) {
            let result = try body(session, begun?.written ?? [])
            try session.commit()
            return result
        } catch {
            session.rollBack()
            throw error
        }
    }

    /// Writes all parties without further rows in the first round trip: they touch no other rows.
    private func transaction(
        of work: Works
    ) throws(SQLFailure) -> [Work<PostgreSQLSession>.Outcome]? {
        let batches = work.map { work -> PostgreSQLBatch? in
            guard case .batch(let batch, let owner, _) = work else { return nil }
            return PostgreSQLBatch(batch: batch, epoch: owner)
        }
        let opening = Opening(
            batches: batches.compactMap(\.self), locks: work.reduce(.none) { $0 + $1.locks })
        return try transaction(opening) { session, written throws(SQLFailure) in
            try write(work, batches, written[...], on: session)
        }
    }

    private func write(
        _ work: Works, _ batches: [PostgreSQLBatch?], _ written: ArraySlice<Set<Int64>>,
        on session: PostgreSQLSession
    ) throws(SQLFailure) -> [Work<PostgreSQLSession>.Outcome] {
        var written = written
        var outcomes: [Work<PostgreSQLSession>.Outcome] = []
        for (work, batch) in zip(work, batches) {
            switch work {
            case .closure(let closure):
                outcomes.append(.closure(try session.run(closure.change)))
            case .batch:
                guard let batch else { continue }
                let own = written.prefix(batch.statements.count)
                written = written.dropFirst(own.count)
                outcomes.append(.batch(try session.finish(batch, written: Array(own))))
            }
        }
        return outcomes
    }
}

// MARK: Failures

extension PostgreSQLWriter {
    /// Handles a failed transaction. A temporary failure fails all of it; any other is the fault of
    /// one change, so each gets its own transaction.
    private func fail(_ work: Works, with failure: SQLFailure) {
        if failure.isPassing {
            refusals?.add(name, failure, bytes: bytesTried(with: work))
            for work in work { work.fail(failure.storeError) }
        } else if work.count > 1 {
            for index in work.indices { commit(work[index...index]) }
        } else {
            for work in work { isolate(work, failure) }
        }
    }

    /// Commits party by party, so that only the one at fault freezes.
    private func isolate(_ work: Work<PostgreSQLSession>, _ failure: SQLFailure) {
        guard case .batch(let batch, let owner, let done) = work else {
            work.fail(failure.storeError)
            return
        }
        let plan = PostgreSQLBatch(batch: batch, epoch: owner)
        let results = batch.parties.indices.map { index in
            alone(
                (batch.changes[index].further.map(RowLocks.init) ?? .none) + .node(owner)
            ) {
                damage.explain($0, of: batch.parties[index])
            } _: { session throws(SQLFailure) in
                try session.write(plan, change: index)
            }
        }
        let rest = alone(.node(owner), \.storeError) { session throws(SQLFailure) in
            try session.writeOutcomes(of: plan)
        }
        done(BatchResult(parties: results, failure: rest.error))
    }

    private func alone(
        _ locks: RowLocks, _ explain: (SQLFailure) -> StoreError,
        _ body: (PostgreSQLSession) throws(SQLFailure) -> StoreError?
    ) -> Result<Void, StoreError> {
        do throws(SQLFailure) {
            let refusal = try transaction(Opening(locks: locks)) { session, _ throws(SQLFailure) in
                try body(session)
            }
            guard let refusal else { return .failure(.closed) }
            refusals?.committed(name, bytes: bytesSent)
            return refusal.map { .failure($0) } ?? .success(())
        } catch {
            if error.isPassing { refusals?.add(name, error, bytes: bytesSent) }
            return .failure(explain(error))
        }
    }
}
