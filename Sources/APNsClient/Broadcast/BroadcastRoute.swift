/// Which of two hosts takes broadcasts: the first, until proven otherwise. Pure.
struct BroadcastRoute: Hashable, Sendable {
    /// One of the two.
    enum Host: Hashable, Sendable {
        case publishing, alternative
    }

    /// What to do with the broadcast.
    enum Action: Hashable, Sendable {
        /// Report the host's outcome.
        case finish
        /// Send it to the other host; this one did nothing.
        case sendTo(Host)
    }

    private enum State: Hashable {
        case undecided
        case settled(Host)
    }

    private var state: State
    private let hasAlternative: Bool

    init(_ hosts: BroadcastHosts) {
        hasAlternative = hosts.alternative != nil
        state = hasAlternative ? .undecided : .settled(.publishing)
    }

    /// The first host for the next broadcast.
    var host: Host {
        switch state {
        case .undecided: .publishing
        case .settled(let host): host
        }
    }

    /// Remembers a host that takes broadcasts. Leaves a settled host that stops taking them,
    /// because Apple may move, and tries the other.
    mutating func record(_ sign: BroadcastSign, from host: Host, attempt: Int) -> Action {
        switch (sign, state) {
        case (.knowsBroadcasts, _):
            state = .settled(host)
            return .finish
        case (.silent, _), (.unreachable, .settled): return .finish
        case (.takesNone, _), (.unreachable, .undecided):
            if sign == .takesNone, hasAlternative { state = .undecided }
            guard hasAlternative, attempt == 1 else { return .finish }
            return .sendTo(host == .publishing ? .alternative : .publishing)
        }
    }
}
