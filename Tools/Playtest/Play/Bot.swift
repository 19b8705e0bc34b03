internal import GameLogic

/// A player with fixed rules: registers, creates a hero, registers a Live Activity, and taps the
/// button of its card where it helps.
struct Bot: Sendable {
    let api: GameAPI
    let hero: String
    let heroName: String
    private(set) var activity: String
    let language: String
    private(set) var pushToken: String
    /// The bearer token, for a later run.
    let bearer: String
    /// The push-to-start token for the bot's activity; `nil`: its app is running and starts the
    /// activity.
    private(set) var startToken: String?
    private(set) var osVersion = "18.1"
    /// How many tokens the activity has had.
    private(set) var revision = 0
    /// Whether the phone is a page in a browser.
    var isPage = false

    /// Registers a player with a hero. A call with an unknown outcome leaves an orphan and is
    /// repeated.
    static func make(
        _ role: HeroRole, language: String, api: GameAPI, retries: RetryPolicy,
        dice: inout SeededRandom
    ) async throws -> Bot {
        let registration = try await retries.untilAnswered { try await api.registerPlayer() }
        let own = api.signedIn(registration.token)
        let hero = try await retries.untilAnswered {
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

    /// The Live Activity's registration, as from ActivityKit.
    var registration: NewActivity {
        NewActivity(
            hero: hero, pushToken: isPage ? nil : pushToken, page: isPage ? true : nil,
            environment: isPage ? nil : "sandbox", frequentPushesEnabled: true,
            language: language, osVersion: osVersion, device: device, stateVersion: 2,
            revision: isPage ? nil : revision)
    }

    /// The phone's name, the same for all of its activities.
    var device: String { "phone-of-\(hero)" }

    /// Whether the bot waits for a push to start its activity.
    var isAsleep: Bool { startToken != nil }

    /// The registration that the app sent while it was running.
    var startRegistration: NewStartToken? {
        startToken.map {
            NewStartToken(
                pushToStartToken: $0, attributesType: "AdventureAttributes",
                environment: "sandbox", frequentPushesEnabled: true, language: language,
                osVersion: osVersion)
        }
    }

    /// Closes the app, on a phone with this system version.
    mutating func fallAsleep(osVersion: String, _ dice: inout SeededRandom) {
        var own = ownDice(&dice)
        startToken = Self.hex(40, &own)
        self.osVersion = osVersion
    }

    /// Opens the app.
    mutating func wakeUp() { startToken = nil }

    /// Creates a new adventure's Live Activity, with its own token (T1).
    mutating func requestActivity(_ dice: inout SeededRandom) {
        var own = ownDice(&dice)
        activity = "activity-" + Self.hex(8, &own)
        revision = 0
        rotateToken(&dice)
    }

    /// Changes the push token, as the system does (T4).
    mutating func rotateToken(_ dice: inout SeededRandom) {
        var own = ownDice(&dice)
        pushToken = Self.hex(40, &own)
        revision += 1
    }

    /// Keeps the token that it had: the activity has ended.
    mutating func keep(token: String) { pushToken = token }

    /// Returns dice seeded with the hero's id, which the server chose, so that runs of the same
    /// seed differ.
    private func ownDice(_ dice: inout SeededRandom) -> SeededRandom {
        SeededRandom(seed: dice.next() ^ SeededRandom.seed(of: hero))
    }

    /// When a bot uses a potion.
    enum Temper: Hashable, Sendable {
        /// Before it is knocked down.
        case careful
        /// After it is knocked down: the alert asks for it.
        case bold
    }

    /// What the bot does about its card's button.
    enum Tap: Hashable, Sendable {
        case usePotion(on: String)
        case sayYes(ask: Int, button: String)
    }

    /// Returns what the bot does when it sees this button; `nil`: nothing. Of two neighbours in the
    /// party one says yes to each question.
    func tap(_ button: CardButton, temper: Temper, place: Int) -> Tap? {
        switch (button, temper) {
        case (.drink(.down), _), (.drink(.danger), .careful): .usePotion(on: hero)
        case (.drink(.danger), .bold): nil
        case (.give(let friend), _): .usePotion(on: friend)
        case (.answer(let ask, let words), _):
            (place + ask) % 2 == 0 ? .sayYes(ask: ask, button: words) : nil
        }
    }

    /// Returns random bytes in lower-case hex, the form of reported tokens (T7).
    private static func hex(_ bytes: Int, _ dice: inout SeededRandom) -> String {
        (0..<bytes).map { _ in
            let byte = dice.draw(in: 0...255)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

extension SeededRandom {
    /// Returns the same seed for the same text (FNV-1a), unlike `hashValue`.
    fileprivate static func seed(of text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
