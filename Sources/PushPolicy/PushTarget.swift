package import GameLogic

/// A broadcast channel's id, as APNs created it: base64. It is not secret, and spectators need it.
package struct ChannelName: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The target of one activity's pushes.
package enum PushTarget: Hashable, Sendable {
    /// One activity on one device.
    case device(PushToken)
    /// Every activity that follows the channel.
    case channel(ChannelName)
    /// A browser phone's open stream. Each stream has a token of its own, made by this server.
    case page(PushToken)
}

extension ActivityRegistration {
    /// The target of pushes; `nil` while the client has no token.
    package var target: PushTarget? {
        if let channel { return .channel(channel) }
        switch screen {
        case .device: return pushToken.map(PushTarget.device)
        case .page: return pushToken.map(PushTarget.page)
        }
    }

    /// Whether pushes have a target.
    package var hasTarget: Bool { channel != nil || pushToken != nil }

    /// Whether pushes go to one of Apple's devices, whose new tokens are tried with care.
    var isAtDevice: Bool { channel == nil && screen == .device }

    /// Whom the activity reaches.
    package var recipient: Recipient { channel == nil ? .player : .spectator }

    /// Returns the registration of a spectators' channel, which is one more activity of the party:
    /// all spectators see the same content, that of one hero.
    ///
    /// - Parameters:
    ///   - channel: The channel. The activity's id contains its name, which no client can choose.
    ///   - environment: The channel's environment.
    ///   - player: The player who opened it.
    ///   - hero: The hero whose health spectators see.
    ///   - party: The party that they follow.
    ///   - language: One language for all, since all receive the same bytes.
    ///   - now: When it was opened.
    /// - Returns: The registration, with a channel in place of a token.
    package static func spectators(
        on channel: ChannelName, in environment: PushEnvironment, openedBy player: PlayerID,
        through hero: HeroID, of party: PartyID, language: Language, at now: WallTime
    ) -> ActivityRegistration {
        ActivityRegistration(
            id: ActivityID("channel/\(channel)"), player: player, hero: hero, party: party,
            pushToken: nil, tokenRegisteredAt: now, environment: environment,
            frequentPushesEnabled: false, language: language, osVersion: "", state: .active,
            channel: channel, createdAt: now)
    }

    /// Returns the registration with another hero: spectators follow the party, and stay when its
    /// leader leaves.
    package func seen(through hero: HeroID) -> ActivityRegistration {
        var same = self
        same.hero = hero
        return same
    }
}
