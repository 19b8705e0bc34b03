internal import Isolation
internal import Playtest
internal import PushLoad

/// `Scripts/bench console`: what open event streams cost the real server, and whether consoles delay
/// pushes: beside the same parties without streams, and under the same CPU load without them.
package actor ConsoleBench: RunnableBench {
    /// The durations and sizes.
    package struct Settings: Hashable, Sendable {
        package var rounds = 3
        /// The limit of each measurement.
        package var seconds = 20
        /// The parties, with four Live Activities each.
        package var parties = 1_000
        package var consoles = 64
        package var players = 1_000
        /// How often parties change, all together, a second.
        package var changes = 1_000
        package var references = References.folderDefault

        package init() {}
    }

    private enum Shape {
        /// The speed of the run that finds the others'.
        static let firstSpeed = 10.0
        static let gameSecondsBefore = 30.0
        /// The limit of a measurement in game seconds, because adventures end.
        static let gameSecondsMax = 600.0
        static let streamsOfKey = 4
        /// Polls, 50 ms apart, until all streams must be open.
        static let pollsMax = 400
    }

    private enum Streams {
        case none, consoles, players
    }

    private let executor = QueueExecutor(label: "bench")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private let settings: Settings
    private let testbed: ServerTestbed
    private let say: @Sendable (String) -> Void
    private var runs = 0

    /// Throws when a tool is missing, in a sentence with its package.
    package init(
        _ settings: Settings, rangers: String, tools: String,
        say: @escaping @Sendable (String) -> Void
    ) throws {
        self.settings = settings
        self.say = say
        testbed = try ServerTestbed(
            rangers: rangers, tools: tools, sources: settings.references)
    }

    /// Ends the servers and clients of an interrupted bench.
    package nonisolated func abandon() { testbed.abandon() }

    /// Runs all measurements; blocks its own executor for minutes.
    package func run() async throws -> BenchReport {
        var findings = ConsoleFindings(machine: .own)
        let first = try await play(.none, speed: Shape.firstSpeed)
        guard first.live.ticksPerSecond > 0 else {
            throw BenchError("nothing happened in \(settings.seconds) s: increase --seconds")
        }
        let speed = Shape.firstSpeed * Double(settings.changes) / first.live.ticksPerSecond
        for _ in 1...settings.rounds {
            let alone = try await play(.none, speed: speed)
            let consoles = try await play(.consoles, speed: speed)
            let more = consoles.live.busy / max(alone.live.busy, 0.01)
            let loaded = try await play(.none, speed: speed * max(1, more))
            let players = try await play(.players, speed: speed)
            findings.add(
                ConsoleSample(alone: alone, consoles: consoles, loaded: loaded, players: players))
        }
        return findings.report(settings)
    }

    /// Plays new parties on a new file, whose adventures have just begun.
    private func play(_ streams: Streams, speed: Double) async throws -> ConsoleRun {
        runs += 1
        let simulator = try testbed.simulateAPNs()
        defer { testbed.stop(simulator) }
        let (server, creation) = try await testbed.serve(
            speed: speed, file: "console-\(runs).db", apns: simulator)
        defer { testbed.stop(server) }
        let parties = try await creation.waiting(settings.parties)
        let registrations = PreparedParty.registrations(
            of: parties, from: 0, count: parties.count * PreparedParty.activities)
        _ = try testbed.once(registrations, to: [server])
        let list = try await list(streams, of: parties, creation)
        let reader = list.isEmpty ? nil : try testbed.read(list, of: server)
        defer { if let reader { testbed.stop(reader) } }
        try await untilOpen(list.count, reader)
        _ = try testbed.once(parties.map(\.start), to: [server])
        try await Task.sleep(for: .seconds(Shape.gameSecondsBefore / speed))
        let before = reader.flatMap { StreamReading.Total(lastLineOf: $0.output) }
        let (metrics, cpu, began) = (try await creation.metrics(), server.cpuSeconds, Usage.now)
        let seconds = min(Double(settings.seconds), Shape.gameSecondsMax / speed)
        try await Task.sleep(for: .seconds(seconds))
        let live = LiveRun(
            try await creation.metrics().since(metrics), seconds: Usage.now - began,
            cpuSeconds: server.cpuSeconds - cpu)
        let after = reader.flatMap { StreamReading.Total(lastLineOf: $0.output) }
        var run = ConsoleRun(live: live, residentKilobytes: server.residentKilobytes)
        run.messagesPerSecond =
            Double((after?.messages ?? 0) - (before?.messages ?? 0)) / seconds
        say(
            "\(streams), speed \(FigureText.number(speed)): \(live), "
                + "\(FigureText.number(run.residentKilobytes)) KiB, "
                + "\(FigureText.number(run.messagesPerSecond)) messages/s")
        return run
    }

    /// The streams to open: their paths and tokens.
    private func list(
        _ streams: Streams, of parties: [PreparedParty], _ creation: PartyCreation
    ) async throws -> [String] {
        switch streams {
        case .none: return []
        case .players:
            let seats = parties.flatMap { party in
                party.members.map { "\(party.path)/stream\t\($0.token)" }
            }
            // The first members of all parties come first.
            let stride = PreparedParty.activities
            return (0..<settings.players).map { number in
                let index = number % parties.count * stride + number / parties.count % stride
                return seats[index]
            }
        case .consoles:
            let count = (settings.consoles + Shape.streamsOfKey - 1) / Shape.streamsOfKey
            let keys = try await creation.keys(count)
            return (0..<settings.consoles).map { number in
                let party = parties[number % parties.count].id
                let path = "/v1/admin/stream?watch=wall&watch=pushes&watch=\(party)"
                return "\(path)\t\(keys[number / Shape.streamsOfKey])"
            }
        }
    }

    private func untilOpen(_ count: Int, _ reader: PinnedProcess?) async throws {
        guard let reader else { return }
        for _ in 0..<Shape.pollsMax {
            if StreamReading.Total(lastLineOf: reader.output)?.open == count { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw BenchError("not all of \(count) streams were open within 20 seconds")
    }
}
