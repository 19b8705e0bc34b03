internal import Foundation
internal import Programs
internal import PushLoad

/// The table of what players change on several nodes over PostgreSQL, beside pgbench with the same
/// rows; and of what it costs that the proxy plays a request again.
struct ClusterChanges: Sendable {
    private static let nodes = [1, 2, 4]

    let parties: Int
    let seconds: Int

    func measure(_ run: BenchRun) async throws {
        let changes = ChangesTestbed(
            testbed: run.testbed, database: try await PinnedDatabase(), seconds: seconds)
        run.say("creating \(parties) parties")
        let parties = try await changes.prepare(self.parties)
        var next = parties.count * PreparedParty.activities
        run.findings.begin("What players change")
        try await run.eachRound { round in
            var samples: [PlayerChange: [Int: ChangeSample]] = [:]
            for count in Self.nodes {
                for (change, sample) in try await changes.nodes(count, parties, from: &next) {
                    samples[change, default: [:]][count] = sample
                }
            }
            let redirected = try await changes.redirected(parties)
            let pgbench = try await changes.reference(copy: "copy_\(round)")
            for change in PlayerChange.allCases {
                guard let nodes = samples[change], let reference = pgbench[change] else { continue }
                change.add(nodes, pgbench: reference, to: &run.findings)
            }
            redirected.add(to: &run.findings)
        }
    }
}

/// PostgreSQL with parties, nodes that share it, and pgbench on a copy.
///
/// Nodes, nginx and pgbench run on core 0. PostgreSQL and wrk run on core 1.
struct ChangesTestbed: Sendable {
    /// More than nodes make in a second.
    private static let registrationsPerSecondMax = 5_000
    /// In the ids of Live Activities that are removed again.
    private static let newName = "new"

    let testbed: BenchTestbed
    let database: PinnedDatabase
    let seconds: Int

    // MARK: Nodes

    /// Creates parties whose Live Activities are registered and whose guests have left, and keeps a
    /// journal row of a join and of a leave.
    func prepare(_ count: Int) async throws -> [PreparedParty] {
        let nodes = try await start(1)
        defer { nodes.stop() }
        let parties = try await nodes.creation.waiting(count)
        let registrations = PreparedParty.registrations(
            of: parties, from: 0, count: count * PreparedParty.activities)
        try testbed.once(registrations, to: nodes.target)
        try await database.query("CREATE SCHEMA bench")
        for (name, requests) in [("join", parties.map(\.join)), ("leave", parties.map(\.leave))] {
            try testbed.once(requests, to: nodes.target)
            try await database.query(
                """
                CREATE TABLE bench.journal_of_\(name) AS
                    SELECT at, data, crc FROM journal ORDER BY at DESC LIMIT 1
                """)
        }
        return parties
    }

    /// Measures all changes by so many nodes, to which nginx gives requests in turn. `next` is the
    /// number of the next push token.
    func nodes(_ count: Int, _ parties: [PreparedParty], from next: inout Int) async throws
        -> [PlayerChange: ChangeSample]
    {
        let nodes = try await start(count)
        defer { nodes.stop() }
        // So that all are in memory.
        try testbed.once(parties.map(\.read), to: nodes.target)
        var samples: [PlayerChange: ChangeSample] = [:]
        for change in PlayerChange.allCases {
            let (sample, requests) = try await sample(
                of: change, parties, from: next, at: nodes.target)
            samples[change] = sample
            // Some had no response in time.
            next += parties.count + requests + nodes.target.connections
        }
        return samples
    }

    private func sample(
        of change: PlayerChange, _ parties: [PreparedParty], from first: Int,
        at target: WrkTarget
    ) async throws -> (ChangeSample, requests: Int) {
        let before = try await database.meter.before()
        let run = try run(change, parties, from: first, at: target)
        let sample = ChangeSample(
            of: run.requests, in: Double(run.requests) / run.rate,
            cpuSeconds: run.cpuMicroseconds * Double(run.requests) / 1e6, from: before,
            to: try await database.meter.after())
        if change == .newActivity {
            try testbed.once(
                PreparedParty.removals(
                    of: parties, from: first, count: parties.count, named: Self.newName),
                to: target)
        }
        return (sample, run.requests)
    }

    private func run(
        _ change: PlayerChange, _ parties: [PreparedParty], from first: Int,
        at target: WrkTarget
    ) throws -> APIRun {
        switch change {
        case .player: try testbed.repeated(PreparedParty.newPlayer, to: target, seconds: seconds)
        case .activity:
            try testbed.begun(
                PreparedParty.registrations(
                    of: parties, from: first, count: seconds * Self.registrationsPerSecondMax),
                to: target, seconds: seconds)
        case .newActivity:
            try testbed.once(
                PreparedParty.registrations(
                    of: parties, from: first, count: parties.count, named: Self.newName),
                to: target)
        case .membership:
            APIRun([
                try testbed.once(parties.map(\.join), to: target),
                try testbed.once(parties.map(\.leave), to: target),
            ])
        }
    }

    private func start(_ count: Int) async throws -> BenchNodes {
        try await BenchNodes.start(count, over: database.uri, in: testbed)
    }

    /// Measures reads of parties by two nodes, of which nginx gives one all requests first.
    func redirected(_ parties: [PreparedParty]) async throws -> RedirectedReads {
        let nodes = try await BenchNodes.start(2, over: database.uri, in: testbed) { nodes in
            let ports = nodes.map { "server 127.0.0.1:\($0.place.port);" }.sorted()
            return [
                (
                    "upstream rangers { \(ports.joined(separator: " "))",
                    "upstream rangers { server 127.0.0.1:\(nodes[0].place.port);"
                )
            ]
        }
        defer { nodes.stop() }
        let ids = Set(
            try await database.query(
                """
                SELECT id FROM parties JOIN shard_lease USING (shard) JOIN node USING (epoch)
                    WHERE name = '\(nodes.nodes[0].place.name)'
                """
            ).split(separator: "\n").map(String.init))
        let own = parties.filter { ids.contains($0.id) }.map(\.read)
        let others = parties.filter { !ids.contains($0.id) }.map(\.read)
        guard !own.isEmpty, !others.isEmpty else {
            throw BenchError("one of two nodes has all \(parties.count) parties")
        }
        // So that all are in memory.
        try testbed.once(own + others, to: nodes.target)
        return try RedirectedReads(nodes, own: own, others: others, seconds: seconds, testbed)
    }

    // MARK: pgbench

    /// Measures all changes by pgbench, in a copy of the database: our nodes would find its rows
    /// damaged. The copy stays: its removal would be a checkpoint.
    func reference(copy: String) async throws -> [PlayerChange: ChangeSample] {
        try await database.query("CREATE DATABASE \(copy) TEMPLATE postgres")
        let address = database.server.uri(of: copy)
        let rows = try String(contentsOfFile: testbed.reference("changes.sql"), encoding: .utf8)
        try await PostgreSQLServer.query(rows, at: address)
        let variables = [
            "activities": try await count("bench.activity", at: address),
            "guests": try await count("bench.guest", at: address),
        ]
        var samples: [PlayerChange: ChangeSample] = [:]
        for change in PlayerChange.allCases {
            let bench = PgBench(
                script: testbed.reference(change.script), address: address, seconds: seconds,
                variables: variables)
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
