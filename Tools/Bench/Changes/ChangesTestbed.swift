internal import Foundation
internal import Isolation
internal import Programs
internal import PushLoad

/// PostgreSQL with parties, nodes that share it, and pgbench on a copy.
///
/// Nodes, nginx and pgbench run on core 0. PostgreSQL and wrk run on core 1.
final class ChangesTestbed: Sendable {
    private let copies = Locked(0)
    /// More than nodes make in a second.
    private static let registrationsPerSecondMax = 5_000
    /// In the ids of Live Activities that are removed again.
    private static let newName = "new"

    private let testbed: ServerTestbed
    private let database: PinnedDatabase
    private let trust: NodeTrust
    private let seconds: Int

    /// - Parameters:
    ///   - database: The PostgreSQL.
    ///   - rangers: The server's program.
    ///   - tools: The simulator's program.
    ///   - sources: The folder of wrk's script, pgbench's and nginx's.
    ///   - seconds: The length of each measurement.
    /// - Throws: When a tool is missing, in a sentence with its package.
    init(
        _ database: PinnedDatabase, rangers: String, tools: String, sources: String, seconds: Int
    ) throws {
        try Tool.require([.nginx])
        testbed = try ServerTestbed(rangers: rangers, tools: tools, sources: sources)
        trust = try NodeTrust(in: testbed.folder)
        self.database = database
        self.seconds = seconds
    }

    /// Ends all programs; called when the bench is interrupted.
    func abandon() { testbed.abandon() }

    // MARK: Nodes

    /// Creates parties whose Live Activities are registered and whose guests have left, and keeps a
    /// journal row of a join and of a leave.
    func prepare(_ count: Int) async throws -> [PreparedParty] {
        let nodes = try await serve(1)
        let servers = nodes.map(\.server)
        defer { stop(servers) }
        let parties = try await nodes[0].creation.waiting(count)
        let registrations = PreparedParty.registrations(
            of: parties, from: 0, count: count * PreparedParty.activities)
        _ = try testbed.once(registrations, to: servers)
        try await database.query("CREATE SCHEMA bench")
        for (name, requests) in [
            ("join", parties.map(\.join)), ("leave", parties.map(\.leave)),
        ] {
            _ = try testbed.once(requests, to: servers)
            try await database.query(
                """
                CREATE TABLE bench.journal_of_\(name) AS
                    SELECT at, data, crc FROM journal ORDER BY at DESC LIMIT 1
                """)
        }
        return parties
    }

    /// Measures all changes by so many nodes. Requests go to any node, as through a load balancer
    /// that knows nothing.
    ///
    /// - Parameters:
    ///   - count: The nodes.
    ///   - parties: The parties that are changed.
    ///   - first: The number of the first push token.
    /// - Returns: The samples, and the number behind the last push token.
    /// - Throws: When a node is not ready in time, or refuses a request.
    func nodes(
        _ count: Int, parties: [PreparedParty], from first: Int
    ) async throws -> (samples: [PlayerChange: ChangeSample], next: Int) {
        let servers = try await serve(count).map(\.server)
        defer { stop(servers) }
        // So that all are in memory.
        _ = try testbed.once(parties.map(\.read), to: servers)
        var (samples, next) = ([PlayerChange: ChangeSample](), first)
        for change in PlayerChange.allCases {
            let measured = try await sample(change, parties, from: next, at: servers)
            samples[change] = measured.sample
            next += measured.tokens
        }
        return (samples, next)
    }

    /// Measures one change; returns also how many push tokens it has used.
    private func sample(
        _ change: PlayerChange, _ parties: [PreparedParty], from first: Int,
        at servers: [PinnedServer]
    ) async throws -> (sample: ChangeSample, tokens: Int) {
        let before = try await database.meter.before()
        let run = try run(change, parties, from: first, at: servers)
        let sample = ChangeSample(
            of: run.requests, in: Double(run.requests) / run.rate,
            cpuSeconds: run.cpuMicroseconds * Double(run.requests) / 1e6, from: before,
            to: try await database.meter.after())
        if change == .newActivity { try removeNew(of: parties, from: first, at: servers) }
        // Each server has its own part of the list, and some had no response in time.
        return (sample, parties.count + servers.count * (run.requestsMax + Wrk.many))
    }

