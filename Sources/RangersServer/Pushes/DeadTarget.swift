package import PushPolicy

/// Where pushes must not go any more.
package enum DeadTarget: Hashable, Sendable {
    case token(DeadToken)
    /// Apple knows no such channel, or the server has none any more.
    case channel(ChannelName)

    var target: PushTarget {
        switch self {
        case .token(let dead): .device(dead.token)
        case .channel(let channel): .channel(channel)
        }
    }
}

/// A token that Apple called dead.
package struct DeadToken: Hashable, Sendable {
    package let token: PushToken
    /// Since when, if Apple says so (410).
    package let since: WallTime?

    package init(token: PushToken, since: WallTime?) {
        self.token = token
        self.since = since
    }
}
