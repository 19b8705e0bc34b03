internal import Foundation
internal import Isolation

/// A cluster in one terminal: who owns how much, and what happens when a node is killed.
package struct ClusterShow: Sendable {
    package struct Settings: Sendable {
        package var executable: String
        package var folder: TestbedFolder
        package var nodes = 3
        package var parties = 30
        package var speed = 6.0
        package var seed: UInt64 = 1
        /// When the show ends by itself; `nil`: when the user stops it.
        package var seconds: Double?
        package var kill = Kill.never

        package enum Kill: Hashable, Sendable {
            case never
            /// Kills a node, and starts it again after the others have taken over.
            case once
        }

        package init(executable: String, folder: TestbedFolder) {
            self.executable = executable
            self.folder = folder
        }
    }

    private static let lineInterval = Duration.seconds(5)
    private static let lookInterval = Duration.milliseconds(100)
    private static let calmBeforeKill = Duration.seconds(12)
    private static let calmBeforeStart = Duration.seconds(10)
    /// Looks before a takeover counts as failed: a minute.
    private static let looksMax = 600

    private let settings: Settings
    private let say: @Sendable (String) -> Void
    /// Returns when the user wants to stop.
    private let untilStopped: @Sendable () async -> Void

    package init(
        _ settings: Settings, say: @escaping @Sendable (String) -> Void,
        untilStopped: @escaping @Sendable () async -> Void
    ) {
        self.settings = settings
        self.say = say
        self.untilStopped = untilStopped
    }

    /// Runs the show; returns whether everything that ended was right.
    package func run() async throws -> Bool {
        var clusterSettings = Cluster.Settings(
            executable: settings.executable, folder: settings.folder)
        clusterSettings.nodes = settings.nodes
        clusterSettings.speed = settings.speed
        clusterSettings.seed = settings.seed
        let cluster = try await Cluster(clusterSettings) { _ in }
        let book = ClusterPlay.Book()
        do {
            // The first shards may be on their way to the nodes that came last.
            let code = try await RetryPolicy().untilAnswered {
                try await cluster.admin.sessionCode()
            }
            printStart(cluster, code: code.code)
            try await show(cluster, book)
        } catch {
            await cluster.stop()
            throw error
        }
        say("\n🏕️  Stopping the nodes and PostgreSQL\n")
        let codes = await cluster.stop()
        let report = book.report
        let wrong =
            report.violations
            + zip(cluster.nodes, codes).filter { $0.1 != 0 }.map {
                "node \($0.0.name) ended with \($0.1)"
            }
        let adventures = "\(report.parties) \(report.parties == 1 ? "adventure" : "adventures")"
        say(
            wrong.isEmpty
                ? "✅ \(adventures) came to an end; every card was right\n"
                : "❌ " + wrong.joined(separator: "\n❌ ") + "\n")
        return wrong.isEmpty
    }

    private func printStart(_ cluster: Cluster, code: String) {
        say(
            """
            🏰 Emoji Rangers on \(settings.nodes) nodes over one PostgreSQL: \
            \(settings.parties) parties play, and nginx gives their requests to the nodes in turn.
               nginx  \(cluster.proxy.url)
               watch  \(cluster.proxy.url)/console/#enter=\(code)  (opens once, within 10 minutes)
               logs   \(settings.folder.path)
               Ctrl-C stops everything and removes it

            """)
    }

    /// Ends with the first task that ends: the user's wish, or the time.
    private func show(_ cluster: Cluster, _ book: ClusterPlay.Book) async throws {
        let watch = ClusterWatch(cluster)
        let began = ContinuousClock.now
        try await withThrowingTaskGroup(of: IsOver.self) { group in
            group.addTask {
                try await watch.run()
                return .yes
            }
            group.addTask {
                try await ClusterPlay(
                    cluster: cluster, parties: settings.parties, seed: settings.seed,
                    speed: settings.speed, book: book
                ).run()
                return .yes
            }
            group.addTask {
                try await printLines(cluster, watch, book, since: began)
                return .yes
            }
            group.addTask {
                try await kill(in: cluster, watch, since: began)
                return .no
            }
            group.addTask {
                await untilStopped()
                return .yes
            }
            group.addTask {
                guard let seconds = settings.seconds else { return .no }
                try await Task.sleep(for: .seconds(seconds))
                return .yes
            }
            defer { group.cancelAll() }
            while let isOver = try await group.next() {
                if isOver == .yes { return }
            }
        }
    }

    private enum IsOver {
        case yes, no
    }

    private func printLines(
        _ cluster: Cluster, _ watch: ClusterWatch, _ book: ClusterPlay.Book,
        since began: ContinuousClock.Instant
    ) async throws {
        while true {
            try await Task.sleep(for: Self.lineInterval)
            let report = book.report
            var parts = [watch.owners?.words ?? "\(settings.nodes) nodes"]
            parts.append("\(book.playing) on an adventure, \(report.parties) back")
            parts.append("\(cluster.apns.accepted) pushes, \(cluster.apns.doubled) twice")
            say("   \(clock(since: began))  \(parts.joined(separator: " │ "))\n")
        }
    }

    // MARK: A node that is killed

    private func kill(
        in cluster: Cluster, _ watch: ClusterWatch, since began: ContinuousClock.Instant
    ) async throws {
        guard settings.kill == .once, let victim = cluster.nodes.last else { return }
        try await Task.sleep(for: Self.calmBeforeKill)
        let killedAt = ContinuousClock.now
        victim.server.kill()
        while victim.server.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        say("   \(clock(since: began))  💀 node \(victim.name) is killed\n")
        func areTakenOver() -> Bool { watch.owners?.isOwned(byOthersThan: victim.name) ?? false }
        // Others may take over between two looks.
        try await until { watch.owners?.shardsWithoutOwner ?? 0 > 0 || areTakenOver() }
        if let count = watch.owners?.shardsWithoutOwner, count > 0 {
            say(
                "   \(clock(since: began))  ⏳ its lease ended after "
                    + "\(seconds(since: killedAt)): \(count) shards have no owner\n")
        }
        try await until(areTakenOver)
        say(
            "   \(clock(since: began))  🤝 the others have taken them over, "
                + "\(seconds(since: killedAt)) after the kill\n")
        try await Task.sleep(for: Self.calmBeforeStart)
        let startedAt = ContinuousClock.now
        say("   \(clock(since: began))  🌱 node \(victim.name) starts again\n")
        try await victim.server.start()
        try await until { watch.owners?.isFair(for: settings.nodes) ?? false }
        say(
            "   \(clock(since: began))  ⚖️ it has its fair share again, "
                + "\(seconds(since: startedAt)) after its start\n")
    }

    private func until(_ condition: () -> Bool) async throws {
        for _ in 0..<Self.looksMax {
            if condition() { return }
            try await Task.sleep(for: Self.lookInterval)
        }
        throw PlayError.serverDied("no takeover within a minute")
    }

    private func clock(since began: ContinuousClock.Instant) -> String {
        let seconds = Int((ContinuousClock.now - began) / .seconds(1))
        return String(format: "%02d:%02d", seconds / 60, seconds % 60)
    }

    private func seconds(since moment: ContinuousClock.Instant) -> String {
        String(format: "%.1f s", (ContinuousClock.now - moment) / .seconds(1))
    }
}
