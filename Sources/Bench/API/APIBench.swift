internal import Isolation
internal import PushLoad

/// `Scripts/bench api`: how fast the server answers HTTP, beside Go's net/http and libmicrohttpd
/// in C, on one core each.
package actor APIBench {
    /// How long and how often.
    package struct Settings: Hashable, Sendable {
        package var rounds = 5
        /// Of each figure in a round.
        package var seconds = 3
        /// That are read once each in a round.
        package var parties = 4_000
        /// Where the references' sources lie.
        package var references = References.folderDefault

        package init() {}
    }

    private enum Speed {
        /// An adventure takes a second or so.
        static let fastest = 10_000
        static let usual = 1
    }

    /// More than any server takes in the time of a figure.
    private static let registrationsMax = 100_000

    private let executor = QueueExecutor(label: "bench")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private let settings: Settings
    private let stage: APIStage
    private let say: @Sendable (String) -> Void

    /// Builds the references.
    ///
    /// - Parameters:
    ///   - settings: How long and how often.
    ///   - executable: `rangers` itself, which is measured.
    ///   - say: Hears what is being done.
    /// - Throws: When a tool is missing, in a sentence that names its package.
    package init(
        _ settings: Settings, executable: String, say: @escaping @Sendable (String) -> Void
    ) async throws {
        self.settings = settings
        self.say = say
        stage = try await APIStage(executable: executable, sources: settings.references)
    }

    /// Ends the servers and clients of a bench that is not waited for any more.
    package nonisolated func abandon() { stage.abandon() }

    /// Measures everything; blocks its own executor for minutes.
    package func run() async throws -> BenchReport {
        let (fast, teller) = try await stage.serve(speed: Speed.fastest)
        let told = try await teller.told()
        stage.stop(fast)
        let (server, gathering) = try await stage.serve(speed: Speed.usual)
        defer { stage.stop(server) }
        say("gathering \(settings.parties) parties")
        let play = Play(
            server: server, gathering: gathering, told: told,
            parties: try await gathering.ended(settings.parties),
            waiting: try await gathering.waiting(settings.parties / 2))
        var findings = APIFindings(machine: .own)
        for round in 1...settings.rounds {
            let sample = try await sample(play, registered: findings.registered)
            findings.add(sample)
            say("round \(round): \(sample)")
        }
        return findings.report(settings)
    }

    /// The server that is measured, with what was prepared on it.
    private struct Play {
        let server: APIStage.Server
        let gathering: PartyGathering
        let told: PreparedParty
        let parties: [PreparedParty]
        /// To these Live Activities are registered.
        let waiting: [PreparedParty]
    }

    /// One round: ours, then Go, then C.
    private func sample(_ play: Play, registered: Int) async throws -> APISample {
        let (server, seconds) = (play.server, settings.seconds)
        let get = try stage.repeated(play.told.read, to: server, seconds: seconds)
        let joins = try stage.once(play.parties.map(\.join), to: server)
        let leaves = try stage.once(play.parties.map(\.leave), to: server)
        // Each party has just changed, and nobody has read it since.
        let fresh = try stage.once(play.parties.map(\.read), to: server)
        let registrations = PreparedParty.registrations(
            of: play.waiting, from: registered,
            count: Self.registrationsMax)
        let puts = try stage.begun(registrations, to: server, seconds: seconds)
        let posts = try stage.repeated(PreparedParty.newPlayer, to: server, seconds: seconds)
        let responses = try await play.gathering.responses(to: [play.told] + play.parties)
        let go = try await stage.serveByGo(responses)
        defer { stage.stop(go) }
        let goGet = try stage.repeated(play.told.read, to: go, seconds: seconds)
        let goFresh = try stage.once(play.parties.map(\.read), to: go)
        let c = try await stage.serveByC(responses)
        defer { stage.stop(c) }
        let cGet = try stage.repeated(play.told.read, to: c, seconds: seconds)
        return APISample(
            get: get, fresh: fresh, puts: puts, posts: posts, joins: joins, leaves: leaves,
            goGet: goGet, goFresh: goFresh, cGet: cGet,
            bytes: responses.firstLength)
    }
}
