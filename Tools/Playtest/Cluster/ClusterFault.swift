/// What happens to a cluster in its worst minutes.
package enum ClusterFault: String, CaseIterable, Sendable {
    case kill, pause, pauseInChange, pauseInRenewal, pauseInLeaving
    case cutFromDatabase, cutFromProxy, killProxy, restart
    case rollingRestart, failOver, restartOfDatabase, steppedDatabaseClock
    case slowDatabase, refusingDatabase, fullDatabase

    /// In words, with the node that it happens to.
    func words(_ node: String) -> String {
        switch self {
        case .kill: "node \(node) killed"
        case .pause: "node \(node) paused"
        case .pauseInChange: "node \(node) paused while it changes parties"
        case .pauseInRenewal: "node \(node) paused while it renews its lease"
        case .pauseInLeaving: "node \(node) paused while it gives its shards away"
        case .cutFromDatabase: "node \(node) cut from the database"
        case .cutFromProxy: "node \(node) cut from the proxy"
        case .killProxy: "proxy killed"
        case .restart: "node \(node) restarted"
        case .rollingRestart: "all nodes restarted in turn"
        case .failOver: "primary killed, standby promoted"
        case .restartOfDatabase: "database restarted"
        case .steppedDatabaseClock: "clock set back, node \(node) restarted"
        case .slowDatabase: "database slow"
        case .refusingDatabase: "database refuses connections"
        case .fullDatabase: "disk of the database full"
        }
    }

    /// Whether the whole database is away, so that all parties wait for its return.
    var isOfDatabase: Bool {
        switch self {
        case .kill, .pause, .pauseInChange, .pauseInRenewal, .pauseInLeaving, .cutFromDatabase,
            .cutFromProxy, .killProxy, .restart, .rollingRestart, .steppedDatabaseClock:
            false
        case .failOver, .restartOfDatabase, .slowDatabase, .refusingDatabase, .fullDatabase: true
        }
    }

    /// Whether the node may lose its place among the others by it.
    func mayRemove(_ node: Int, victim: Int) -> Bool {
        switch self {
        case .rollingRestart: true
        case .kill, .pause, .pauseInChange, .pauseInRenewal, .pauseInLeaving, .cutFromDatabase,
            .restart, .steppedDatabaseClock:
            node == victim
        case .cutFromProxy, .killProxy, .failOver, .restartOfDatabase, .slowDatabase,
            .refusingDatabase, .fullDatabase:
            false
        }
    }

    /// Whether it lasts so long that some of it are enough.
    var isLong: Bool { [.slowDatabase, .refusingDatabase, .fullDatabase].contains(self) }

    /// Whether a node is paused, at any point of its work or at a certain one.
    var isPause: Bool {
        [.pause, .pauseInChange, .pauseInRenewal, .pauseInLeaving].contains(self)
    }

    /// Whether a node stops to be one at its beginning, without a word to the others.
    var isSilentDeath: Bool { isPause || [.kill, .cutFromDatabase].contains(self) }

    /// Whether nodes get SIGTERM and start again, and nothing else harms any.
    var isRestart: Bool { [.restart, .rollingRestart, .steppedDatabaseClock].contains(self) }

    /// Whether the short form has it: what differs most for the nodes.
    var isOfShortForm: Bool {
        [.kill, .pauseInChange, .cutFromDatabase, .killProxy, .rollingRestart, .failOver]
            .contains(self)
    }

    /// Whether it makes sense for several nodes only.
    var needsSeveralNodes: Bool { self == .pauseInLeaving }

    /// Counts late ticks. A node that was paused, or cut from the database, has ticks that it is then
    /// refused.
    func lateTicks(in counts: [Int], at victim: Int) -> Int {
        let isExcused = isPause || self == .cutFromDatabase
        return counts.enumerated().reduce(0) { sum, node in
            isExcused && node.offset == victim ? sum : sum + node.element
        }
    }

    /// How many pushes may arrive twice, if so many were in flight before.
    func doublesMax(_ inFlight: Int, nodes: Int) -> Int {
        // A push is in flight when nothing else is.
        (inFlight + 8) * (self == .rollingRestart ? nodes : 1)
    }
}
