package import GameLogic
package import PushPolicy

/// What became of one push.
package struct PushAnswer: Sendable {
    package let party: PartyID
    package let order: PushOrder
    package let result: PushResult
    package let deadToken: DeadToken?

    package init(party: PartyID, order: PushOrder, result: PushResult, deadToken: DeadToken?) {
        self.party = party
        self.order = order
        self.result = result
        self.deadToken = deadToken
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
