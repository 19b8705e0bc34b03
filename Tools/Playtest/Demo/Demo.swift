internal import Foundation
internal import Isolation

/// The product in one terminal: a simulated APNs, the real server, a party of four heroes with a
/// phone each, and the events as they happen.
package struct Demo: Sendable {
    package struct Settings: Sendable {
        package var seed: UInt64 = 1
        package var speed = 30.0
        package var executable: String
        package var folder: StageFolder
        package var afterwards = Afterwards.stop

        /// What to do after the adventure.
        package enum Afterwards: Sendable {
            case stop
            /// Keep the server running, for exploration.
            case keepServing
        }

        package init(executable: String, folder: StageFolder) {
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
        var stageSettings = Stage.Settings(
            executable: settings.executable, folder: settings.folder)
        stageSettings.speed = settings.speed
        stageSettings.seed = settings.seed
        let saved = try settings.folder.savedParty()
        let narrator = narrator
        let stage = try await Stage(stageSettings) { narrator.note($0) }
        narrator.tellBeginning(stage, settings, saved)
        let report: Report?
        do {
            report = try await play(on: stage, saved)
        } catch {
            await stage.strike()
            throw error
        }
        if let report { narrator.tellEnd(report) }
        if settings.afterwards == .keepServing, report != nil {
            narrator.tellKeptServing(stage, settings)
            await untilStopped()
        }
        let code = await stage.strike()
        narrator.tellStopped(code: code, folder: settings.folder)
        return code == 0 && (report?.violations.isEmpty ?? true)
    }

    /// Plays the adventure; `nil` when the user stopped it.
    private func play(on stage: Stage, _ saved: SavedParty?) async throws -> Report? {
        try await withThrowingTaskGroup(of: Report?.self) { group in
            group.addTask { try await adventure(on: stage, saved) }
            group.addTask {
                await untilStopped()
                return nil
            }
            group.addTask { try await revive(stage) }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private func adventure(on stage: Stage, _ saved: SavedParty?) async throws -> Report {
        let deaths: @Sendable () -> Int = { max(0, stage.server.starts - 1) }
        var plan = PartyPlay.Plan()
        plan.seed = settings.seed
        plan.languages = ["en", "en", "en", "ja"]
        plan.temper = .bold
        plan.startedByPush = [3]
        plan.audience = .playersAndSpectators
        plan.gameMaster = [(6, "loot"), (14, "storm")]
        plan.pollMilliseconds = min(500, max(20, Int(6000 / settings.speed)))
        plan.faults = deaths
        let folder = settings.folder
        let play = PartyPlay(
            plan: plan, api: stage.api, admin: stage.admin, phones: stage.phones,
            persistence: Persistence(),
            onGathered: { party in
                do {
                    try folder.save(party)
                } catch {
                    narrator.complain("the party cannot be saved for a later run: \(error)")
                }
            },
            onEvents: { narrator.tell($0, in: $1) }, now: Now.milliseconds)
        let result = try await play.run(saved)
        var report = Report()
        report.note(result)
        report.count(stage.phones.all)
        report.kills = deaths()
        report.doubled = stage.doubled
        report.latency = Report.Latency(metrics: try await stage.admin.metrics())
        return report
    }

    /// Restarts the server if it was killed; the adventure continues.
    private func revive(_ stage: Stage) async throws -> Report? {
        while true {
            try await Task.sleep(for: .milliseconds(100))
            guard !stage.server.isRunning, !Task.isCancelled else { continue }
            narrator.tellDeath()
            try await stage.server.restart()
            narrator.tellRevival()
        }
    }
}
