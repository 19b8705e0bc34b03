internal import Isolation
internal import PushLoad

/// `Scripts/bench api`: the server's HTTP speed compared with Go's net/http and libmicrohttpd in C,
/// on one core each.
package actor APIBench {
    /// The durations and repetitions.
    package struct Settings: Hashable, Sendable {
        package var rounds = 5
        /// The length of each measurement in a round.
        package var seconds = 3
        /// The parties that are read once each in a round.
        package var parties = 4_000
        /// The folder of the references' sources.
        package var references = References.folderDefault

        package init() {}
    }

    private enum Speed {
        /// The speed at which an adventure takes about a second.
        static let fastest = 10_000.0
        static let usual = 1.0
    }

    /// More than any server processes during a measurement.
    private static let registrationsMax = 100_000
    /// How often all parties change and are read again: one pass takes a quarter of a second.
    private static let freshPasses = 4
    /// The parties read before they are in memory.
    private static let coldParties = 500

    private let executor = QueueExecutor(label: "bench")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private let settings: Settings
    private let stage: ServerStage
    private let references: APIReferences
    private let say: @Sendable (String) -> Void

    /// Builds the references.
    ///
    /// - Parameters:
    ///   - settings: The durations and repetitions.
    ///   - rangers: The server's program, which is measured.
    ///   - tools: The simulator's program.
    ///   - say: Receives progress messages.
    /// - Throws: When a tool is missing, in a sentence with its package.
    package init(
        _ settings: Settings, rangers: String, tools: String,
        say: @escaping @Sendable (String) -> Void
    ) async throws {
        self.settings = settings
        self.say = say
        try Tool.require([.wrk, .go, .gcc, .taskset])
        stage = try ServerStage(
            rangers: rangers, tools: tools, sources: settings.references)
        references = try await APIReferences(on: stage)
    }

    /// Ends the servers and clients of an interrupted bench.
    package nonisolated func abandon() { stage.abandon() }

    /// Runs all measurements; blocks its own executor for minutes.
    package func run() async throws -> BenchReport {
        let cast = try await cast()
        var findings = APIFindings(machine: .own)
        for round in 1...settings.rounds {
            let sample = try await sample(cast, registered: findings.registered)
            findings.add(sample)
            say("round \(round): \(sample)")
        }
        return findings.report(settings)
    }

    /// The measured parties.
    private struct Cast {
        let told: PreparedParty
        let ended: [PreparedParty]
        /// The parties for which Live Activities are registered.
        let waiting: [PreparedParty]
    }

    private func cast() async throws -> Cast {
        let (fast, teller) = try await stage.serve(speed: Speed.fastest)
        let told = try await teller.told()
        stage.stop(fast)
        let (server, gathering) = try await stage.serve(speed: Speed.usual)
        defer { stage.stop(server) }
        say("gathering \(settings.parties * 3 / 2) parties")
        return Cast(
            told: told, ended: try await gathering.ended(settings.parties),
            waiting: try await gathering.waiting(settings.parties / 2))
    }

    /// Measures one round: ours, then Go, then C, each alone.
    private func sample(_ cast: Cast, registered: Int) async throws -> APISample {
        let (ours, responses) = try await ours(cast, registered: registered)
        let (goGet, goFresh) = try await byGo(cast, responses)
        let cGet = try await byC(cast, responses)
        return APISample(
            ours: ours, goGet: goGet, goFresh: goFresh, cGet: cGet, bytes: responses.firstLength)
    }

    private func byGo(
        _ cast: Cast, _ responses: PreparedResponses
    ) async throws -> (get: APIRun, fresh: APIRun) {
        let go = try await references.serveByGo(responses)
        defer { stage.stop(go) }
        return (
            try stage.repeated(cast.told.read, to: go, seconds: settings.seconds),
            APIRun(
                try (0..<Self.freshPasses).map { _ in
                    try stage.once(cast.ended.map(\.read), to: go)
                })
        )
    }

    private func byC(_ cast: Cast, _ responses: PreparedResponses) async throws -> APIRun {
        let c = try await references.serveByC(responses)
        defer { stage.stop(c) }
        return try stage.repeated(cast.told.read, to: c, seconds: settings.seconds)
    }

    /// Measures the first read of parties after a change: a registration's response contains no
    /// party. The log is copied before the measurement.
    private func fresh(
        _ parties: [PreparedParty], at server: ServerStage.Server
    ) async throws -> APIRun {
        let reads = parties.map(\.read)
        _ = try stage.once(reads, to: server)
        var passes: [APIRun] = []
        for pass in 0..<Self.freshPasses {
            let registrations = PreparedParty.registrations(
                of: parties, from: pass * parties.count, count: parties.count, named: "fresh")
            _ = try stage.once(registrations, to: server)
            try await Task.sleep(for: .seconds(1))
            passes.append(try stage.once(reads, to: server))
        }
        return APIRun(passes)
    }

    /// Measures our server, and returns its responses at that time.
    private func ours(
        _ cast: Cast, registered: Int
    ) async throws -> (APISample.Ours, PreparedResponses) {
        let (server, gathering) = try await stage.serve(speed: Speed.usual)
        defer { stage.stop(server) }
        let seconds = settings.seconds
        // It has just started, so no party is in memory.
        let cold = try stage.once(
            cast.ended.prefix(Self.coldParties).map(\.read), to: server, connections: 1)
        let get = try stage.repeated(cast.told.read, to: server, seconds: seconds)
        let joins = try stage.once(cast.ended.map(\.join), to: server)
        let leaves = try stage.once(cast.ended.map(\.leave), to: server)
        let fresh = try await fresh(cast.ended, at: server)
        let registrations = PreparedParty.registrations(
            of: cast.waiting, from: registered, count: Self.registrationsMax)
        let puts = try stage.begun(registrations, to: server, seconds: seconds)
        let posts = try stage.repeated(PreparedParty.newPlayer, to: server, seconds: seconds)
        let responses = try await gathering.responses(to: [cast.told] + cast.ended)
        return (
            APISample.Ours(
                cold: cold, get: get, fresh: fresh, puts: puts, posts: posts, joins: joins,
                leaves: leaves),
            responses
        )
    }
}
