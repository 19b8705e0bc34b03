internal import Foundation
internal import Programs

/// Does to a cluster what can happen to it, and undoes it.
struct ClusterFaultMaker: Sendable {
    /// How long faults last, in seconds.
    struct Lengths: Sendable {
        var pause = 30.0
        var cut = 15.0
        var down = 10.0
        var slow = 20.0
        var refusing = 120.0
        /// Between a step of the database's clock and the start of a node: all others follow it by then.
        var stepped = 15.0
        var full = 20.0

        static let short = Lengths(
            pause: 9, cut: 9, down: 9, slow: 6, refusing: 6, full: 6)
    }

    /// Between two looks whether a killed node has ended.
    private static let endSeconds = 0.01
    /// Back: phones take no timestamps of the future.
    private static let clockStepSeconds = -3600
    private static let slowMilliseconds: Int64 = 1000
    /// How long there is no proxy.
    private static let proxySeconds = 2.0

    let cluster: Cluster
    let lengths: Lengths

    /// Makes the fault, and ends it. Returns when it began.
    func make(
        _ fault: ClusterFault, at victim: Int, _ conduct: TCPRelay.Conduct
    ) async throws -> ContinuousClock.Instant {
        let node = cluster.nodes[victim]
        let began = ContinuousClock.now
        switch fault {
        case .kill:
            node.server.kill()
            while node.server.isRunning { try await wait(Self.endSeconds) }
            try await wait(lengths.down)
            try await node.server.start()
        case .pause:
            node.server.send(SIGSTOP)
            try await wait(lengths.pause)
            node.server.send(SIGCONT)
        case .pauseInChange: return try await pause(victim, at: .change)
        case .pauseInRenewal: return try await pause(victim, at: .renewal)
        case .pauseInLeaving: return try await pause(victim, at: .leaving)
        case .cutFromDatabase:
            node.beDatabase(conduct)
            try await wait(lengths.cut)
            node.beDatabase(.passes)
        case .cutFromProxy:
            node.front.be(conduct)
            try await wait(lengths.cut)
            node.front.be(.passes)
        case .killProxy:
            cluster.proxy.kill()
            try await wait(Self.proxySeconds)
            try await cluster.proxy.start()
        case .restart: try await restart(victim)
        case .rollingRestart:
            for number in cluster.nodes.indices {
                try await restart(number)
                try await cluster.untilReady()
            }
        case .failOver: try await cluster.database.failOver()
        case .restartOfDatabase: try await cluster.database.restart()
        case .steppedDatabaseClock:
            try await cluster.database.setClock(aheadBy: Self.clockStepSeconds)
            try await wait(lengths.stepped)
            try await restart(victim)
            try await cluster.untilReady()
            try await cluster.database.setClock(aheadBy: 0)
            // A node that starts before the others have followed has another time.
            try await wait(lengths.stepped)
        case .slowDatabase:
            try await everywhere(.delays(milliseconds: Self.slowMilliseconds), lengths.slow)
        case .refusingDatabase: try await everywhere(.refuses, lengths.refusing)
        case .fullDatabase:
            try await cluster.database.fill()
            try await wait(lengths.full)
            try await cluster.database.free()
        }
        return began
    }

    /// Brings back what the fault took for good.
    func repair(_ fault: ClusterFault) async throws {
        guard fault == .failOver else { return }
        try await cluster.database.addStandby()
        let ports = await cluster.database.ports
        for node in cluster.nodes {
            for (relay, port) in zip(node.database, ports) { relay.lead(to: port) }
        }
    }

    /// Pauses a node at a point of its work. One that was about to leave does so afterwards, and
    /// starts again. Returns when it was paused.
    private func pause(
        _ victim: Int, at point: ClusterPausePoint
    ) async throws -> ContinuousClock.Instant {
        let node = cluster.nodes[victim]
        let isLeaving = point == .leaving
        if isLeaving { node.server.send(SIGTERM) }
        let paused = try await cluster.database.whileWaiting(for: point.rows(of: node.name)) {
            node.server.send(SIGSTOP)
            return ContinuousClock.now
        }
        try await wait(lengths.pause)
        node.server.send(SIGCONT)
        if isLeaving { try await startAgain(victim, ended: await node.server.stopped()) }
        return paused
    }

    private func restart(_ number: Int) async throws {
        try await startAgain(number, ended: await cluster.nodes[number].server.stop())
    }

    private func startAgain(_ number: Int, ended code: Int32) async throws {
        let node = cluster.nodes[number]
        guard code == 0 else {
            throw PlayError.serverDied("node \(node.name) ended with \(code) at SIGTERM")
        }
        try await node.server.start()
    }

    private func everywhere(_ conduct: TCPRelay.Conduct, _ seconds: Double) async throws {
        for node in cluster.nodes { node.beDatabase(conduct) }
        try await wait(seconds)
        for node in cluster.nodes { node.beDatabase(.passes) }
    }

    private func wait(_ seconds: Double) async throws {
        try await Task.sleep(for: .seconds(seconds))
    }
}
