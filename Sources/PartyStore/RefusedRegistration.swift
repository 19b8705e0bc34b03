package import GameLogic
package import PushPolicy

/// A registration of a Live Activity that was refused: the newest one of its activity.
package struct RefusedRegistration: Hashable, Sendable {
    package let party: PartyID
    package let activity: ActivityID
    package let player: PlayerID
    /// The HTTP status and the sentence of the refusal.
    package let status: Int
    package let detail: String
    package let at: WallTime

    package init(
        party: PartyID, activity: ActivityID, player: PlayerID, status: Int, detail: String,
        at: WallTime
    ) {
        self.party = party
        self.activity = activity
        self.player = player
        self.status = status
        self.detail = detail
        self.at = at
    }
}

/// A page of a list; `next`: where the following one begins, `nil`: this is the last one.
package struct ListPage<Element: Sendable, Key: Sendable>: Sendable {
    package let elements: [Element]
    package let next: Key?

    package init(elements: [Element], next: Key?) {
        self.elements = elements
        self.next = next
    }
}
