package import PushPolicy

/// A target that must receive no more pushes.
package enum InvalidTarget: Hashable, Sendable {
    case token(InvalidToken)
    /// A channel that does not exist at Apple, or that this server can no longer publish to.
    case channel(ChannelName)
}

/// A token that Apple reports as dead.
package struct InvalidToken: Hashable, Sendable {
    package let token: PushToken
    /// When it had been put last, before the push that shows this. Put again since, it lives.
    package let confirmedAt: WallTime

    package init(token: PushToken, confirmedAt: WallTime) {
        self.token = token
        self.confirmedAt = confirmedAt
    }
}
