internal import Isolation
internal import PushLoad

/// `Scripts/bench api`: the server's HTTP speed compared with Go's net/http and libmicrohttpd in C,
/// on one core each.
package actor APIBench: RunnableBench {
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
    /// How often all parties change and are read again: one pass takes an eighth of a second.
    private static let freshPasses = 6
    /// The parties read before they are in memory.
    private static let coldParties = 500

    private let executor = QueueExecutor(label: "bench")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private let settings: Settings
    private let testbed: ServerTestbed
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
        testbed = try ServerTestbed(
            rangers: rangers, tools: tools, sources: settings.references)
        references = try await APIReferences(on: testbed)
    }

    /// Ends the servers and clients of an interrupted bench.
    package nonisolated func abandon() { testbed.abandon() }

    /// Runs all measurements; blocks its own executor for minutes.
    package func run() async throws -> BenchReport {
        let parties = try await prepareParties()
        var findings = APIFindings(machine: .own)
        for round in 1...settings.rounds {
            let sample = try await sample(parties, registered: findings.registered)
            findings.add(sample)
            say("round \(round): \(sample)")
        }
        return findings.report(settings)
    }

    /// The measured parties.
    private struct PreparedParties {
        let played: PreparedParty
        let ended: [PreparedParty]
        /// The parties for which Live Activities are registered.
        let waiting: [PreparedParty]
    }

    private func prepareParties() async throws -> PreparedParties {
        let (fast, adventure) = try await testbed.serve(speed: Speed.fastest)
        let played = try await adventure.played()
        testbed.stop(fast)
        let (server, creation) = try await testbed.serve(speed: Speed.usual)
        defer { testbed.stop(server) }
        say("creating \(settings.parties * 3 / 2) parties")
        return PreparedParties(
            played: played, ended: try await creation.ended(settings.parties),
            waiting: try await creation.waiting(settings.parties / 2))
    }

    /// The servers of a round, all on one core. They take turns within seconds, because a virtual
    /// machine's speed changes from one second to the next.
    private struct Servers {
        let ours: PinnedServer
        let go: PinnedServer
        let c: PinnedServer
    }

    /// Measures one round.
    private func sample(_ parties: PreparedParties, registered: Int) async throws -> APISample {
        let (ours, creation) = try await testbed.serve(speed: Speed.usual)
        defer { testbed.stop(ours) }
        // It has just started, so no party is in memory.
        let cold = try testbed.once(
            parties.ended.prefix(Self.coldParties).map(\.read), to: [ours], connections: 1)
        let responses = try await creation.responses(to: [parties.played] + parties.ended)
        let servers = Servers(
            ours: ours, go: try references.serveByGo(responses),
            c: try references.serveByC(responses))
        defer {
            testbed.stop(servers.go)
            testbed.stop(servers.c)
        }
        let get = try unchanged(parties.played, servers)
        let joins = try testbed.once(parties.ended.map(\.join), to: [ours])
        let leaves = try testbed.once(parties.ended.map(\.leave), to: [ours])
        let fresh = try await fresh(parties.ended, servers, creation)
        let registrations = PreparedParty.registrations(
            of: parties.waiting, from: registered, count: Self.registrationsMax)
        let puts = try testbed.begun(registrations, to: [ours], seconds: settings.seconds)
        let posts = try testbed.repeated(
            PreparedParty.newPlayer, to: [ours], seconds: settings.seconds)
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
            ours.append(try testbed.repeated(party.read, to: [servers.ours], seconds: 1))
            go.append(try testbed.repeated(party.read, to: [servers.go], seconds: 1))
            c.append(try testbed.repeated(party.read, to: [servers.c], seconds: 1))
        }
        return (APIRun(ours), APIRun(go), APIRun(c))
    }

    /// Measures the first read of parties after a change, in turns with Go: a registration's
    /// response contains no party. Its push cannot be sent; what became of it is written before the
    /// measurement.
    private func fresh(
        _ parties: [PreparedParty], _ servers: Servers, _ creation: PartyCreation
    ) async throws -> (ours: APIRun, go: APIRun) {
        let reads = parties.map(\.read)
        _ = try testbed.once(reads, to: [servers.ours])
        var (ours, go): ([APIRun], [APIRun]) = ([], [])
        for pass in 0..<Self.freshPasses {
            let registrations = PreparedParty.registrations(
                of: parties, from: pass * parties.count, count: parties.count, named: "fresh")
            _ = try testbed.once(registrations, to: [servers.ours])
            try await creation.untilIdle()
            ours.append(try testbed.once(reads, to: [servers.ours]))
            go.append(try testbed.once(reads, to: [servers.go]))
        }
        return (APIRun(ours), APIRun(go))
    }
}
