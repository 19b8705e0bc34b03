package import GameLogic

/// A device, by the name that the app on it has chosen for this player.
package struct DeviceID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// A device on which cards can be started by push: an app's install, which has one push-to-start
/// token for `AdventureAttributes` at a time.
package struct StartDevice: Hashable, Sendable {
    /// A player may have several devices, and a build of each environment on one of them.
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

    /// What the app said of itself with its token.
    package struct Traits: Hashable, Sendable {
        /// When the token was put: a 410 with an older time does not retire it.
        package var tokenRegisteredAt: WallTime
        package var language: Language
        package var osVersion: String
        package var frequentPushesEnabled: Bool

        package init(
            tokenRegisteredAt: WallTime, language: Language, osVersion: String,
            frequentPushesEnabled: Bool
        ) {
            self.tokenRegisteredAt = tokenRegisteredAt
            self.language = language
            self.osVersion = osVersion
            self.frequentPushesEnabled = frequentPushesEnabled
        }

        /// `input-push-token` came with iOS 18: an older system that finds it in a start drops
        /// the push. A version that cannot be read is taken for an old one.
        package var asksForPushToken: Bool {
            guard let major = Int(osVersion.prefix { $0 != "." }) else { return false }
            return major >= 18
        }
    }

    package let key: Key
    /// `nil` after the app took it back, and after Apple called it dead. The device stays known
    /// for its guard's sake.
    package var token: PushToken?
    package var traits: Traits
    package var starts: DeviceStarts
    /// How often the stored device has been written: a change of a party writes the device only if
    /// nobody else has written it meanwhile. The store raises it.
    package var version: Int64 = 0

    package init(key: Key, token: PushToken?, traits: Traits, starts: DeviceStarts = .init()) {
        self.key = key
        self.token = token
        self.traits = traits
        self.starts = starts
    }
}
