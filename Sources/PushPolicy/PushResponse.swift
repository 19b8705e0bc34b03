/// What became of a push, for the ledger: the response of APNs, or why there is none.
package struct PushResponse: Hashable, Sendable {
    /// Why APNs has not responded.
    package enum Silence: String, Sendable, CaseIterable {
        case notSent = "not sent"
        case heldBack = "held back"
        case unknown = "outcome unknown"
        case unreadable = "cannot be written"
        case noChannels = "channels are off"
        case paused = "pushes are paused"
        case newToken = "new tokens of the player wait"
        case noPage = "its page is not open"
        case expired = "expired before its page took it"
        case linted = "a device would not understand it"
    }

    /// The HTTP status; 0 without a response of APNs.
    package let status: Int
    /// Apple's reason, or a `Silence`; empty for an accepted push.
    package let reason: String
    package let at: WallTime

    package init(status: Int, reason: String, at: WallTime) {
        self.status = status
        self.reason = reason
        self.at = at
    }

    package init(_ silence: Silence, at: WallTime) {
        self.init(status: 0, reason: silence.rawValue, at: at)
    }

    package var isAccepted: Bool { status == 200 }
}