    private func removeNew(
        of parties: [PreparedParty], from first: Int, at servers: [PinnedServer]
    ) throws {
        let removals = PreparedParty.removals(
            of: parties, from: first, count: parties.count, named: Self.newName)
        _ = try testbed.once(removals, to: servers)
    }

    private func run(
        _ change: PlayerChange, _ parties: [PreparedParty], from first: Int,
        at servers: [PinnedServer]
    ) throws -> APIRun {
        switch change {
        case .player:
            try testbed.repeated(PreparedParty.newPlayer, to: servers, seconds: seconds)
        case .activity:
            try testbed.begun(
                PreparedParty.registrations(
                    of: parties, from: first, count: seconds * Self.registrationsPerSecondMax),
                to: servers, seconds: seconds)
        case .newActivity:
            try testbed.once(
                PreparedParty.registrations(
                    of: parties, from: first, count: parties.count, named: Self.newName),
                to: servers)
        case .membership:
            APIRun([
                try testbed.once(parties.map(\.join), to: servers),
                try testbed.once(parties.map(\.leave), to: servers),
            ])
        }
    }

    private func serve(_ count: Int) async throws -> [BenchNode] {
        try await testbed.serve(nodes: count, store: database.uri, trust)
    }

    private func stop(_ servers: [PinnedServer]) {
        for server in servers { testbed.stop(server) }
    }

    // MARK: Forwarding

    /// Measures reads of parties by two nodes, of which one takes all requests, and by nginx in its
    /// place.
    func forwarding(of parties: [PreparedParty]) async throws -> ForwardingSample {
        let nodes = try await serve(2)
        defer { stop(nodes.map(\.server)) }
        let ids = Set(
            try await database.server.query(
                """
                SELECT id FROM parties JOIN shard_lease USING (shard) JOIN node USING (epoch)
                    WHERE name = '\(nodes[0].name)'
                """
            ).split(separator: "\n").map(String.init))
        let own = parties.filter { ids.contains($0.id) }.map(\.read)
        let others = parties.filter { !ids.contains($0.id) }.map(\.read)
        guard !own.isEmpty, !others.isEmpty else {
            throw BenchError("one of two nodes has all \(parties.count) parties")
        }
        // So that all are in memory.
        _ = try testbed.once(own + others, to: [nodes[0].server])
        let testbed = try ForwardingTestbed(on: testbed, nodes, trust, seconds: seconds)
        defer { testbed.stop() }
        return try testbed.sample(own: own, others: others)
    }

    // MARK: pgbench

    /// Measures all changes by pgbench, in a copy of the database: our nodes would find its rows
    /// damaged.
    func reference() async throws -> [PlayerChange: ChangeSample] {
        // An older copy stays: its removal would be a checkpoint.
        let copy = copies.withLock { count in
            count += 1
            return "copy_\(count)"
        }
        try await database.query("CREATE DATABASE \(copy) TEMPLATE postgres")
        let address = database.server.uri(of: copy)
        let rows = try String(
            contentsOfFile: testbed.references.script("changes.sql"), encoding: .utf8)
        try await PostgreSQLServer.query(rows, at: address)
        let variables = [
            "activities": try await count("bench.activity", at: address),
            "guests": try await count("bench.guest", at: address),
        ]
        var samples: [PlayerChange: ChangeSample] = [:]
        for change in PlayerChange.allCases {
            let bench = PgBench(
                script: testbed.references.script(change.script), address: address,
                seconds: seconds, variables: variables)
            let before = try await database.meter.before()
            let end = try testbed.run(
                try PostgreSQLServer.program("pgbench"), bench.arguments,
                withinSeconds: seconds + 60)
            let result = try PgBenchResult(output: end.output)
            samples[change] = ChangeSample(
                of: result.runs * change.changesPerRun, in: Double(result.runs) / result.rate,
                cpuSeconds: end.cpuSeconds, from: before, to: try await database.meter.after())
        }
        return samples
    }

    private func count(_ table: String, at address: String) async throws -> Int {
        let text = try await PostgreSQLServer.query("SELECT count(*) FROM \(table)", at: address)
        guard let count = Int(text.filter { !$0.isWhitespace }), count >= PgBench.connections else {
            throw BenchError("\(table) has too few rows for pgbench: \(text)")
        }
        return count
    }
}
