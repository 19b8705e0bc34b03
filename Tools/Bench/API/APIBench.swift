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

    /// The servers of a round, all on one core. They take turns within seconds, because a virtual
    /// machine's speed changes from one second to the next.
    private struct Servers {
        let ours: ServerStage.Server
        let go: ServerStage.Server
        let c: ServerStage.Server
    }

    /// Measures one round.
    private func sample(_ cast: Cast, registered: Int) async throws -> APISample {
        let (ours, gathering) = try await stage.serve(speed: Speed.usual)
        defer { stage.stop(ours) }
        // It has just started, so no party is in memory.
        let cold = try stage.once(
            cast.ended.prefix(Self.coldParties).map(\.read), to: ours, connections: 1)
        let responses = try await gathering.responses(to: [cast.told] + cast.ended)
        let servers = Servers(
            ours: ours, go: try await references.serveByGo(responses),
            c: try await references.serveByC(responses))
        defer {
            stage.stop(servers.go)
            stage.stop(servers.c)
        }
        let get = try unchanged(cast.told, servers)
        let joins = try stage.once(cast.ended.map(\.join), to: ours)
        let leaves = try stage.once(cast.ended.map(\.leave), to: ours)
        let fresh = try await fresh(cast.ended, servers)
        let registrations = PreparedParty.registrations(
            of: cast.waiting, from: registered, count: Self.registrationsMax)
        let puts = try stage.begun(registrations, to: ours, seconds: settings.seconds)
        let posts = try stage.repeated(
            PreparedParty.newPlayer, to: ours, seconds: settings.seconds)
        return APISample(
            ours: APISample.Ours(
                cold: cold, get: get.ours, fresh: fresh.ours, puts: puts, posts: posts,
                joins: joins, leaves: leaves),
            goGet: get.go, goFresh: fresh.go, cGet: get.c, bytes: responses.firstLength)
    }

    /// Measures repeated reads of one party, a second each in turns.
    private func unchanged(
        _ party: PreparedParty, _ servers: Servers
    ) throws -> (ours: APIRun, go: APIRun, c: APIRun) {
        var (ours, go, c): ([APIRun], [APIRun], [APIRun]) = ([], [], [])
        for _ in 0..<settings.seconds {
            ours.append(try stage.repeated(party.read, to: servers.ours, seconds: 1))
            go.append(try stage.repeated(party.read, to: servers.go, seconds: 1))
            c.append(try stage.repeated(party.read, to: servers.c, seconds: 1))
        }
        return (APIRun(ours), APIRun(go), APIRun(c))
    }

    /// Measures the first read of parties after a change, in turns with Go: a registration's
    /// response contains no party. The log is copied before the measurement.
    private func fresh(
        _ parties: [PreparedParty], _ servers: Servers
    ) async throws -> (ours: APIRun, go: APIRun) {
        let reads = parties.map(\.read)
        _ = try stage.once(reads, to: servers.ours)
        var (ours, go): ([APIRun], [APIRun]) = ([], [])
        for pass in 0..<Self.freshPasses {
            let registrations = PreparedParty.registrations(
                of: parties, from: pass * parties.count, count: parties.count, named: "fresh")
            _ = try stage.once(registrations, to: servers.ours)
            try await Task.sleep(for: .seconds(1))
            ours.append(try stage.once(reads, to: servers.ours))
            go.append(try stage.once(reads, to: servers.go))
        }
        return (APIRun(ours), APIRun(go))
    }
}
