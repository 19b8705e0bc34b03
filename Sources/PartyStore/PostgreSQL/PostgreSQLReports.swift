// What nodes tell each other's consoles. Both tables are empty while nobody watches.
extension PostgreSQLSession {
    /// ?1 node, ?2 parts, ?3 walls, ?4 how long it lasts.
    private static let putWatch: StaticString = """
        INSERT INTO node_watch (node, parts, walls, until)
        SELECT ?1, ?2, ?3, (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ?4
        ON CONFLICT (node) DO UPDATE SET parts = excluded.parts, walls = excluded.walls,
            until = excluded.until
        """
    /// ?1 node.
    private static let watches: StaticString = """
        SELECT node, parts, walls FROM node_watch
        WHERE node <> ?1 AND until > (extract(epoch FROM clock_timestamp()) * 1000)::bigint
        ORDER BY node
        """
    /// ?1 node, ?2 the nodes of which something is known, ?3 up to which number.
    private static let reports: StaticString = """
        SELECT node, number, body FROM node_report
        WHERE node <> ?1 AND NOT EXISTS (
            SELECT 1 FROM unnest(?2::bigint[], ?3::bigint[]) AS known (node, number)
            WHERE known.node = node_report.node AND known.number >= node_report.number)
        ORDER BY node, number
        """

    /// Writes what the node looks at of the others, in place of what it has looked at; `nil`: nothing.
    func write(_ watch: NodeWatch?, of node: Int64) throws(SQLFailure) {
        guard let watch else {
            try run("DELETE FROM node_watch WHERE node = ?1", [.integer(node)])
            return
        }
        try run(
            Self.putWatch,
            [
                .integer(node), .integer(watch.parts.rawValue), .integer(watch.walls),
                .integer(NodeWatch.lastingMilliseconds),
            ])
    }

    /// Writes the node's newest report, and deletes old ones.
    func write(_ reporting: NodeReporting, of node: Int64) throws(SQLFailure) {
        switch reporting {
        case .goesOn: return
        case .ends: try deleteReports(of: node, upTo: .max)
        case .writes(let report):
            try deleteReports(of: node, upTo: report.number - NodeReport.keptMax)
            try run(
                "INSERT INTO node_report (node, number, body) VALUES (?1, ?2, ?3)",
                [.integer(node), .integer(report.number), .blob(report.body)])
        }
    }

    private func deleteReports(of node: Int64, upTo number: Int64) throws(SQLFailure) {
        try run(
            "DELETE FROM node_report WHERE node = ?1 AND number <= ?2",
            [.integer(node), .integer(number)])
    }

    func watches(besides node: Int64) throws(SQLFailure) -> [NodeWatch] {
        try rows(Self.watches, [.integer(node)]) { row in
            NodeWatch(
                node: row.integer(0), parts: NodeWatch.Parts(rawValue: row.integer(1)),
                walls: row.integer(2))
        }
    }

    func reports(
        after known: [Int64: Int64], besides node: Int64
    ) throws(SQLFailure) -> [NodeReport] {
        var parameters = PostgreSQLParameters([.integer(node)])
        parameters.append(array: Array(known.keys))
        parameters.append(array: Array(known.values))
        return try link.run(text(of: Self.reports), parameters).rows.map { row in
            NodeReport(node: row.integer(0), number: row.integer(1), body: row.bytes(2))
        }
    }
}

extension PostgreSQLStore {
    package func write(
        _ reporting: NodeReporting, watching watch: NodeWatch?, epoch: Epoch
    ) async throws(StoreError) {
        _ = try await asOwner(epoch, .none) { session in
            guard let session = session as? PostgreSQLSession else { return 0 }
            try session.write(watch, of: epoch.number)
            try session.write(reporting, of: epoch.number)
            return 1
        }
    }

    package func reports(
        after known: [Int64: Int64]?, epoch: Epoch
    ) async throws(StoreError) -> NodeReports {
        try await read { session in
            guard let session = session as? PostgreSQLSession else {
                return NodeReports(reports: [], watches: [])
            }
            return NodeReports(
                reports: try known.map {
                    try session.reports(after: $0, besides: epoch.number)
                } ?? [],
                watches: try session.watches(besides: epoch.number))
        }
    }
}
