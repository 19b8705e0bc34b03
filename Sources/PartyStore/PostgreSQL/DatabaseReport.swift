internal import Isolation
package import PushPolicy

/// What a check of a whole database found.
package struct DatabaseReport: Sendable {
    /// PostgreSQL's version: "15.14".
    package let server: String
    /// Settings with which acknowledged changes may be lost, in words.
    package let risks: [String]
    /// Why no server may use the game; `nil`: it may.
    package let move: String?
    package let clock: WallTime
    /// As in `FileReport`.
    package let newest: WallTime?
    /// Damaged rows.
    package let problems: [String]
}

extension PostgreSQLStore {
    /// Checks every row of a database, and changes nothing of it, even while servers run on it.
    ///
    /// - Throws: `.broken` when the database has no game, or one of another schema, `.unavailable`
    ///   when it is away.
    package static func report(
        on address: PostgreSQLAddress
    ) async throws(StoreError) -> DatabaseReport {
        try await DatabaseInspector().report(on: address)
    }

    /// Returns the places of the nodes that share a database; none while it is empty.
    package static func nodes(
        of address: PostgreSQLAddress
    ) async throws(StoreError) -> [NodePlace] {
        try await DatabaseInspector().nodes(of: address)
    }
}

/// Reads a database on a thread of its own, because a large one takes minutes.
private actor DatabaseInspector {
    private let executor = QueueExecutor(label: "PartyStore report")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    func nodes(of address: PostgreSQLAddress) throws(StoreError) -> [NodePlace] {
        try reading(address) { session in
            guard try session.storedVersion() != nil else { return [] }
            if let refusal = try session.refusalToRead() { throw refusal }
            return try session.nodeTable().nodes.map(\.place)
        }
    }

    func report(on address: PostgreSQLAddress) throws(StoreError) -> DatabaseReport {
        try reading(address) { session in
            if let refusal = try session.refusalToRead() { throw refusal }
            let anchor = try ClockTable(session).anchor()
            let offsets =
                (try? anchor?.decode(ClockAnchorFormat.read))?.offsets ?? WallOffsets()
            let newest = try session.row(session.dialect.newestChange) {
                WallTime(milliseconds: $0.integer(2))
            }
            return DatabaseReport(
                server: try setting("server_version", session),
                risks: try risks(session),
                move: try MoveMark.read(session)?.refusal(of: "the database").detail,
                clock: WallTime(
                    milliseconds: try session.integer(
                        "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")),
                newest: newest.map { offsets.wall(at: $0) },
                problems: try session.inTransaction { try GameSurvey(session).faults })
        }
    }

    private func reading<Result>(
        _ address: PostgreSQLAddress, _ body: (PostgreSQLSession) throws -> Result
    ) throws(StoreError) -> Result {
        do {
            return try body(try PostgreSQLSession(address))
        } catch let failure as SQLFailure {
            throw failure.storeError
        } catch let error as StoreError {
            throw error
        } catch {
            throw SQLFailure.unforeseen(error).storeError
        }
    }

    private func risks(_ session: PostgreSQLSession) throws(SQLFailure) -> [String] {
        var risks: [String] = []
        if try setting("fsync", session) == "off" { risks.append("fsync is off") }
        if try setting("synchronous_commit", session) == "off" {
            risks.append("synchronous_commit is off")
        }
        return risks
    }

    private func setting(
        _ name: String, _ session: PostgreSQLSession
    ) throws(SQLFailure) -> String {
        try session.row("SELECT current_setting(?1)", [.text(name)]) { $0.text(0) } ?? ""
    }
}
