package import GameLogic

/// The name of one Live Activity, as ActivityKit gave it to the app.
package struct ActivityID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// A Live Activity's push token in lower-case hex (rule T7). Prints redacted (rule T8).
package struct PushToken: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible
{
    package let hex: String

    package init(hex: String) { self.hex = hex }

    package var description: String { "<push token>" }
    package var debugDescription: String { description }
}

/// Which of Apple's environments a token belongs to.
package enum PushEnvironment: String, Codable, Hashable, Sendable, CaseIterable {
    case sandbox, production
}

/// The languages of the String Catalog, by their codes there.
package enum Language: String, Hashable, Sendable, CaseIterable {
    case english = "en"
    case german = "de"
    case spanish = "es"
    case french = "fr"
    case japanese = "ja"
    case simplifiedChinese = "zh-Hans"

    /// The catalog's language for a tag such as "ja-JP", "zh-CN" or "zh-Hans-SG" (BCP 47); `nil`
    /// when it has none. Chinese is simplified unless the tag names the traditional script or a
    /// region that uses it.
    package init?(tag: some StringProtocol) {
        let parts = tag.split(separator: "-").map { $0.lowercased() }
        guard let first = parts.first else { return nil }
        if first == "zh" {
            let traditional: Set = ["hant", "tw", "hk", "mo"]
            guard traditional.isDisjoint(with: parts) || parts.contains("hans") else { return nil }
            self = .simplifiedChinese
        } else {
            self.init(rawValue: first)
        }
    }
}

/// What a client last said of its Live Activity (rule L10).
package enum ActivityState: String, Codable, Hashable, Sendable, CaseIterable {
    case pending, active, stale, ended, dismissed

    /// Whether the activity can still be updated (rule L11).
    package var isLiving: Bool {
        switch self {
        case .pending, .active, .stale: true
        case .ended, .dismissed: false
        }
    }
}

/// What shows a Live Activity.
package enum ActivityScreen: Hashable, Sendable, CaseIterable {
    /// An iPhone: pushes go to Apple.
    case device
    /// A page in a browser: pushes go to the stream that it keeps open, which is its token.
    case page
}

/// A Live Activity that a client has registered: on one phone, for one hero. Or those of all
/// spectators, behind a channel.
package struct ActivityRegistration: Hashable, Sendable {
    package let id: ActivityID
    package let player: PlayerID
    package internal(set) var hero: HeroID
    package let party: PartyID
    /// `nil` until the client has one, and after Apple called it dead: nothing is pushed. That of a
    /// page is its stream's.
    package var pushToken: PushToken?
    /// When the token was put first.
    package var tokenRegisteredAt: WallTime
    package var environment: PushEnvironment
    package var frequentPushesEnabled: Bool
    package var language: Language
    package let screen: ActivityScreen
    /// How many milliseconds after its registration the token was put last. In this place it takes
    /// no room of its own.
    private var confirmedAfter: UInt32
    package var osVersion: String
    package var state: ActivityState
    /// Which content states the app decodes.
    package var stateVersion: StateVersion
    /// The highest `revision` that the app has sent: a registration with a lower one is late. 0: the
    /// app has sent none.
    package var revision: UInt32
    /// When the phone stays silent; `nil`: the app has not named its time zone.
    package var quietHours: QuietHours?
    /// The activity's device, if the app named it: no other activity of the hero is started there.
    package var device: DeviceID?
    /// Where spectators listen; then there is no push token, and there will never be one.
    package let channel: ChannelName?
    package let createdAt: WallTime

    package init(
        id: ActivityID, player: PlayerID, hero: HeroID, party: PartyID,
        screen: ActivityScreen = .device, pushToken: PushToken?,
        tokenRegisteredAt: WallTime, tokenConfirmedAt: WallTime? = nil,
        environment: PushEnvironment, frequentPushesEnabled: Bool,
        language: Language, osVersion: String, state: ActivityState,
        stateVersion: StateVersion = .first, revision: UInt32 = 0, quietHours: QuietHours? = nil,
        device: DeviceID? = nil, channel: ChannelName? = nil, createdAt: WallTime
    ) {
        self.id = id
        self.player = player
        self.hero = hero
        self.party = party
        self.screen = screen
        self.pushToken = pushToken
        self.tokenRegisteredAt = tokenRegisteredAt
        self.environment = environment
        self.frequentPushesEnabled = frequentPushesEnabled
        self.language = language
        self.osVersion = osVersion
        self.state = state
        self.stateVersion = stateVersion
        self.revision = revision
        self.quietHours = quietHours
        self.device = device
        self.channel = channel
        self.createdAt = createdAt
        confirmedAfter = Self.confirmedAfter(tokenConfirmedAt, tokenRegisteredAt)
    }
}

extension ActivityRegistration {
    /// When the device put the token last: what APNs says of an earlier push, or dates before,
    /// does not retire it (A6). At most 49 days after its registration.
    package var tokenConfirmedAt: WallTime {
        tokenRegisteredAt.adding(milliseconds: Int64(confirmedAfter))
    }

    /// Keeps the age of the token that the activity has already, if the device has now put it again.
    /// The time of that, or of another token, is a new one, even if the clock has been set back.
    package mutating func confirmToken(of known: ActivityRegistration, at now: WallTime) {
        let next = max(now, known.tokenConfirmedAt.adding(milliseconds: 1))
        let isSame = pushToken != nil && pushToken == known.pushToken
        tokenRegisteredAt = isSame ? known.tokenRegisteredAt : next
        confirmedAfter = Self.confirmedAfter(next, tokenRegisteredAt)
    }

    /// Returns whether an accepted registration supersedes this one: one with a higher revision, or
    /// with the same revision and another token.
    package func isOlder(than known: ActivityRegistration) -> Bool {
        guard revision > 0 else { return false }
        return revision < known.revision
            || revision == known.revision && pushToken != known.pushToken
    }

    private static func confirmedAfter(_ time: WallTime?, _ registered: WallTime) -> UInt32 {
        UInt32(clamping: (time ?? registered).milliseconds - registered.milliseconds)
    }
}

extension ActivityRegistration {
    /// The same, with the party's own texts where they are equal: a text of its own for each
    /// activity would be most of what it costs in memory.
    package func sharingTexts(of party: Party) -> ActivityRegistration {
        let hero = party.hero(hero)
        return ActivityRegistration(
            id: id, player: hero.map { $0.owner == player ? $0.owner : player } ?? player,
            hero: hero?.id ?? self.hero, party: party.id == self.party ? party.id : self.party,
            screen: screen, pushToken: pushToken, tokenRegisteredAt: tokenRegisteredAt,
            tokenConfirmedAt: tokenConfirmedAt, environment: environment,
            frequentPushesEnabled: frequentPushesEnabled, language: language,
            osVersion: osVersion, state: state, stateVersion: stateVersion, revision: revision,
            quietHours: quietHours, device: device, channel: channel, createdAt: createdAt)
    }
}
