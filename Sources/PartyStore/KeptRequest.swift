package import GameLogic
package import PushPolicy

/// A request that its player may repeat: the hashes of its `Idempotency-Key` and of itself.
package struct RequestKey: Hashable, Sendable {
    package let player: PlayerID
    /// SHA-256 of the header's value, in hex.
    package let key: String
    /// SHA-256 of method, path and body, in hex: the same key with another one is refused.
    package let request: String

    package init(player: PlayerID, key: String, request: String) {
        self.player = player
        self.key = key
        self.request = request
    }
}

/// What is kept of a completed request, so that repeating it changes nothing
/// and gets the same result. It contains no secret and no body.
package struct KeptRequest: Hashable, Sendable {
    /// The most requests of one player that are kept; beyond it the oldest goes.
    package static let countMax = 200
    /// How long a request is kept, in seconds. A time that lies ahead is that of a wrong clock and
    /// counts as now.
    package static let keptSeconds: Int64 = 24 * 3600

    /// What the response shows, in its present state.
    package enum Object: Hashable, Sendable {
        case nothing
        case party(PartyID)
        case hero(HeroID)
        /// What a device has to do with its Live Activities.
        case reconciliation
        /// A secret that the server returned once and no longer has.
        case secret
    }

    package let key: RequestKey
    package let status: Int
    package let object: Object
    package let at: WallTime

    package init(key: RequestKey, status: Int, object: Object, at: WallTime) {
        self.key = key
        self.status = status
        self.object = object
        self.at = at
    }

    /// The time at which rows are no longer kept.
    package static func keptSince(_ now: WallTime) -> WallTime {
        now.adding(seconds: -keptSeconds)
    }
}
