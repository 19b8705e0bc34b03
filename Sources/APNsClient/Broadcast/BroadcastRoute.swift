/// Which of two hosts takes broadcasts: the first one, until it turns out to be the other. Pure.
struct BroadcastRoute: Hashable, Sendable {
    /// One of the two.
    enum Host: Hashable, Sendable {
        case publishing, alternative
    }

    /// What to do with the broadcast.
    enum Action: Hashable, Sendable {
        /// Report what the host said.
        case finish
        /// Send it to the other host; nothing has happened at this one.
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

    /// Where the next broadcast goes first.
    var host: Host {
        switch state {
        case .undecided: .publishing
        case .settled(let host): host
        }
    }

    /// A host that knows broadcasts is remembered. A settled one that takes none any more is left:
    /// Apple may move, and then the other one is tried.
    mutating func heard(_ sign: BroadcastSign, from host: Host, attempt: Int) -> Action {
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
