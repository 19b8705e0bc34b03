internal import Content
internal import Foundation
internal import Isolation
internal import Playtest
internal import PushLoad

/// `Scripts/bench game`: boards, the world boss, packs, the bag and answers over HTTP, beside Go's
/// net/http and SQLite's own shell; and the engine alone.
package actor GameBench: RunnableBench {
    package struct Settings: Hashable, Sendable {
        package var rounds = 5
        /// The length of each measurement in a round.
        package var seconds = 3
        /// The parties whose scores are on the boards, with four heroes each.
        package var parties = 500
        /// The adventures that the engine plays in a round.
        package var adventures = 1_000
        /// The folder of the references' sources.
        package var references = References.folderDefault

        package init() {}
    }

    /// An adventure takes about a second.
    private static let fastest = 10_000.0
    /// The rows that SQLite's shell commits one by one in a round.
    private static let referenceCommits = 2_000

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
    /// - Throws: When a tool is missing, in a sentence with its package.
    package init(
        _ settings: Settings, rangers: String, tools: String,
        say: @escaping @Sendable (String) -> Void
    ) async throws {
        self.settings = settings
        self.say = say
        try Tool.require([.wrk, .go, .gcc, .taskset, .sqlite3])
        testbed = try ServerTestbed(
            rangers: rangers, tools: tools, sources: settings.references)
        references = try await APIReferences(on: testbed)
    }

    /// Ends the servers and clients of an interrupted bench.
    package nonisolated func abandon() { testbed.abandon() }

    /// Runs all measurements; blocks its own executor for minutes.
    package func run() async throws -> BenchReport {
        say("playing \(settings.parties) adventures")
        let (fast, creation) = try await testbed.serve(speed: Self.fastest)
        let scorers = try await creation.scored(settings.parties)
        let asking = try await creation.waiting(settings.rounds)
        _ = try await creation.send(
            PreparedRequest(
                "POST", "/v1/admin/world", creation.adminKey,
                #"{"heroShifts":100000,"roundMinutes":360}"#))
        testbed.stop(fast)
        guard let player = scorers.first else { throw BenchError("no adventure has a score") }
        var findings = GameFindings(machine: .own)
        for (round, party) in asking.enumerated() {
            let sample = try await sample(player, asking: party)
            findings.add(sample)
            say("round \(round + 1): \(sample)")
        }
        return findings.report(settings)
    }

    private func sample(
        _ player: PreparedParty, asking: PreparedParty
    ) async throws -> GameSample {
        let (server, creation) = try await testbed.serve(speed: 1)
        defer { testbed.stop(server) }
        var sample = GameSample(engine: EngineRun(adventures: settings.adventures))
        for read in GameSample.Read.allCases {
            let request = read.request(of: player)
            let response = try await creation.send(request)
            var responses = PreparedResponses(headers: response.headers)
            responses.add(response.body, at: request.path)
            let go = try references.serveByGo(responses)
            defer { testbed.stop(go) }
            var (ours, theirs): ([APIRun], [APIRun]) = ([], [])
            for _ in 0..<settings.seconds {
                ours.append(try testbed.repeated(request.line, to: [server], seconds: 1))
                theirs.append(try testbed.repeated(request.line, to: [go], seconds: 1))
            }
            sample.reads[read] = GameSample.Pair(ours: APIRun(ours), go: APIRun(theirs))
        }
        let check = try await creation.readyCheck(of: asking)
        let pie = try Self.compact("stolen-pie")
        for write in GameSample.Write.allCases {
            let requests = write.requests(
                of: player, asking, check: check, pack: pie, key: creation.adminKey)
            sample.writes[write] =
                requests.count > 1
                ? try testbed.begun(
                    requests.map(\.line), to: [server], seconds: settings.seconds)
                : try testbed.repeated(
                    requests.map(\.line).joined(), to: [server], seconds: settings.seconds)
        }
        sample.commits = try testbed.commitsPerSecond(count: Self.referenceCommits)
        return sample
    }

    /// A pack's file in one line, as the list of requests needs it.
    private static func compact(_ name: String) throws -> String {
        guard let file = EmbeddedPacks.file(named: name) else {
            throw BenchError("there is no pack \(name)")
        }
        let value = try JSONSerialization.jsonObject(with: Data(file))
        let line = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys])
        return String(decoding: line, as: UTF8.self)
    }
}
