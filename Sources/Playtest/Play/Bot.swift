internal import GameLogic

/// A player who plays by rule: registers, brings a hero, hands over a Live Activity, and uses
/// potions where they help.
struct Bot: Sendable {
    let api: GameAPI
    let hero: String
    let heroName: String
    private(set) var activity: String
    let language: String
    private(set) var pushToken: String
    /// The bearer token, for a run that goes on later.
    let bearer: String
    /// With it the bot's card can be begun by push; `nil`: its app is awake, and begins it.
    private(set) var startToken: String?
    private(set) var osVersion = "18.1"

    /// Registers a player with a hero. Calls of unknown fate leave an orphan, and are made anew.
    static func make(
        _ role: Cast.Role, language: String, api: GameAPI, persistence: Persistence,
        dice: inout SeededRandom
    ) async throws -> Bot {
        let registration = try await persistence.insist { try await api.registerPlayer() }
        let own = api.signedIn(registration.token)
        let hero = try await persistence.insist {
            try await own.createHero(
                NewHero(
                    name: role.name, avatar: role.avatar, heroType: role.heroType,
                    healthRecoveryRatePerHour: role.healthRecoveryRatePerHour))
        }
        var bot = Bot(
            api: own, hero: hero.id, heroName: role.name, activity: "", language: language,
            pushToken: "", bearer: registration.token)
        bot.requestActivity(&dice)
        return bot
    }

    /// What ActivityKit would tell the app of its Live Activity.
    var registration: NewActivity {
        NewActivity(
            hero: hero, pushToken: pushToken, environment: "sandbox",
            frequentPushesEnabled: true, language: language, osVersion: osVersion,
            device: device)
    }

    /// The phone's name, which is the same for all of its cards.
    var device: String { "phone-of-\(hero)" }

    /// Whether the bot waits for a push to begin its card.
    var isAsleep: Bool { startToken != nil }

    /// What the app has handed over before it fell asleep.
    var startRegistration: NewStartToken? {
        startToken.map {
            NewStartToken(
                pushToStartToken: $0, attributesType: "AdventureAttributes",
                environment: "sandbox", frequentPushesEnabled: true, language: language,
                osVersion: osVersion)
        }
    }

    /// The app goes to sleep, on a phone with this system.
    mutating func fallAsleep(osVersion: String, _ dice: inout SeededRandom) {
        var own = ownDice(&dice)
        startToken = Self.hex(40, &own)
        self.osVersion = osVersion
    }

    /// The player opens the app.
    mutating func wakeUp() { startToken = nil }

    /// A new adventure has a new Live Activity, with a token of its own (T1).
    mutating func requestActivity(_ dice: inout SeededRandom) {
        var own = ownDice(&dice)
        activity = "activity-" + Self.hex(8, &own)
        rotateToken(&dice)
    }

    /// The system has changed the push token (T4).
    mutating func rotateToken(_ dice: inout SeededRandom) {
        var own = ownDice(&dice)
        pushToken = Self.hex(40, &own)
    }

    /// The hero's id, which the server chose, keeps runs of the same seed apart.
    private func ownDice(_ dice: inout SeededRandom) -> SeededRandom {
        SeededRandom(seed: dice.next() ^ SeededRandom.seed(of: hero))
    }

    /// When a bot reaches for a potion.
    enum Temper: Hashable, Sendable {
        /// Before it falls.
        case careful
        /// When it has fallen: the alert asks for it.
        case bold
    }

    /// Whom the bot gives a potion now: itself when it is down, then a fallen friend who has
    /// none, then itself when it is weak.
    func potionTarget(in party: PartyState, temper: Temper) -> String? {
        guard let own = party.hero(hero), own.potions > 0 else { return nil }
        if own.isKnockedDown { return hero }
        guard own.isStanding else { return nil }
        if let friend = party.heroes.first(where: { $0.isKnockedDown && $0.potions == 0 }) {
            return friend.id
        }
        return temper == .careful && own.health < 0.25 ? hero : nil
    }

    /// So many random bytes in lower-case hex, as tokens are reported (T7).
    private static func hex(_ bytes: Int, _ dice: inout SeededRandom) -> String {
        (0..<bytes).map { _ in
            let byte = dice.draw(in: 0...255)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

extension SeededRandom {
    /// The same seed for the same text (FNV-1a), unlike `hashValue`.
    fileprivate static func seed(of text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
