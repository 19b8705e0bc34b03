internal import Foundation
internal import PartyStore
internal import Playtest
internal import PushLoad
internal import PushPolicy

/// The table of a takeover: how long nodes take to start with many parties, to take over those of
/// one that is killed, and to give it its share when it is back.
struct ClusterTakeover: Sendable {
    private static let nodes = 3
    /// Between the moment when the nodes keep up and the kill: pushes have arrived by then.
    private static let calm = Duration.seconds(5)
    /// How long an adventure takes to its first step: behind it, some parties are due at any moment.
    private static let firstStepMilliseconds: Int64 = 60_000
    private static let secondsMax = 120.0

    let parties: Int

    func measure(_ run: BenchRun) async throws {
        let (testbed, database) = (run.testbed, try await PinnedDatabase(on: .any))
        let simulator = try testbed.simulateAPNs()
        defer { testbed.stop(simulator) }
        @Sendable func start(_ place: BenchNode.Place) async throws -> BenchNode {
            try await BenchNode.start(
                place, over: database.uri, apns: simulator.port, on: .any, in: testbed)
        }
        try await database.empty()
        let alone = try await start(try BenchNode.Place.some(1)[0])
        try await Task.sleep(for: Self.calm)
        let bytesBefore = alone.server.residentBytes
        testbed.stop(alone.server)
        run.findings.begin("Taking over")
        try await run.eachRound { _ in
            try await seed(database)
            var round = TakeoverRound(parties: parties, bytesBefore: bytesBefore)
            try await play(&round, database, testbed, start)
            round.add(to: &run.findings)
        }
    }

    /// Writes the parties to an empty database, which no node has afterwards.
    private func seed(_ database: PinnedDatabase) async throws {
        try await database.empty()
        let parties = HeartParties(
            count: parties, now: Self.now.adding(milliseconds: -Self.firstStepMilliseconds),
            past: .unknown)
        let place = try await HeartStore.make(database.uri) { store, epoch in
            try await parties.write(to: store, epoch: epoch)
        }
        await place.store.close()
        try await database.query("ANALYZE")
        try await database.query("CHECKPOINT")
    }

    /// The wall clock, which the nodes and the database share.
    private static var now: WallTime {
        WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }

    /// Starts all nodes at once. Kills the last one when they keep up, and starts it again, so that
    /// it gets its share of what the others have.
    private func play(
        _ round: inout TakeoverRound, _ database: PinnedDatabase, _ testbed: BenchTestbed,
        _ start: @escaping @Sendable (BenchNode.Place) async throws -> BenchNode
    ) async throws {
        let places = try BenchNode.Place.some(Self.nodes)
        var (began, beganAt) = (ContinuousClock.now, Self.now)
        var nodes = try await withThrowingTaskGroup(of: BenchNode.self) { group in
            for place in places { group.addTask { try await start(place) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        defer { for node in nodes { testbed.stop(node.server) } }
        round.readySeconds = Self.seconds(since: began)
        round.startSeconds = try await Self.untilKeepingUp(nodes, parties, since: began)
            .keepsUpSeconds
        round.firstTickSeconds = try await database.firstTick(since: beganAt, of: "journal")
        try await Task.sleep(for: Self.calm)
        round.bytes = nodes.map(\.server.residentBytes)
        let last = nodes.removeLast()
        round.lostParties = try await database.note(lost: last.place.name)
        round.readSeconds = try await database.secondsToReadLost()
        let inMemory = try await TakeoverLook(nodes + [last]).parties
        (began, beganAt) = (.now, Self.now)
        testbed.kill(last.server.process)
        round.takeover = try await Self.untilKeepingUp(nodes, inMemory, since: began)
        round.firstLostTickSeconds = try await database.firstTick(
            since: beganAt, of: "journal JOIN parties ON key = party JOIN bench.lost USING (shard)")
        try await Task.sleep(for: Self.calm)
        let left = try await TakeoverLook(nodes).parties
        nodes.append(try await start(last.place))
        round.giftSeconds = try await Self.untilKeepingUp(nodes, left, since: .now).keepsUpSeconds
    }

    private static func seconds(since began: ContinuousClock.Instant) -> Double {
        began.duration(to: .now) / .seconds(1)
    }

    /// Waits until the nodes have all shards and so many parties, none of them late. Returns when
    /// that was.
    private static func untilKeepingUp(
        _ nodes: [BenchNode], _ parties: Int, since began: ContinuousClock.Instant
    ) async throws -> TakeoverTimes {
        var times = TakeoverTimes()
        while true {
            let look = try await TakeoverLook(nodes)
            let seconds = seconds(since: began)
            guard seconds < secondsMax else {
                throw BenchError("after \(Int(seconds)) s, of \(parties) parties: \(look)")
            }
            if times.note(look, parties: parties, at: seconds) { return times }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}

extension PinnedDatabase {
    /// Looks before a change is missing: a minute.
    private static let looksMax = 120

    /// Notes which shards the node has that will be killed. Returns how many parties it has.
    fileprivate func note(lost name: String) async throws -> Int {
        try await query(
            """
            CREATE TABLE bench.lost AS
                SELECT shard FROM shard_lease JOIN node USING (epoch) WHERE name = '\(name)'
            """)
        return Int(
            try await number(
                "SELECT count(*) FROM parties JOIN bench.lost USING (shard) WHERE awake = 1"))
    }

    /// Returns how long psql takes to read the rows that a takeover reads.
    fileprivate func secondsToReadLost() async throws -> Double {
        let began = ContinuousClock.now
        for columns in ["parties.*", "activities.*"] {
            let join = columns == "parties.*" ? "" : "JOIN activities ON party = key"
            try await query(
                "\\copy (SELECT \(columns) FROM parties JOIN bench.lost USING (shard) \(join) "
                    + "WHERE awake = 1) TO '/dev/null' (FORMAT binary)")
        }
        return began.duration(to: .now) / .seconds(1)
    }

    /// Waits for the first of these rows of the journal; returns how many seconds after that time
    /// it is.
    fileprivate func firstTick(since began: WallTime, of rows: String) async throws -> Double {
        for _ in 0..<Self.looksMax {
            let first = try await number(
                "SELECT coalesce(min(at), 0) FROM \(rows) WHERE at >= \(began.milliseconds)")
            if first > 0 { return (first - Double(began.milliseconds)) / 1000 }
            try await Task.sleep(for: .milliseconds(500))
        }
        throw BenchError("no party has changed within a minute")
    }
}
