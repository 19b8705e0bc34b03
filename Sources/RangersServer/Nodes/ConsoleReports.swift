internal import Isolation
internal import JSONReader
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// What game masters' consoles show of other nodes. While a console looks at all nodes, each of them
/// writes a report a second into the store, and the console's node reads those of the others. While
/// none does, nothing is written.
actor ConsoleReports {
    /// The least time between two reports, in milliseconds.
    private static let reportMilliseconds: Int64 = 1000
    /// The same between two reads while a request waits for reports.
    private static let waitingMilliseconds: Int64 = 250
    /// How long a request waits for nodes that did not know that they are looked at: they learn of it
    /// with the next renewal of their lease.
    static let waitMillisecondsMax: Int64 = 3000
    /// How old a report may be for a request, in milliseconds.
    private static let freshMilliseconds: Int64 = 2500
    /// For how long a request's question stays one, in seconds: consoles ask again.
    private static let wantedSeconds: Int64 = 10
    private static let idleSeconds: Int64 = 3600

    /// The newest report of another node.
    private struct Known {
        var number: Int64
        var at: WallTime
        var value: JSONValue
        var rates: ConsoleRates
        /// Whether all changes of its wall have been taken.
        var isWallKnown: Bool
    }

    private let dependencies: Dependencies
    private let epoch: Epoch
    private let map: ShardMap
    private let rest: Sleeper
    private let isIdle = Locked(false)
    private var isStopping = false
    private var known: [Int64: Known] = [:]
    /// Until when requests want these parts of reports.
    private var wanted: [NodeWatch.Parts: WallTime] = [:]
    /// Requests that wait for reports.
    private var waiting = 0
    /// How often this node has asked for whole walls, and when it did last.
    private var walls: (asked: Int64, at: WallTime?) = (0, nil)
    /// Whether rows of this node may be in the store.
    private var hasWritten = false
    private var reporter: NodeReporter

    init(_ dependencies: Dependencies, epoch: Epoch, map: ShardMap) {
        self.dependencies = dependencies
        self.epoch = epoch
        self.map = map
        rest = Sleeper(dependencies.clock)
        reporter = NodeReporter(node: epoch.number)
    }

    /// Looks at once what there is to see, if nobody has looked until now.
    nonisolated func wakeIfIdle() {
        if isIdle.withLock({ $0 }) { rest.wake() }
    }

    /// Runs until `stop`.
    func run(in game: Game) async {
        guard map.isShared, let store = dependencies.store.shared else { return }
        while !isStopping {
            let began = game.now
            var goesOn = true
            do throws(StoreError) {
                goesOn = try await exchange(through: store, game)
            } catch {
                reporter.forget()
                dependencies.log.warning(
                    "consoles cannot see other nodes now", ["error": "\(error)"])
            }
            guard !isStopping else { return }
            let next =
                goesOn
                ? began.adding(
                    milliseconds: waiting > 0
                        ? Self.waitingMilliseconds : Self.reportMilliseconds)
                : began.adding(seconds: Self.idleSeconds)
            isIdle.withLock { $0 = !goesOn }
            await rest.sleep(until: next)
        }
    }

    func stop() {
        isStopping = true
        rest.wake()
    }

    // MARK: A round

    /// Reads what others have written, and writes what they and this node look at. Returns whether
    /// anybody looks at anything.
    private func exchange(
        through store: any NodeStore, _ game: Game
    ) async throws(StoreError) -> Bool {
        let parts = parts(at: game.now, game)
        if parts == nil { known = [:] }
        let found = try await store.reports(
            after: parts.map { _ in known.mapValues(\.number) }, epoch: epoch)
        if take(found.reports, game) { askForWalls(at: game.now) }
        let watch = parts.map { NodeWatch(node: epoch.number, parts: $0, walls: walls.asked) }
        // Only this task has it.
        var reporter = reporter
        let reporting = await reporter.next(for: found.watches, game)
        self.reporter = reporter
        let isActive = parts != nil || !found.watches.isEmpty
        guard isActive || hasWritten else { return false }
        try await store.write(reporting, watching: watch, epoch: epoch)
        self.reporter.noteWritten(for: found.watches)
        hasWritten = isActive
        return isActive
    }

    /// Returns what this node's consoles look at of other nodes; `nil`: nothing.
    private func parts(at now: WallTime, _ game: Game) -> NodeWatch.Parts? {
        wanted = wanted.filter { $0.value > now }
        let streams = game.consoles.parts
        guard streams != nil || !wanted.isEmpty else { return nil }
        return wanted.keys.reduce(streams ?? []) { $0.union($1) }
    }

    /// Takes reports of other nodes. Returns whether the wall of one is not known.
    private func take(_ reports: [NodeReport], _ game: Game) -> Bool {
        let living = Set(map.others.map(\.epoch.number))
        let takesWalls = game.consoles.takesWalls
        var parts: [(node: Int64, part: WallPart)] = []
        known = known.filter { living.contains($0.key) }
        for report in reports where living.contains(report.node) {
            guard let value = JSONValue(report.body) else { continue }
            let before = known[report.node]
            var newest = Known(
                number: report.number, at: game.now, value: value,
                rates: ConsoleRates(value["rates"] ?? .null),
                isWallKnown: before?.isWallKnown == true && before?.number == report.number - 1)
            if let part = value["wall"].flatMap({ WallPart($0) }), takesWalls {
                if part.isAnew || newest.isWallKnown { parts.append((report.node, part)) }
                newest.isWallKnown = newest.isWallKnown || part.isAnew
            } else {
                newest.isWallKnown = false
            }
            known[report.node] = newest
        }
        game.consoles.take(parts, rates: known.mapValues(\.rates), living: living)
        return takesWalls && known.values.contains { !$0.isWallKnown }
    }

    /// Asks for whole walls, and again if none has come.
    private func askForWalls(at now: WallTime) {
        if let at = walls.at, now < at.adding(milliseconds: Self.waitMillisecondsMax) { return }
        walls = (walls.asked + 1, now)
    }

    // MARK: Requests

    /// Returns what all other nodes report, with these parts. The first request waits until they know
    /// that somebody asks; those that then have not reported are silent.
    func others(with parts: NodeWatch.Parts) async -> OtherNodes {
        guard map.isShared else { return OtherNodes() }
        let clock = dependencies.clock
        let began = clock.now()
        let end = began.adding(milliseconds: Self.waitMillisecondsMax)
        wanted[parts] = began.adding(seconds: Self.wantedSeconds)
        waiting += 1
        defer { waiting -= 1 }
        rest.wake()
        while true {
            let (now, nodes) = (clock.now(), map.others)
            let fresh = nodes.filter { isFresh($0, with: parts, since: began) }
            if fresh.count == nodes.count || now >= end || isStopping {
                let silent = Set(nodes).subtracting(fresh).map(\.place.name).sorted()
                let values = fresh.compactMap { node in
                    known[node.epoch.number].map { (node: node, value: $0.value) }
                }
                return OtherNodes(values: values, silent: silent)
            }
            await clock.sleep(
                min(end, now.adding(milliseconds: Self.waitingMilliseconds)), .waiting)
        }
    }

    private func isFresh(
        _ node: ServerNode, with parts: NodeWatch.Parts, since began: WallTime
    ) -> Bool {
        guard let report = known[node.epoch.number],
            report.at >= began.adding(milliseconds: -Self.freshMilliseconds)
        else { return false }
        return NodeReporter.has(parts, in: report.value)
    }
}
