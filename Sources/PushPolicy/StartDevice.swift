package import GameLogic

/// A device, by the name that its app has chosen for this player.
package struct DeviceID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// A device on which activities can be started by push: an app's installation, which has one
/// push-to-start token for `AdventureAttributes` at a time.
package struct StartDevice: Hashable, Sendable {
    /// A player may have several devices, and builds for both environments on one of them.
    package struct Key: Hashable, Sendable {
        package let player: PlayerID
        package let environment: PushEnvironment
        package let device: DeviceID

        package init(player: PlayerID, environment: PushEnvironment, device: DeviceID) {
            self.player = player
            self.environment = environment
            self.device = device
        }
    }

    /// What the app reported with its token.
    package struct Traits: Hashable, Sendable {
        /// When the token was registered.
        package var tokenRegisteredAt: WallTime
        /// When the app put the token last: what APNs says of an earlier push, or dates before,
        /// does not retire it.
        package var tokenConfirmedAt: WallTime
        package var language: Language
        package var osVersion: String
        package var frequentPushesEnabled: Bool

        package init(
            tokenRegisteredAt: WallTime, tokenConfirmedAt: WallTime? = nil, language: Language,
            osVersion: String, frequentPushesEnabled: Bool
        ) {
            self.tokenRegisteredAt = tokenRegisteredAt
            self.tokenConfirmedAt = tokenConfirmedAt ?? tokenRegisteredAt
            self.language = language
            self.osVersion = osVersion
            self.frequentPushesEnabled = frequentPushesEnabled
        }

        /// Keeps the age of the token that is known already, which the app has now put again. The
        /// time of that is a new one, even if the clock has been set back.
        package mutating func confirmToken(of known: Traits) {
            tokenRegisteredAt = known.tokenRegisteredAt
            tokenConfirmedAt = max(
                tokenConfirmedAt, known.tokenConfirmedAt.adding(milliseconds: 1))
        }

        /// Whether starts request a push token. `input-push-token` came with iOS 18, and an older
        /// system drops a start that contains it. An unreadable version counts as an old one.
        package var asksForPushToken: Bool {
            guard let major = Int(osVersion.prefix { $0 != "." }) else { return false }
            return major >= 18
        }
    }

    package let key: Key
    /// `nil` after the app removed it or Apple reported it as dead. The device stays known for its
    /// guard.
    package var token: PushToken?
    package var traits: Traits
    package var starts: DeviceStarts
    /// How often the stored device was written: a party's change writes the device only if nobody
    /// else has written it meanwhile. The store increments it.
    package var version: Int64 = 0

    package init(key: Key, token: PushToken?, traits: Traits, starts: DeviceStarts = .init()) {
        self.key = key
        self.token = token
        self.traits = traits
        self.starts = starts
    }

    /// The starts since the app registered its token last that no activity has followed.
    package var unfollowedStarts: Int {
        starts.unfollowed(since: traits.tokenConfirmedAt).count
    }

    /// Returns whether a start of the party's adventure has gone to the device, and its app has said
    /// nothing since: it may still report the activity.
    func awaitsActivity(in party: Party) -> Bool {
        let heardAt = max(traits.tokenConfirmedAt, starts.contactedAt ?? traits.tokenConfirmedAt)
        return starts.unfollowed(since: heardAt).contains { $0.isStart(in: party) }
    }
}
