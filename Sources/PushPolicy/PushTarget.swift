package import GameLogic

/// A broadcast channel's id, as APNs made it: base64. It is no secret, and spectators need it.
package struct ChannelName: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// Where the pushes of one activity go.
package enum PushTarget: Hashable, Sendable {
    /// One card on one phone.
    case device(PushToken)
    /// Every card that listens.
    case channel(ChannelName)
}

extension ActivityRegistration {
    /// Where pushes go; `nil` as long as the client has no token.
    package var target: PushTarget? {
        channel.map(PushTarget.channel) ?? pushToken.map(PushTarget.device)
    }

    /// Whether pushes have somewhere to go.
    package var hasTarget: Bool { channel != nil || pushToken != nil }

    /// Whom the activity reaches.
    package var recipient: Recipient { channel == nil ? .player : .spectator }

    /// A spectators' channel is one more activity that watches the party: all of them show one
    /// card, through the eyes of one hero.
    ///
    /// - Parameters:
    ///   - channel: Its name goes into the activity's own, which no client can choose.
    ///   - environment: Where the channel lives.
    ///   - player: Who opened it.
    ///   - hero: Whose health the spectators see.
    ///   - party: What they watch.
    ///   - language: One for all, since all get the same bytes.
    ///   - now: When it was opened.
    /// - Returns: Their registration, with the channel where others have a token.
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

    /// The same cards through the eyes of another hero: spectators watch the party, and stay when
    /// its leader goes.
    package func seen(through hero: HeroID) -> ActivityRegistration {
        var same = self
        same.hero = hero
        return same
    }
}
