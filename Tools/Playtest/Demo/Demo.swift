internal import Foundation
internal import Isolation

/// The product in one terminal: a simulated APNs, the real server, a party of four heroes with a
/// phone each, and the events as they happen.
package struct Demo: Sendable {
    package struct Settings: Sendable {
        /// Its story has questions answered, a friend called to help, and a standing order.
        package static let usualSeed: UInt64 = 8

        package var seed = usualSeed
        package var speed = 6.0
        /// The adventure pack.
        package var pack = "stolen-pie"
        package var executable: String
        package var folder: TestbedFolder
        package var afterwards = Afterwards.stop

        /// What to do after the adventure.
        package enum Afterwards: Sendable {
            case stop
            /// Keep the server running, for exploration.
            case keepServing
        }

        package init(executable: String, folder: TestbedFolder) {
            self.executable = executable
            self.folder = folder
        }
    }

    private let settings: Settings
    private let narrator: DemoNarrator
    /// Returns when the user wants to stop.
    private let untilStopped: @Sendable () async -> Void

    package init(
        _ settings: Settings, say: @escaping @Sendable (String) -> Void,
        untilStopped: @escaping @Sendable () async -> Void
    ) {
        self.settings = settings
        self.untilStopped = untilStopped
        narrator = DemoNarrator(say: say)
    }

    /// Runs the demo; returns whether all invariants held.
    package func run() async throws -> Bool {
        var testbedSettings = Testbed.Settings(
            executable: settings.executable, folder: settings.folder)
        testbedSettings.speed = settings.speed
        testbedSettings.seed = settings.seed
        let saved = try settings.folder.savedParty()
        let narrator = narrator
        let testbed = try await Testbed(testbedSettings) { narrator.note($0) }
        let report: Report?
        do {
            let code = try await testbed.admin.sessionCode().code
            narrator.printStart(testbed, settings, saved, enteringWith: code)
            report = try await playWhileWatched(on: testbed, saved)
        } catch {
            await testbed.stop()
            throw error
        }
        if settings.afterwards == .keepServing, report != nil {
            narrator.printKeptServing(testbed, settings)
            await keepCodeValid(on: testbed)
        }
        let code = await testbed.stop()
        narrator.printStop(code: code, folder: settings.folder)
        return code == 0 && (report?.violations.isEmpty ?? true)
    }

    /// Plays an adventure, and another one as long as a page has followed the last one. Returns the
    /// last report, or the first with a violation; `nil` when the user stopped the demo.
    private func playWhileWatched(
        on testbed: Testbed, _ first: SavedParty?
    ) async throws -> Report? {
        var saved = first
        while true {
            let audience = Audience()
            guard let report = try await play(on: testbed, saved, noting: audience) else {
                return nil
            }
            narrator.printEnd(report)
            let goesOn = settings.afterwards == .stop && report.violations.isEmpty
            guard goesOn, audience.hasBeenThere else { return report }
            narrator.printAgain()
            saved = try settings.folder.savedParty()
        }
    }

    /// Whether a page was open at some time in an adventure. A browser phone closes its stream at
    /// the end, a tab in the background closes it too, and a killed server has none: so the end
    /// alone would not tell.
    private final class Audience: Sendable {
        private let state = Locked(false)
        var hasBeenThere: Bool { state.withLock { $0 } }
        func note() { state.withLock { $0 = true } }
    }

    /// How often the demo looks whether a page is open.
    private static let lookout = Duration.milliseconds(250)

    /// Notes pages until it is cancelled.
    private func look(for audience: Audience, on testbed: Testbed) async throws -> Report? {
        while true {
            if !audience.hasBeenThere, await testbed.hasOpenPage { audience.note() }
            try await Task.sleep(for: Self.lookout)
        }
    }

    /// How often the demo renews its party's invite code: well within its validity.
    private static let codeRenewal = Duration.seconds(60)

    /// Renews the code until the user stops the demo, so that the printed one always works.
    private func keepCodeValid(on testbed: Testbed) async {
        let saved = try? settings.folder.savedParty()
        await withTaskGroup(of: Void.self) { group in
            if let saved, let leader = saved.bots.first {
                let api = testbed.api.signedIn(leader.bearer)
                group.addTask { await renewCode(of: saved.party, api) }
            }
            group.addTask { await untilStopped() }
            // The renewal never ends by itself.
            await group.next()
            group.cancelAll()
        }
    }

    private func renewCode(of party: String, _ api: GameAPI) async {
        var printed: String?
        while !Task.isCancelled {
            do {
                let code = try await api.renewCode(of: party).inviteCode
                if code != printed { narrator.printCode(code) }
                printed = code
            } catch {
                narrator.warn("the invite code cannot be renewed: \(error)")
            }
            // Only cancellation throws, which the loop checks.
            try? await Task.sleep(for: Self.codeRenewal)
        }
    }

    /// Plays the adventure; `nil` when the user stopped it.
    private func play(
        on testbed: Testbed, _ saved: SavedParty?, noting audience: Audience
    ) async throws -> Report? {
        try await withThrowingTaskGroup(of: Report?.self) { group in
            group.addTask { try await adventure(on: testbed, saved) }
            group.addTask {
                await untilStopped()
                return nil
            }
            group.addTask { try await restartKilledServer(testbed) }
            group.addTask { try await look(for: audience, on: testbed) }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private func adventure(on testbed: Testbed, _ saved: SavedParty?) async throws -> Report {
        let kills: @Sendable () -> Int = { max(0, testbed.server.starts - 1) }
        var plan = PlayPlan()
        plan.seed = settings.seed
        plan.pack = settings.pack
        plan.languages = ["en", "en", "en", "ja"]
        plan.temper = .bold
        plan.drinkers = [2]
        plan.startedByPush = [3]
        plan.audience = .playersAndSpectators
        plan.gameMaster =
            [(6, "loot")] + stride(from: 14, through: 44, by: 5).map { ($0, "storm") }
        plan.pollMilliseconds = min(1000, max(20, Int(6000 / settings.speed)))
        plan.faults = kills
        let folder = settings.folder
        let play = PartyPlay(
            plan: plan, api: testbed.api, admin: testbed.admin, phones: testbed.phones,
            retries: RetryPolicy(),
            onAssembled: { party in
                do {
                    try folder.save(party)
                } catch {
                    narrator.warn("the party cannot be saved for a later run: \(error)")
                }
            },
            onEvents: { events, party, _ in
                narrator.printInvitation(to: party, at: testbed.url)
                narrator.show(events, in: party)
            },
            onAnswer: { narrator.show(answer: $1, of: $0) }, now: Now.milliseconds)
        let result = try await play.run(saved)
        var report = Report()
        report.note(result)
        report.count(testbed.phones.all)
        report.kills = kills()
        report.doubled = testbed.doubled
        report.latency = Report.Latency(
            ServerMetrics(text: try await testbed.admin.metrics()))
        return report
    }

    /// Restarts the server if it was killed; the adventure continues.
    private func restartKilledServer(_ testbed: Testbed) async throws -> Report? {
        while true {
            try await Task.sleep(for: .milliseconds(100))
            guard !testbed.server.isRunning, !Task.isCancelled else { continue }
            narrator.printServerKilled()
            try await testbed.server.restart()
            narrator.printServerRestarted()
        }
    }
}
