internal import Foundation
internal import GameLogic
internal import Isolation
internal import Programs
internal import RangersServer

/// Plays parties on a cluster while it has faults, and judges what phones and journal show.
package struct ClusterTorture: Sendable {
    package struct Settings: Sendable {
        package var executable: String
        package var folder: TestbedFolder
        package var nodes = 3
        package var parties = 600
        package var speed = 30.0
        package var seed: UInt64 = 1
        /// How often each fault happens.
        package var rounds = 20
        /// The faults to make; `nil`: those of the form.
        package var faults: Set<ClusterFault>?
        package var length = Length.long
        package var fence = Fence.on

        package enum Length: Hashable, Sendable {
            case short, long
        }

        package enum Fence: Hashable, Sendable {
            case on
            /// The control: PostgreSQL gets statements that compare neither version nor epoch, so
            /// that something happens twice.
            case off
        }

        package init(executable: String, folder: TestbedFolder) {
            self.executable = executable
            self.folder = folder
        }
    }

    /// What a violation begins with if a party has done something twice.
    package static let double = "the journal has a version twice"

    /// Before the first fault, once all parties have begun, and between two faults.
    private static let calm = Duration.seconds(4)
    /// Each lets a node write what it decided before others took over.
    private static let controlRounds = 2
    /// How often the long faults happen.
    private static let longMax = 3
    /// How long adventures may last after the last fault without the fence, where some never end.
    private static let controlRest = Duration.seconds(30)
    private static let lease = Duration.seconds(7)
    private static let looksMax = 600
    private static let diskMegabytes = 48
    private static let lookInterval = Duration.milliseconds(200)

    private let settings: Settings
    private let say: @Sendable (String) -> Void

    package init(_ settings: Settings, say: @escaping @Sendable (String) -> Void) {
        self.settings = settings
        self.say = say
    }

    /// Runs everything; returns what must not have happened. A full disk has a cluster of its own,
    /// because a tablespace and a standby on one machine exclude each other.
    package func run() async throws -> [String] {
        let schedule = schedule
        var violations = schedule.isEmpty ? [] : try await torture(schedule)
        if settings.fence == .on, settings.length == .long, geteuid() == 0, mayMake(.fullDatabase) {
            violations += try await torture(
                Array(repeating: .fullDatabase, count: min(settings.rounds, Self.longMax)))
        }
        return violations
    }

    private func torture(_ faults: [ClusterFault]) async throws -> [String] {
        var clusterSettings = Cluster.Settings(
            executable: settings.executable, folder: settings.folder)
        clusterSettings.nodes = settings.nodes
        clusterSettings.speed = settings.speed
        clusterSettings.seed = settings.seed
        if faults.contains(.fullDatabase) {
            clusterSettings.diskMegabytes = Self.diskMegabytes
        } else {
            clusterSettings.standby = .synchronous
        }
        if settings.fence == .off { clusterSettings.forgeries = ClusterFence.forgeries }
        let cluster = try await Cluster(clusterSettings) { _ in }
        do {
            let violations = try await torture(cluster, faults)
            let codes = await cluster.stop()
            return violations
                + zip(cluster.nodes, codes).filter { $0.1 != 0 }.map {
                    "node \($0.0.name) ended with \($0.1)"
                }
        } catch {
            await cluster.stop()
            throw error
        }
    }

    private func torture(
        _ cluster: Cluster, _ faults: [ClusterFault]
    ) async throws -> [String] {
        if settings.fence == .off { try await ClusterFence.dropConstraint(in: cluster) }
        let book = ClusterPlay.Book()
        let watch = ClusterWatch(cluster)
        var findings = try await withThrowingTaskGroup(of: ClusterFindings?.self) { group in
            group.addTask {
                try await watch.run()
                return nil
            }
            group.addTask {
                try await watch.readMetrics()
                return nil
            }
            group.addTask {
                async let playing: Void = ClusterPlay(
                    cluster: cluster, parties: settings.parties, seed: settings.seed,
                    speed: settings.speed, book: book,
                    rest: settings.fence == .on
                        ? ClusterPlay.restDefault : Self.controlRest
                ).run()
                let findings = try await make(faults, in: cluster, watch, book)
                book.end()
                try await playing
                return findings
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            return ClusterFindings()
        }
        findings.doubled = cluster.apns.doubled
        findings.late = cluster.phones.all.reduce(0) { $0 + $1.latePushes }
        findings.tally = cluster.tally.counts
        findings.report = book.report
        findings.report.count(cluster.phones.all)
        await findings.check(cluster)
        say(findings.summary)
        return findings.violations
    }

    private func mayMake(_ fault: ClusterFault) -> Bool {
        settings.faults?.contains(fault) ?? (settings.length == .long || fault.isOfShortForm)
    }

    /// The faults in an order that the seed gives.
    private var schedule: [ClusterFault] {
        var dice = SeededRandom(seed: settings.seed ^ 0xc1a5)
        let possible = ClusterFault.allCases.filter { fault in
            fault != .fullDatabase && (settings.nodes > 1 || !fault.needsSeveralNodes)
                && (settings.fence == .on || fault == .cutFromDatabase)
                && mayMake(fault)
        }
        let rounds = settings.fence == .on ? settings.rounds : Self.controlRounds
        return (0..<rounds).flatMap { number in
            var round = possible.filter { !$0.isLong || number < Self.longMax }
            for index in round.indices.reversed() {
                round.swapAt(index, dice.draw(in: 0...index))
            }
            return round
        }
    }

    private func make(
        _ faults: [ClusterFault], in cluster: Cluster, _ watch: ClusterWatch,
        _ book: ClusterPlay.Book
    ) async throws -> ClusterFindings {
        var findings = ClusterFindings()
        findings.isAlone = cluster.nodes.count == 1
        var dice = SeededRandom(seed: settings.seed ^ 0xfa17)
        let maker = ClusterFaultMaker(
            cluster: cluster, lengths: settings.length == .short ? .short : .init())
        // Requests that were sent before can still fail because of the last fault.
        var calmSince = Now.milliseconds()
        try await Task.sleep(for: ClusterPlay.beginning(of: settings.parties) + Self.calm)
        for fault in faults {
            let victim = dice.draw(in: 0...cluster.nodes.count - 1)
            let holds = dice.draw(in: 0...1) == 0 || settings.fence == .off
            let conduct: TCPRelay.Conduct = holds ? .holds : .refuses
            let name = fault.words(cluster.nodes[victim].name)
            _ = (book.takeLateness(), watch.takeOwnerless(), watch.takeLateTicks())
            _ = watch.takeMemoryGrowth()
            let (inFlight, doubled) = (watch.inFlight, cluster.apns.doubled)
            let epochs = try await cluster.database.epochs()
            book.noteFault(at: Now.milliseconds())
            let began = try await maker.make(fault, at: victim, conduct)
            let ended = ContinuousClock.now
            try await untilWriting(cluster)
            let back = ContinuousClock.now
            try await untilSettled(cluster, watch)
            try await maker.repair(fault)
            let repaired = Now.milliseconds()
            // After an outage a node removes no other before it has itself lived for a lease.
            try await Task.sleep(for: fault.isOfDatabase ? Self.lease : Self.calm)
            book.noteSettled()
            let epochsNow = try await cluster.database.epochs()
            let removed = cluster.nodes.map(\.name).enumerated().filter { number, name in
                epochsNow[name] != epochs[name] && !fault.mayRemove(number, victim: victim)
            }
            let sample = ClusterFindings.Sample(
                fault: fault, words: name, length: ended - began, back: back - ended,
                ownerless: watch.takeOwnerless(since: fault.isSilentDeath ? began : nil),
                lateness: .milliseconds(book.takeLateness()),
                lateTicks: fault.lateTicks(in: watch.takeLateTicks(), at: victim),
                doubled: cluster.apns.doubled - doubled,
                doublesMax: fault.doublesMax(inFlight, nodes: cluster.nodes.count),
                memoryGrowth: watch.takeMemoryGrowth(),
                removed: removed.map(\.element),
                // While the database is away a player may wait longer than the app does.
                failures: cluster.tally.counts.failures(
                    ofRequestsSince: calmSince, answered: fault.isOfDatabase))
            calmSince = repaired
            findings.note(sample)
            say(sample.line)
        }
        return findings
    }

    /// Waits until a player can register, on whatever node.
    private func untilWriting(_ cluster: Cluster) async throws {
        for _ in 0..<Self.looksMax {
            do {
                _ = try await cluster.api.registerPlayer()
                return
            } catch is APIRefusal, is HTTPClientError {
                try await Task.sleep(for: Self.lookInterval)
            }
        }
        throw PlayError.serverDied("no player can register after a fault")
    }

    private func untilSettled(_ cluster: Cluster, _ watch: ClusterWatch) async throws {
        try await cluster.untilReady()
        for _ in 0..<Self.looksMax {
            if watch.isOwned, try await cluster.database.epochs().count == cluster.nodes.count {
                return
            }
            try await Task.sleep(for: Self.lookInterval)
        }
        throw PlayError.serverDied("shards have no owner, long after a fault")
    }
}
