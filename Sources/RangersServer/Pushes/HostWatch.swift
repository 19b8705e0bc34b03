internal import APNsClient
internal import Isolation
internal import PushPolicy

/// One of the hosts that pushes go to.
enum PushHost: Hashable, Sendable, CaseIterable {
    case main
    /// The sandbox beside production.
    case sandbox
}

/// What is known of a host, for the gates of all loops: whether it takes pushes, and when the next
/// try may go.
///
/// The client knows when nothing gets through. Refusals of every push by the host are known here.
final class HostWatch: Sendable {
    enum Permission: Hashable, Sendable {
        /// The host takes pushes.
        case open
        case probe
        case wait(until: WallTime)
    }

    /// How often a loop that waits asks, in milliseconds: another loop may have found meanwhile that
    /// the host takes pushes.
    private static let askingPause: Int64 = 1_000

    fileprivate struct State {
        /// While the host refuses every push.
        var refusing: ProbePauses?
        /// While nothing gets through: until then a party has the next try, and its push has not
        /// reached the client yet. From then on the client's own pause holds back the others.
        var tryUntil: WallTime?
        var outage = OutageLog()
    }

    private let host: PushHost
    private let sender: any PushSender
    private let log: Log
    private let dice: @Sendable () -> Double
    private let state = Locked(State())

    init(
        _ host: PushHost, _ sender: any PushSender, log: Log,
        dice: @escaping @Sendable () -> Double = { RandomSource.fraction() }
    ) {
        self.host = host
        self.sender = sender
        self.log = log
        self.dice = dice
    }

    /// Whether the host refuses every push.
    var isRefusing: Bool { state.withLock { $0.refusing != nil } }

    /// Whether nothing gets through to the host.
    var isUnreachable: Bool { sender.hostPauseMilliseconds != nil }

    /// Returns whether a party may try. After `probe`, report what became of it.
    func permission(at now: WallTime) -> Permission {
        let pause = sender.hostPauseMilliseconds
        return state.withLock { state in
            if let pause, pause > 0 {
                state.tryUntil = nil
                let end = now.adding(milliseconds: pause)
                return .wait(until: Self.asksAgain(before: end, at: now))
            }
            guard var refusing = state.refusing else {
                return pause == nil ? .open : state.allowTry(at: now)
            }
            guard refusing.nextAt <= now.milliseconds else {
                return .wait(
                    until: Self.asksAgain(
                        before: WallTime(milliseconds: refusing.nextAt), at: now))
            }
            refusing.probe(at: now.milliseconds)
            state.refusing = refusing
            return .probe
        }
    }

    /// Returns when a loop asks again that must wait until `time`.
    fileprivate static func asksAgain(before time: WallTime, at now: WallTime) -> WallTime {
        min(time, now.adding(milliseconds: askingPause))
    }

    /// Notes that nothing gets through. Returns when to ask for the next try.
    func unreachable(at now: WallTime) -> WallTime {
        let pause = sender.hostPauseMilliseconds ?? SendingGate.probeDistance
        return state.withLock { state in
            if pause > 0 { state.tryUntil = nil }
            state.outage.begin(at: now)
            let end = now.adding(milliseconds: pause)
            guard var refusing = state.refusing else { return Self.asksAgain(before: end, at: now) }
            refusing.failed(at: now.milliseconds, dice: dice())
            state.refusing = refusing
            return Self.asksAgain(
                before: max(WallTime(milliseconds: refusing.nextAt), end), at: now)
        }
    }

    /// Notes that the host refuses every push. Returns when to ask for the next try.
    func refuses(at now: WallTime) -> WallTime {
        state.withLock { state in
            state.outage.begin(at: now)
            var refusing =
                state.refusing ?? ProbePauses(at: now.milliseconds, dice: dice())
            refusing.failed(at: now.milliseconds, dice: dice())
            state.refusing = refusing
            return Self.asksAgain(
                before: WallTime(milliseconds: refusing.nextAt), at: now)
        }
    }

    /// Notes that the party chosen to try has sent nothing.
    func didNotProbe(at now: WallTime) {
        state.withLock { state in
            state.tryUntil = nil
            state.refusing?.didNotProbe(at: now.milliseconds)
        }
    }

    /// Notes that the host takes pushes.
    func takesPushes(at now: WallTime) {
        let over = state.withLock { state in
            state.refusing = nil
            state.tryUntil = nil
            return state.outage.end(at: now)
        }
        guard let over else { return }
        log.info(
            "APNs accepts pushes again",
            [
                "host": "\(host)", "seconds": "\(over.seconds)",
                "failures": "\(over.failures)",
            ])
    }

    /// Counts a failure that may concern every push. Returns how many were not logged since the last
    /// one that was; `nil`: do not log this one either.
    func notesFailure(at now: WallTime) -> Int? {
        state.withLock { $0.outage.failed(at: now) }
    }
}

extension HostWatch.State {
    /// Gives the next try to one party, unless another has it.
    fileprivate mutating func allowTry(at now: WallTime) -> HostWatch.Permission {
        if let tryUntil, now < tryUntil {
            return .wait(until: HostWatch.asksAgain(before: tryUntil, at: now))
        }
        tryUntil = now.adding(milliseconds: ProbePauses.pauseMax)
        return .probe
    }
}

/// What is known of all hosts that pushes go to.
struct HostWatches: Sendable {
    let main: HostWatch
    let sandbox: HostWatch?

    init(_ senders: PushSenders, log: Log) {
        main = HostWatch(.main, senders.main, log: log)
        sandbox = senders.sandbox.map { HostWatch(.sandbox, $0, log: log) }
    }

    subscript(_ host: PushHost) -> HostWatch? {
        switch host {
        case .main: main
        case .sandbox: sandbox
        }
    }
}
