internal import PushLoad

/// The table of ticks: what one costs over PostgreSQL, in nodes and in the database, beside a SQLite
/// file and beside a C program that writes the same rows.
struct ClusterTicks: Sendable {
    private static let parties = 20_000
    private static let batch = 256
    private static let nodes = [1, 2, 4]

    let ticks: Int

    /// The samples of one round.
    struct Round: Sendable {
        /// A node on a new file.
        var file = HeartSample()
        /// The store alone, with ticks that were made before.
        var store = HeartSample()
        var ours = HeartSample()
        /// The C program on what the node has left.
        var reference = HeartSample()
        /// The same after a checkpoint, each party once: the log then has whole pages too.
        var afterCheckpoint = HeartSample()
        /// All nodes together, by their number: they share the parties and the database, and tick
        /// at the same time.
        var nodes: [Int: HeartSample] = [:]
    }

    func measure(_ run: BenchRun) async throws {
        let reference = try await TickReference.postgreSQL(run.testbed)
        let database = try await PinnedDatabase()
        run.findings.begin("Ticks")
        try await run.eachRound { _ in
            var round = Round()
            round.file = try await run.testbed.withDatabaseFile { file in
                try run.testbed.heart(settings(file))
            }
            round.store = try await node(.write, on: database, run)
            round.ours = try await node(.tick, on: database, run)
            round.reference = try await write(
                reference, ticks: ticks, batch: round.ours.batchSize, on: database)
            try await database.query("CHECKPOINT")
            round.afterCheckpoint = try await write(
                reference, ticks: Self.parties, batch: round.ours.batchSize, on: database)
            for count in Self.nodes {
                round.nodes[count] = try await node(.tick, count, on: database, run)
            }
            round.add(to: &run.findings)
        }
    }

    /// Runs one node that has an empty database for itself, or so many that share it.
    private func node(
        _ mode: HeartRun.Mode, _ count: Int? = nil, on database: PinnedDatabase, _ run: BenchRun
    ) async throws -> HeartSample {
        try await database.empty()
        var settings = settings(database.uri)
        (settings.mode, settings.nodes) = (mode, count)
        if mode == .tick { settings.database = database.postmaster }
        return try run.testbed.heart(settings)
    }

    /// The reference's reading of the parties counts as the database's work too.
    private func write(
        _ reference: TickReference, ticks: Int, batch: Double, on database: PinnedDatabase
    ) async throws -> HeartSample {
        let before = try await database.meter.before()
        var sample = try reference.run(on: database.uri, ticks: ticks, batch: batch)
        sample.note(before, try await database.meter.after())
        return sample
    }

    private func settings(_ data: String) -> HeartRun.Settings {
        var settings = HeartRun.Settings(
            parties: Self.parties, ticks: ticks, batch: Self.batch, mode: .tick, data: data)
        // Sixteen batches at each step of the clock, so that pauses between steps are short.
        settings.due = 16 * Self.batch
        return settings
    }
}

extension ClusterTicks.Round {
    func add(to findings: inout Findings) {
        addRatios(to: &findings)
        addGrowth(to: &findings)
        findings.add("sqlite_ticks_per_s", file.rate, "ticks over SQLite")
        findings.add("ticks_per_s", ours.rate, "ticks over PostgreSQL")
        findings.add("store_rows_per_s", store.rate, "rows of the store alone")
        findings.add("c_ticks_per_s", reference.rate, "rows in C")
        for (key, cpu, what) in [
            ("sqlite", file.cpuMicroseconds, "of a tick over SQLite"),
            ("node", ours.cpuMicroseconds, "of a tick, the node"),
            ("database", ours.databaseMicroseconds, "of a tick, PostgreSQL"),
            ("store", store.cpuMicroseconds, "of a row, the store alone"),
            ("c", reference.cpuMicroseconds, "of a row, the client in C"),
            ("c_database", reference.databaseMicroseconds, "of a row, PostgreSQL with C"),
        ] { findings.add("\(key)_cpu_us", cpu, "CPU \(what)") }
        findings.add("log_bytes", ours.logBytesPerTick, "log of a tick")
        findings.add("c_log_bytes", reference.logBytesPerTick, "the same with C")
        findings.add(
            "page_bytes", pageBytesPerParty, "whole pages that a party adds once after a checkpoint"
        )
        findings.add("pushes_per_tick", ours.pushesPerTick, "pushes that a tick encodes")
        findings.add("payload_bytes", ours.bytesPerPayload, "a push's payload")
        findings.add("batch", ours.batchSize, "ticks that shared a commit")
        for (count, sample) in nodes.sorted(by: { $0.key < $1.key }) {
            let what = "nodes: \(count)"
            findings.add(
                "node_cpu_us_\(count)", sample.cpuMicroseconds, "CPU of a tick, all nodes, \(what)")
            findings.add(
                "database_cpu_us_\(count)", sample.databaseMicroseconds,
                "CPU of a tick, PostgreSQL, \(what)")
            findings.add("log_bytes_\(count)", sample.logBytesPerTick, "log, \(what)")
            findings.add("batch_\(count)", sample.batchSize, "ticks a commit, \(what)")
        }
    }

    private func addRatios(to findings: inout Findings) {
        findings.add(
            "wall_ratio", ours.rate / reference.rate, "ticks/s over PostgreSQL ÷ in C",
            .atLeast(0.18))
        findings.add(
            "store_ratio", store.rate / reference.rate,
            "rows/s of the store alone, without game and pushes ÷ in C", .atLeast(0.5))
        findings.add(
            "database_ratio", Self.ratio(ours, reference, \.databaseMicroseconds),
            "the database's CPU of a tick ÷ with C")
        findings.add("ticks_to_sqlite", ours.rate / file.rate, "ticks/s ÷ over SQLite")
        findings.add(
            "node_cpu_to_sqlite", ours.cpuMicroseconds / file.cpuMicroseconds,
            "the node's CPU of a tick ÷ over SQLite")
    }

    /// From one node to the most.
    private func addGrowth(to findings: inout Findings) {
        guard let one = nodes[1], let most = nodes.max(by: { $0.key < $1.key }) else { return }
        let nodes = "\(most.key) nodes ÷ one"
        findings.add(
            "node_growth", most.value.cpuMicroseconds / one.cpuMicroseconds,
            "CPU of a tick, the nodes', \(nodes)", .atMost(1.1))
        findings.add(
            "database_growth", Self.ratio(most.value, one, \.databaseMicroseconds),
            "CPU of a tick, PostgreSQL's, \(nodes)", .atMost(1.1))
        findings.add(
            "log_growth", Self.ratio(most.value, one, \.logBytesPerTick), "log of a tick, \(nodes)",
            .atMost(1.1))
    }

    /// The bytes of whole pages that a party adds to the log once after each checkpoint.
    private var pageBytesPerParty: Double? {
        guard let fresh = afterCheckpoint.logBytesPerTick, let plain = reference.logBytesPerTick
        else { return nil }
        return max(0, fresh - plain)
    }

    /// `nil` unless both are known.
    private static func ratio(
        _ left: HeartSample, _ right: HeartSample, _ value: (HeartSample) -> Double?
    ) -> Double? {
        guard let left = value(left), let right = value(right) else { return nil }
        return left / right
    }
}
