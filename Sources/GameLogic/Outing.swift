/// What a member does and meets on one adventure.
package struct Outing: Hashable, Sendable {
    /// The most friends who are asked for a potion for one fall.
    package static let helpersMax = 2

    /// Whether the member has set out on the party's newest adventure.
    package internal(set) var hasSetOut = false
    /// By the words that the hero had at the start.
    package internal(set) var heroClass = HeroClass.wanderer
    /// The hero's level at the start: what it earns counts for the next adventure.
    @Compact<UInt8> package private(set) var level = 1
    /// The strength of the hero's blows, in percent: its class, its level and its sword.
    @Compact<Int16> private(set) var might = 100
    /// What a hit takes from the hero, in percent: its class, its level and its shield.
    @Compact<Int16> private(set) var taken = 100
    /// What the hero wears, as it was at the start.
    package internal(set) var gear = Gear()
    package internal(set) var orders = StandingOrders()
    /// The percentage of the experience that counts.
    @Compact<UInt8> package internal(set) var expPercent = 100
    /// Experience, until the hero comes home.
    @Compact<Int32> package internal(set) var earned = 0
    @Compact<UInt16> package internal(set) var coins = 0
    @Compact<UInt16> package internal(set) var keepsakes = 0
    /// Gear that the hero has found, until it comes home.
    package internal(set) var found: [Gear.Kind] = []
    @Compact<UInt16> package internal(set) var secondWinds = 0
    /// The potions that the hero has drunk.
    @Compact<UInt16> package internal(set) var drunk = 0
    package internal(set) var hasDrunkByOrder = false
    package internal(set) var hasGivenByOrder = false
    /// Whether the player has been told, and the health has not been above a half since.
    package internal(set) var isInDanger = false
    /// Few heroes are down at a time.
    package internal(set) var fall: Fall {
        _read { yield fallApart.value }
        _modify { yield &fallApart.value }
    }
    private var fallApart = Apart<Fall>()
    /// How much the party has told without the member. For a member who is away, less what it had
    /// told when the member left.
    @Compact<Int32> package internal(set) var missed = 0

    /// What is due for a hero who is knocked down.
    package struct Fall: Hashable, Sendable, Usual {
        package static let usual = Fall()
        /// When a standing order acts.
        package internal(set) var orderAt: GameTime?
        package internal(set) var secondWindAt: GameTime?
        /// When the next friend is asked.
        package internal(set) var helpAt: GameTime?
        /// The friends who have been asked.
        package internal(set) var asked: [HeroID] = []
        /// How the fall was told: the card says it in the same words until the hero is up.
        package internal(set) var telling = Telling.first

        package init() {}

        package init(
            orderAt: GameTime?, secondWindAt: GameTime?, helpAt: GameTime?, asked: [HeroID],
            telling: Telling = .first
        ) {
            self.orderAt = orderAt
            self.secondWindAt = secondWindAt
            self.helpAt = helpAt
            self.asked = asked
            self.telling = telling
        }

        /// When the first of them is due.
        var nextAt: GameTime? { [orderAt, secondWindAt, helpAt].compactMap(\.self).min() }
    }

    /// A member who has not set out.
    package init() {}

    /// A member who sets out, wearing this gear.
    init(of heroClass: HeroClass, level: Int, gear: Gear, orders: StandingOrders) {
        hasSetOut = true
        self.heroClass = heroClass
        self.gear = gear
        self.orders = orders
        measure(level: level)
    }

    /// Notes what the hero's level and gear make of a blow and a hit.
    mutating func measure(level: Int) {
        self.level = level
        let levels = level - 1
        might = heroClass.might + 2 * levels + gear.might
        taken = max(Balance.takenMin, heroClass.taken - levels - gear.protection)
    }

    /// Restores what is stored; `nil` where the values break a rule of the game.
    package init?(
        of heroClass: HeroClass, level: Int, gear: Gear, orders: StandingOrders, expPercent: Int,
        earned: Int, coins: Int,
        keepsakes: Int, found: [Gear.Kind], secondWinds: Int, drunk: Int, hasDrunkByOrder: Bool,
        hasGivenByOrder: Bool, isInDanger: Bool, fall: Fall, missed: Int = 0
    ) {
        let counts = [coins, keepsakes, secondWinds, drunk]
        let times = [fall.orderAt, fall.secondWindAt, fall.helpAt].compactMap(\.self)
        guard (1...Hero.levelMax).contains(level), (0...100).contains(expPercent),
            earned >= 0, Int32.holds(earned), Int32.holds(missed),
            counts.count(where: UInt16.holds) == counts.count,
            times.count(where: \.isWithinAdventure) == times.count,
            fall.asked.count <= Self.helpersMax
        else { return nil }
        self.init(of: heroClass, level: level, gear: gear, orders: orders)
        self.expPercent = expPercent
        self.earned = earned
        self.coins = coins
        self.keepsakes = keepsakes
        self.found = found
        self.secondWinds = secondWinds
        self.drunk = drunk
        self.hasDrunkByOrder = hasDrunkByOrder
        self.hasGivenByOrder = hasGivenByOrder
        self.isInDanger = isInDanger
        fallApart = Apart(fall)
        self.missed = missed
    }
}
