internal import Foundation
internal import GameLogic
internal import Isolation
internal import RangersServer

/// Plays parties through the HTTP API, and checks what every phone would show.
package struct Playtest: Sendable {
    package struct Settings: Sendable {
        package var parties = 10
        package var seed: UInt64 = 1
        /// The speed of the adventures' clock by default: people could follow their cards and tap,
        /// and an adventure of half an hour takes three minutes.
        package static let usualSpeed = 10.0

        package var speed = usualSpeed
        /// How often to kill the server (SIGKILL) and restart it on the same file.
        package var kills = 0
        package var executable: String
        package var folder: TestbedFolder

        package init(executable: String, folder: TestbedFolder) {
            self.executable = executable
            self.folder = folder
        }
    }

    /// The number of adventures played in parallel.
    private static let partiesAtOnceMax = 200
    /// The rounds of parties within which every kill must have happened.
    private static let roundsMax = 50
    /// The length of an adventure: half an hour of game time.
    private static let adventureSeconds = 1800.0

    private let settings: Settings
    private let retries = RetryPolicy()

    package init(_ settings: Settings) { self.settings = settings }

    // MARK: With a simulated APNs

    /// Plays with a simulated APNs: checks the phones, and may kill the server.
    package func run() async throws -> Report {
        var testbedSettings = Testbed.Settings(
            executable: settings.executable, folder: settings.folder)
        testbedSettings.speed = settings.speed
        testbedSettings.seed = settings.seed
        let testbed = try await Testbed(testbedSettings) { _ in }
        var report: Report
        do {
            report = try await play(on: testbed)
            report.latency = Report.Latency(
                ServerMetrics(text: try await testbed.admin.metrics()))
        } catch {
            await testbed.stop()
            throw error
        }
        report.count(testbed.phones.all)
        report.doubled = testbed.doubled
        let code = await testbed.stop()
        if code != 0 { report.violations.append("the server ended with \(code)") }
        check(testbed, &report)
        await replay(&report)
        return report
    }

    /// Plays until every kill has happened, which may take several rounds of parties.
    private func play(on testbed: Testbed) async throws -> Report {
        let kills = Locked(0)
        var report = try await withThrowingTaskGroup(of: Report?.self) { group in
            group.addTask {
                try await killServer(of: testbed, counting: kills)
                return nil
            }
            group.addTask {
                try await keepServerAlive(testbed)
                return nil
            }
            group.addTask { try await playRounds(on: testbed, kills) }
            defer { group.cancelAll() }
            while let report = try await group.next() {
                if let report { return report }
            }
            return Report()
        }
        report.kills = kills.withLock { $0 }
        if report.kills < settings.kills {
            report.violations.append("only \(report.kills) of \(settings.kills) kills happened")
        }
        return report
    }

    private func playRounds(on testbed: Testbed, _ kills: Locked<Int>) async throws -> Report {
        var report = Report()
        for round in 0..<Self.roundsMax {
            try await play(
                round, api: testbed.api, admin: testbed.admin, phones: testbed.phones,
                faults: { kills.withLock { $0 } }, &report)
            if kills.withLock({ $0 }) >= settings.kills { break }
        }
        return report
    }

    /// Checks that a replay of the commands yields the stored events, whatever happened to the
    /// server (PR2).
    private func replay(_ report: inout Report) async {
        let replay = await Replay.report(file: settings.folder.database, party: nil)
        report.replayedEvents = replay.events
        report.violations += replay.differences.map { "replayed: \($0)" }
        if replay.parties < report.parties {
            report.violations.append("replayed: \(replay.parties) of \(report.parties) parties")
        }
    }

    private func check(_ testbed: Testbed, _ report: inout Report) {
        if testbed.phones.unknownTokens > 0 {
            report.violations.append(
                "\(testbed.phones.unknownTokens) pushes went to unknown tokens")
        }
        if report.kills == 0, report.doubled > 0 {
            report.violations.append("\(report.doubled) pushes were sent twice without a fault")
        }
        // Each kill may repeat each activity's pushes that were in flight or not yet recorded (PR4).
        let repeatsMax = report.kills * testbed.phones.all.count
        if report.doubled > repeatsMax {
            report.violations.append(
                "\(report.doubled) pushes were sent twice, more than \(repeatsMax)")
        }
        report.violations += testbed.refusals.map { "APNs refused a push: \($0)" }
    }

    /// Kills the server at moments chosen by the seed, within the adventures' length.
    private func killServer(of testbed: Testbed, counting kills: Locked<Int>) async throws {
        var dice = SeededRandom(seed: settings.seed ^ 0xdead)
        let length = Int(Self.adventureSeconds / settings.speed * 1000)
        for _ in 0..<settings.kills {
            let gap = max(100, 2 * length / (settings.kills + 1))
            try await Task.sleep(for: .milliseconds(dice.draw(in: 50...gap)))
            kills.withLock { $0 += 1 }
            try await testbed.server.restart()
        }
    }

    /// Throws when the server has ended by itself.
    private func keepServerAlive(_ testbed: Testbed) async throws {
        while settings.kills == 0 {
            try await Task.sleep(for: .milliseconds(200))
            guard testbed.server.isRunning else {
                throw PlayError.serverDied("see \(settings.folder.serverLog)")
            }
        }
    }

    // MARK: Against a running server

    /// Plays against a running server, and checks what its API shows.
    package func run(against url: String, adminKey: String) async throws -> Report {
        let api = GameAPI(try HTTPClient(urlText: url))
        let admin = api.signedIn(adminKey)
        var report = Report()
        let before = ServerMetrics(text: try await admin.metrics())
        try await play(0, api: api, admin: admin, phones: nil, faults: { 0 }, &report)
        report.count(ServerMetrics(text: try await admin.metrics()).since(before))
        return report
    }

    // MARK: Playing

    /// Plays one round of parties, each with its own dice.
    private func play(
        _ round: Int, api: GameAPI, admin: GameAPI, phones: PhoneBook?,
        faults: @escaping @Sendable () -> Int, _ report: inout Report
    ) async throws {
        try await withThrowingTaskGroup(of: PartyPlay.Result.self) { group in
            var waiting = (0..<settings.parties).map { number in
                partyPlay(
                    round * settings.parties + number, api: api, admin: admin, phones: phones,
                    faults: faults)
            }[...]
            for play in waiting.prefix(Self.partiesAtOnceMax) {
                group.addTask { try await play.run() }
            }
            waiting = waiting.dropFirst(Self.partiesAtOnceMax)
            while let result = try await group.next() {
                report.note(result)
                if let play = waiting.popFirst() { group.addTask { try await play.run() } }
            }
        }
    }

    private func partyPlay(
        _ number: Int, api: GameAPI, admin: GameAPI, phones: PhoneBook?,
        faults: @escaping @Sendable () -> Int
    ) -> PartyPlay {
        var plan = PlayPlan(party: number, seed: settings.seed, speed: settings.speed)
        plan.faults = faults
        return PartyPlay(
            plan: plan, api: api, admin: admin, phones: phones, retries: retries,
            onAssembled: { _ in }, onEvents: { _, _, _ in }, now: Now.milliseconds)
    }
}

/// The real clock, for playtests over sockets.
enum Now {
    @Sendable static func milliseconds() -> Int64 {
        Int64(Date().timeIntervalSince1970 * 1000)
    }
}
