internal import Foundation
package import OptionParsing
internal import Programs
internal import PushLoad

/// `Scripts/bench api`: the server's HTTP speed compared with Go's net/http and libmicrohttpd in C,
/// on one core each.
package struct APIBench: RunnableBench {
    package static let about = BenchAbout(
        name: "api", summary: "The server's HTTP API beside Go's net/http and libmicrohttpd in C",
        setting: "servers on core 0, wrk on core 1 with \(Wrk.many) connections",
        rounds: .rounds(5, quick: 2), amounts: [secondsAmount, partiesAmount, scorersAmount],
        tools: [.taskset, .wrk, .go, .gcc])

    private static let secondsAmount = Amount(
        "seconds", "Seconds of each figure in a round", 3, quick: 1, in: 1...600)
    private static let partiesAmount = Amount(
        "parties", "Parties that are read once each in a round", 4_000, quick: 200,
        in: 100...100_000)
    private static let scorersAmount = Amount(
        "scorers", "Parties with scores on the boards", 500, quick: 20, in: 1...100_000)

    /// The speed at which an adventure takes about a second.
    private static let fastest = 10_000.0
    /// More than any server processes during a measurement.
    private static let registrationsMax = 100_000
    /// How often all parties change and are read again: one pass takes an eighth of a second.
    private static let freshPasses = 6
    /// The parties read before they are in memory.
    private static let coldParties = 500

    /// Reads of what all players share.
    private static let sharedReads = [
        ("board", "/v1/leaderboards/world", "the board of all heroes"),
        ("world", "/v1/world", "the world boss"),
        ("adventures", "/v1/adventures", "the list of adventures"),
    ]

    let seconds: Int
    let parties: Int
    let scorers: Int

    package init(_ values: OptionValues) throws(OptionsError) {
        seconds = try Self.secondsAmount.value(values)
        parties = try Self.partiesAmount.value(values)
        scorers = try Self.scorersAmount.value(values)
    }

    package func measure(_ run: BenchRun) async throws {
        let references = try await HTTPReferences(run.testbed)
        let parties = try await prepare(run)
        var registered = 0
        try await run.eachRound { _ in
            let game = try await GameServer.start(.init(run.testbed), in: run.testbed)
            defer { run.testbed.stop(game.server) }
            try await measureReads(parties, game, references, run)
            registered += try measureChanges(parties, game, from: registered, run)
            try await measureSharedReads(parties.scorer, game, references, run)
        }
    }

    /// The measured parties.
    private struct Parties {
        let played: PreparedParty
        /// One whose heroes are on the boards.
        let scorer: PreparedParty
        let ended: [PreparedParty]
        /// Those for which Live Activities are registered.
        let waiting: [PreparedParty]
    }

    private func prepare(_ run: BenchRun) async throws -> Parties {
        var settings = GameServer.Settings(run.testbed)
        settings.speed = Self.fastest
        run.say("creating \(scorers + parties * 3 / 2) parties")
        let fast = try await GameServer.start(settings, in: run.testbed)
        let played = try await fast.creation.played()
        let scored = try await fast.creation.scored(scorers)
        try await fast.creation.beginWorldEvent()
        run.testbed.stop(fast.server)
        let game = try await GameServer.start(.init(run.testbed), in: run.testbed)
        defer { run.testbed.stop(game.server) }
        return Parties(
            played: played, scorer: scored[0], ended: try await game.creation.ended(parties),
            waiting: try await game.creation.waiting(parties / 2))
    }

    // MARK: Reads of parties

    private func measureReads(
        _ parties: Parties, _ game: GameServer, _ references: HTTPReferences, _ run: BenchRun
    ) async throws {
        let (testbed, server) = (run.testbed, game.server)
        // The server has just started, so no party is in memory.
        let cold = try testbed.once(
            parties.ended.prefix(Self.coldParties).map(\.read),
            to: WrkTarget(server, connections: 1))
        let responses = try await game.creation.responses(
            to: ([parties.played] + parties.ended).map { ($0.path, $0.token) })
        let go = try references.serve(\.goProgram, responses)
        let c = try references.serve(\.cProgram, responses)
        defer { testbed.stop(go, c) }
        let turns = try BenchRun.inTurns(
            seconds, { try testbed.repeated(parties.played.read, to: server.target, seconds: 1) },
            { try testbed.repeated(parties.played.read, to: go.target, seconds: 1) },
            { try testbed.repeated(parties.played.read, to: c.target, seconds: 1) }
        ).map { APIRun($0) }
        Self.add(unchanged: turns[0], go: turns[1], c: turns[2], to: &run.findings)
        let fresh = try await measureFresh(parties.ended, game, go, testbed)
        Self.add(fresh: fresh.ours, go: fresh.go, to: &run.findings)
        run.findings.add(
            "get_cold_us", 1e6 / cold.rate,
            "from request to response of a party that is not in memory")
        run.findings.add(
            "get_bytes", Double(responses.firstLength), "the body that is read unchanged")
    }

    static func add(unchanged ours: APIRun, go: APIRun, c: APIRun, to findings: inout Findings) {
        findings.add(
            "get_ratio_to_go", ours.rate / go.rate,
            "`GET` of a party, unchanged: requests/s ÷ Go's", .atLeast(1.2))
        findings.add(
            "get_cpu_ratio", ours.cpuMicroseconds / c.cpuMicroseconds,
            "the same: CPU a request ÷ libmicrohttpd's in C", .atMost(1.8))
        for (name, run, what) in [("", ours, "ours"), ("go_", go, "Go's"), ("c_", c, "C's")] {
            findings.add("\(name)get_per_s", run.rate, "the same, \(what)")
            findings.add("\(name)get_cpu_us", run.cpuMicroseconds, "CPU of a request, \(what)")
        }
    }

    static func add(fresh ours: APIRun, go: APIRun, to findings: inout Findings) {
        findings.add(
            "get_fresh_ratio_to_go", ours.rate / go.rate,
            "`GET` of a party that has not been read since it changed: requests/s ÷ Go's",
            .atLeast(1))
        for (name, run, what) in [("", ours, "ours"), ("go_", go, "Go's")] {
            findings.add("\(name)get_fresh_per_s", run.rate, "the same, \(what)")
            findings.add(
                "\(name)get_fresh_cpu_us", run.cpuMicroseconds, "CPU of a request, \(what)")
        }
    }

    /// Measures the first read of parties after a change, in turns with Go: a registration's
    /// response contains no party. Its push cannot be sent; what became of it is written before the
    /// measurement.
    private func measureFresh(
        _ parties: [PreparedParty], _ game: GameServer, _ go: PinnedServer, _ testbed: BenchTestbed
    ) async throws -> (ours: APIRun, go: APIRun) {
        let reads = parties.map(\.read)
        try testbed.once(reads, to: game.server.target)
        var passes: [[APIRun]] = [[], []]
        for pass in 0..<Self.freshPasses {
            let registrations = PreparedParty.registrations(
                of: parties, from: pass * parties.count, count: parties.count, named: "fresh")
            try testbed.once(registrations, to: game.server.target)
            try await game.creation.untilIdle()
            passes[0].append(try testbed.once(reads, to: game.server.target))
            passes[1].append(try testbed.once(reads, to: go.target))
        }
        return (APIRun(passes[0]), APIRun(passes[1]))
    }

    // MARK: Changes

    /// Measures joins, leaves and registrations; returns how many Live Activities it registered.
    private func measureChanges(
        _ parties: Parties, _ game: GameServer, from registered: Int, _ run: BenchRun
    ) throws -> Int {
        let (testbed, server) = (run.testbed, game.server.target)
        let joins = try testbed.once(parties.ended.map(\.join), to: server)
        let leaves = try testbed.once(parties.ended.map(\.leave), to: server)
        let registrations = PreparedParty.registrations(
            of: parties.waiting, from: registered, count: Self.registrationsMax)
        let puts = try testbed.begun(registrations, to: server, seconds: seconds)
        let posts = try testbed.repeated(PreparedParty.newPlayer, to: server, seconds: seconds)
        for (key, cpuKey, change, what) in [
            ("put_activity_per_s", "put_activity_cpu_us", puts, "registrations of Live Activities"),
            ("post_player_per_s", "post_player_cpu_us", posts, "registrations of players"),
            ("join_per_s", "join_cpu_us", joins, "joins"),
            ("durable_actions_per_s", "action_cpu_us", leaves, "actions: heroes who leave"),
        ] {
            run.findings.add(key, change.rate, what)
            run.findings.add(cpuKey, change.cpuMicroseconds, "CPU of one")
        }
        return puts.requests
    }

    // MARK: Shared reads

    private func measureSharedReads(
        _ party: PreparedParty, _ game: GameServer, _ references: HTTPReferences, _ run: BenchRun
    ) async throws {
        let testbed = run.testbed
        for (key, path, what) in Self.sharedReads {
            let responses = try await game.creation.responses(to: [(path, party.token)])
            let go = try references.serve(\.goProgram, responses)
            defer { testbed.stop(go) }
            let line = PreparedParty.line("GET", path, as: party.token)
            let turns = try BenchRun.inTurns(
                seconds, { try testbed.repeated(line, to: game.server.target, seconds: 1) },
                { try testbed.repeated(line, to: go.target, seconds: 1) }
            ).map { APIRun($0) }
            run.findings.add(
                "\(key)_ratio_to_go", turns[0].rate / turns[1].rate,
                "`GET` of \(what): requests/s ÷ Go's")
            run.findings.add("\(key)_cpu_us", turns[0].cpuMicroseconds, "CPU of one")
        }
    }
}

/// Go's net/http and libmicrohttpd in C, as replacements for the server.
private struct HTTPReferences: Sendable {
    let testbed: BenchTestbed
    let goProgram: String
    let cProgram: String

    /// Builds both.
    init(_ testbed: BenchTestbed) async throws {
        self.testbed = testbed
        goProgram = try await testbed.buildGo("prepared_responses")
        cProgram = try await testbed.buildC("static_response", libraries: ["microhttpd"])
    }

    /// Starts net/http with these responses, or libmicrohttpd with the first of them.
    func serve(_ program: KeyPath<Self, String>, _ responses: PreparedResponses) throws
        -> PinnedServer
    {
        let (file, port) = (testbed.newFile(), try LoopbackPort.free())
        try Data(responses.bytes).write(to: URL(fileURLWithPath: file))
        return try testbed.serve(self[keyPath: program], ["\(port)", file], port: port)
    }
}
