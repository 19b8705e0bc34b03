internal import APNsSimulator
internal import Foundation
internal import PartyStore
internal import Playtest
internal import Programs
internal import PushLoad
internal import PushPolicy

/// PostgreSQL with many parties, the simulator, and nodes.
final class TakeoverTestbed: Sendable {
    /// Memory as for a server of its own.
    private static let lines = ["shared_buffers = 512MB", "max_wal_size = 32GB"]

    /// How long an adventure takes to its first step: behind it, some parties are due at any moment.
    private static let firstStepMilliseconds: Int64 = 60_000
    /// Looks before a change is missing: a minute.
    private static let looksMax = 120
    private static let lookInterval = Duration.milliseconds(500)

    private let rangers: String
    private let folder: TestbedFolder
    private let server: PostgreSQLServer
    private let processes = PinnedProcesses()
    private let arguments: [String]

    init(rangers: String, tools: String) throws {
        try Tool.require([.taskset])
        self.rangers = rangers
        folder = try TestbedFolder(nil)
        var settings = PostgreSQLServer.Settings()
        settings.durability = .fsync
        settings.lines = Self.lines
        server = try PostgreSQLServer(settings)
        var simulator = BenchServer.Settings(folder: folder.simulator)
        simulator.kind = .simulator
        let apns = try processes.serve(
            "the simulator", tools, simulator.arguments, on: .client,
            outputFile: folder.path + "/simulator")
        let credentials = try SimulatorCredentials(
            directory: folder.simulator, now: Int64(Date().timeIntervalSince1970))
        _ = try folder.adminKey()
        arguments = [
            "--store", server.uri, "--admin-key-file", folder.adminKeyFile,
            "--apns-host", "127.0.0.1", "--apns-port", "\(apns.port)",
            "--apns-ca", credentials.caFile, "--apns-key", credentials.providerKeyFile,
            "--apns-key-id", credentials.keyID, "--apns-team-id", credentials.teamID,
            "--bundle-id", SamplePush.bundleID,
        ]
    }

    deinit { folder.removeIfTemporary() }

    /// Ends the simulator.
    func abandon() { processes.abandon() }

    /// The wall clock, which the nodes and the database share.
    var now: WallTime {
        WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }

    func nodes(_ count: Int) throws -> TakeoverNodes {
        try TakeoverNodes(count, executable: rangers, folder: folder, arguments: arguments)
    }

    // MARK: The database

    /// Runs a node on an empty database. Returns its memory.
    func bytesOfEmptyNode() async throws -> Double {
        try await empty()
        let nodes = try nodes(1)
        do {
            try await nodes.start()
            try await Task.sleep(for: TakeoverBench.Shape.calm)
        } catch {
            await nodes.stop()
            throw error
        }
        let bytes = nodes.residentBytes.first ?? 0
        await nodes.stop()
        return bytes
    }

    /// Writes the parties to an empty database, which no node has afterwards.
    func seed(_ parties: Int) async throws {
        try await empty()
        let parties = HeartParties(
            count: parties, now: now.adding(milliseconds: -Self.firstStepMilliseconds),
            past: .unknown)
        let place = try await HeartStore.make(server.uri) { store, epoch in
            try await parties.write(to: store, epoch: epoch)
        }
        await place.store.close()
        try await server.query("ANALYZE")
        try await server.query("CHECKPOINT")
    }

    private func empty() async throws {
        try await server.query(
            """
            DROP SCHEMA public CASCADE; CREATE SCHEMA public;
            DROP SCHEMA IF EXISTS bench CASCADE; CREATE SCHEMA bench
            """)
    }

    /// Notes which shards the node has that will be killed. Returns how many parties it has.
    func note(lost name: String) async throws -> Int {
        try await server.query(
            """
            CREATE TABLE bench.lost AS
                SELECT shard FROM shard_lease JOIN node USING (epoch) WHERE name = '\(name)'
            """)
        return Int(
            try await number(
                "SELECT count(*) FROM parties JOIN bench.lost USING (shard) WHERE awake = 1"))
    }

    /// Returns how long psql takes to read the rows that a takeover reads.
    func secondsToReadLost() async throws -> Double {
        let began = ContinuousClock.now
        for columns in ["parties.*", "activities.*"] {
            let join = columns == "parties.*" ? "" : "JOIN activities ON party = key"
            try await server.query(
                "\\copy (SELECT \(columns) FROM parties JOIN bench.lost USING (shard) \(join) "
                    + "WHERE awake = 1) TO '/dev/null' (FORMAT binary)")
        }
        return began.duration(to: .now) / .seconds(1)
    }

    /// Returns after how many seconds the first party has changed.
    func firstTick(since began: WallTime) async throws -> Double {
        try await first("FROM journal", since: began)
    }

    /// Returns after how many seconds the first party of the lost shards has changed.
    func firstLostTick(since began: WallTime) async throws -> Double {
        try await first(
            "FROM journal JOIN parties ON key = party JOIN bench.lost USING (shard)", since: began)
    }

    /// Waits until there is one.
    private func first(_ rows: String, since began: WallTime) async throws -> Double {
        for _ in 0..<Self.looksMax {
            let first = try await number(
                "SELECT coalesce(min(at), 0) \(rows) WHERE at >= \(began.milliseconds)")
            if first > 0 { return (first - Double(began.milliseconds)) / 1000 }
            try await Task.sleep(for: Self.lookInterval)
        }
        throw BenchError("no party has changed within a minute")
    }

    private func number(_ query: String) async throws -> Double {
        let text = try await value(query)
        guard let number = Double(text) else {
            throw BenchError("PostgreSQL printed '\(text)' instead of a number: \(query)")
        }
        return number
    }

    private func value(_ query: String) async throws -> String {
        try await server.query(query).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
