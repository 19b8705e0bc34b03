internal import GameLogic

/// What happens in a play: the party, its phones, and what the bots and the game master do.
struct PlayPlan: Sendable {
    /// What a playtest does to a phone during an adventure.
    enum PhoneChange: Hashable, Sendable {
        case none
        /// The system changes the push token in the middle of an adventure (T4, T5).
        case rotatesToken
        /// The player dismisses the activity (L11).
        case dismisses
    }

    enum Audience: Hashable, Sendable {
        case players, playersAndSpectators
    }

    /// The adventure pack.
    var pack = "classic"
    var settingOut = SettingOut.Way.atOnce
    var size = 4
    var seed: UInt64 = 1
    var languages = ["en"]
    var phoneChanges: [PhoneChange] = [.none]
    /// The bots whose apps are not running: their activities are started by push.
    var startedByPush: Set<Int> = []
    /// The bots whose phones are pages in a browser.
    var pages: Set<Int> = []
    /// Whether the party has a spectator.
    var audience = Audience.players
    var temper = Bot.Temper.careful
    /// The bots whose heroes drink by a standing order.
    var drinkers: Set<Int> = []
    /// A game master's commands, and the number of events after which each is due (rule AC9).
    var gameMaster: [(afterEvents: Int, command: String)] = []
    /// The bots' polling interval, in milliseconds.
    var pollMilliseconds = 200
    /// The limit of polls before an adventure counts as endless.
    var pollsMax = 20_000
    /// The limit of polls for the last pushes to arrive.
    var settlePollsMax = 600
    /// What pushes mean that overtake newer ones: several servers may send them.
    var latePushes = Phone.Order.violation
    /// Faults caused by the playtest: each may repeat pushes in flight.
    var faults: @Sendable () -> Int = { 0 }
}

extension PlayPlan {
    /// The packs that the parties play in turn: no long ones.
    private static let packs = ["classic", "forest-quest", "stolen-pie", "training", "titan-rush"]

    /// Draws the plan of one of many parties, each with its own dice.
    init(party number: Int, seed: UInt64, speed: Double) {
        var dice = SeededRandom(seed: seed &+ UInt64(number) &* 1_000_003)
        self.init()
        pack = Self.packs[number % Self.packs.count]
        settingOut = number % 2 == 1 ? .readyCheck : .atOnce
        drinkers = [number % 3]
        size = dice.draw(in: 1...8)
        self.seed = dice.next()
        languages = ["en", "en", "ja"]
        phoneChanges = [.none, .rotatesToken, .none, .dismisses, .none]
        startedByPush = [2, 3, 6]
        pages = [4]
        audience = number == 0 ? .playersAndSpectators : .players
        temper = dice.draw(in: 0...1) == 0 ? .careful : .bold
        if dice.draw(in: 0...2) == 0 {
            gameMaster = [(5, "storm"), (9, "loot"), (12, "boss")]
        }
        pollMilliseconds = max(20, Int(10_000 / speed))
    }
}
