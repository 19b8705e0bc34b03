/// A point of a node's work at which it is paused: PostgreSQL has its statement and keeps it waiting
/// for a row, and goes on when the node no longer does.
enum ClusterPausePoint: Sendable {
    case change, renewal, leaving

    /// A statement that locks what the node waits for, and no other node.
    func rows(of node: String) -> String {
        switch self {
        case .change:
            """
            SELECT FROM parties JOIN shard_lease USING (shard) JOIN node USING (epoch)
            WHERE name = '\(node)' FOR NO KEY UPDATE OF parties
            """
        // A change of a party waits for no key that is only updated.
        case .renewal: "SELECT FROM node WHERE name = '\(node)' FOR NO KEY UPDATE"
        case .leaving:
            """
            SELECT FROM shard_lease JOIN node USING (epoch)
            WHERE name = '\(node)' FOR UPDATE OF shard_lease
            """
        }
    }
}

extension ClusterDatabase {
    /// The name of the connection that keeps the rows.
    private static let keeper = "pause point"
    private static let keptSecondsMax = 20
    private static let looksMax = 400

    /// Locks rows until a node waits for them and `body` has run; returns what that returns.
    ///
    /// - Throws: When no node waits for them in time.
    func whileWaiting<Result: Sendable>(
        for rows: String, _ body: @Sendable () -> Result
    ) async throws -> Result {
        async let kept: Void = keep(rows)
        for _ in 0..<Self.looksMax {
            let waiting = try await query(
                """
                SELECT 1 FROM pg_stat_activity AS node JOIN pg_stat_activity AS keeper
                    ON keeper.pid = ANY (pg_blocking_pids(node.pid))
                WHERE keeper.application_name = '\(Self.keeper)' LIMIT 1
                """)
            guard waiting.isEmpty else {
                let result = body()
                try await letGo()
                await kept
                return result
            }
        }
        try await letGo()
        await kept
        throw PlayError.serverDied("no node has waited for: \(rows)")
    }

    private func keep(_ rows: String) async {
        do {
            // One transaction, which ends with its connection.
            _ = try await query(
                """
                SET application_name = '\(Self.keeper)'; \(rows);
                SELECT pg_sleep(\(Self.keptSecondsMax))
                """)
        } catch {
            // Its connection was closed: that is how it ends.
        }
    }

    private func letGo() async throws {
        _ = try await query(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name = '\(Self.keeper)'
            """)
    }
}
