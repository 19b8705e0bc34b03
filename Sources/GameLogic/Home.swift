/// What a hero has between adventures, besides health and experience.
///
/// Times are those of the server, in milliseconds since 1970. The engine only compares them with
/// the time in `Departure`, so replay needs no clock.
package struct Home: Hashable, Sendable {
    package static let potionsMax = 5
    package static let coinsMax = 999
    package static let keepsakesMax = 200
    /// How long after the class's potions were topped up they are again, in milliseconds.
    package static let topUpInterval: Int64 = 4 * 3_600_000
    /// The adventures of a UTC day that give full experience.
    package static let adventuresOfDayMax = 6
    /// The percentage that further ones give.
    package static let surplusExpPercent = 25
    /// The training adventures of a hero that give experience.
    package static let trainingsMax = 3
    /// The least health with which a hero sets out.
    package static let healthToSetOut = 600
    /// The health of a hero who is carried home.
    package static let healthAfterFall = 100
    private static let dayLength: Int64 = 24 * 3_600_000

    /// When the hero came home with `Hero.healthLevel`; `nil`: it has never been away.
    package var since: Int64?
    @Compact<UInt8> package var potions = 0
    /// Souvenirs without an effect.
    @Compact<UInt8> package var keepsakes = 0
    package var orders = StandingOrders()
    /// The highest difficulty at which the hero has won.
    package var hardestWin: Difficulty?
    /// When the class's potions were last topped up.
    package var toppedUpAt: Int64?
    @Compact<UInt16> package var coins = 0
    package var gear = Gear()
    @Compact<UInt16> package var adventuresOfDay = 0
    /// The UTC day, counted from 1970, to which `adventuresOfDay` belongs.
    @Compact<Int32> package var day = 0
    @Compact<Int32> package var trainings = 0

    package init() {}

    /// Restores what is stored; `nil` where the values break a rule of the game.
    package init?(
        since: Int64?, potions: Int, toppedUpAt: Int64?, coins: Int, keepsakes: Int, gear: Gear,
        orders: StandingOrders, day: Int, adventuresOfDay: Int, trainings: Int,
        hardestWin: Difficulty?
    ) {
        guard (0...Self.potionsMax).contains(potions), (0...Self.coinsMax).contains(coins),
            (0...Self.keepsakesMax).contains(keepsakes),
            min(day, trainings) >= 0, Int32.holds(max(day, trainings)),
            UInt16.holds(adventuresOfDay)
        else { return nil }
        self.since = since
        self.potions = potions
        self.toppedUpAt = toppedUpAt
        self.coins = coins
        self.keepsakes = keepsakes
        self.gear = gear
        self.orders = orders
        self.day = day
        self.adventuresOfDay = adventuresOfDay
        self.trainings = trainings
        self.hardestWin = hardestWin
    }
}

extension Home {
    /// Returns the health at `time` of a hero who came home with `health` and rests.
    package func health(from health: Health, of heroClass: HeroClass, at time: Int64) -> Health {
        guard let since else { return health }
        let rested = min(max(time - since, 0), Self.dayLength)
        return Health(
            thousandths: health.thousandths + heroClass.recoveryPerHour * Int(rested) / 3_600_000)
    }

    /// Whether a leader with this hero may choose the difficulty.
    package func opens(_ difficulty: Difficulty) -> Bool {
        guard let needed = difficulty.requires else { return true }
        return hardestWin.map { $0 >= needed } ?? false
    }

    /// Returns the potions at `time`: those of the class are topped up now and then.
    package func potions(of heroClass: HeroClass, at time: Int64) -> Int {
        isDueForTopUp(at: time) ? max(potions, heroClass.potions) : potions
    }

    private func isDueForTopUp(at time: Int64) -> Bool {
        toppedUpAt.map { time - $0 >= Self.topUpInterval } ?? true
    }

    /// Packs at most this many potions. Returns how many.
    mutating func packPotions(_ most: Int, of heroClass: HeroClass, at time: Int64) -> Int {
        if isDueForTopUp(at: time) {
            potions = max(potions, heroClass.potions)
            toppedUpAt = time
        }
        let packed = min(potions, most)
        potions -= packed
        return packed
    }

    /// Counts an adventure that begins. Returns the percentage of its experience that counts.
    mutating func countAdventure(isTraining: Bool, at time: Int64) -> Int {
        if isTraining {
            trainings += 1
            return trainings > Self.trainingsMax ? 0 : 100
        }
        let today = Int(max(time, 0) / Self.dayLength)
        if day != today { (day, adventuresOfDay) = (today, 0) }
        adventuresOfDay += 1
        return adventuresOfDay > Self.adventuresOfDayMax ? Self.surplusExpPercent : 100
    }

    /// Puts finds away: what no room is left for is worth nothing.
    mutating func unpack(potions: Int, coins: Int, keepsakes: Int) {
        self.potions = min(self.potions + potions, Self.potionsMax)
        self.coins = min(self.coins + coins, Self.coinsMax)
        self.keepsakes = min(self.keepsakes + keepsakes, Self.keepsakesMax)
    }

    /// Adds gear that was found; a fourth of a kind is worth coins.
    mutating func add(_ kind: Gear.Kind) {
        if gear[kind] < Gear.tierMax {
            gear[kind] += 1
        } else {
            coins = min(coins + Gear.coinsForSurplus, Self.coinsMax)
        }
    }

    fileprivate mutating func apply(_ change: HomeChange) throws(RuleError) {
        switch change {
        case .orders(let change): orders.apply(change)
        case .buy(potions: let count):
            let price = count * HomeChange.potionPrice
            guard potions + count <= Self.potionsMax else {
                throw .noRoomForPotions(Self.potionsMax)
            }
            guard price <= coins else { throw .tooFewCoins(price: price, coins: coins) }
            coins -= price
            potions += count
        case .worldReward(event: _, exp: _, crystals: let count):
            for _ in 0..<count { add(.crystal) }
        }
    }
}

/// What a player changes of a hero's home.
package enum HomeChange: Hashable, Sendable {
    /// In coins.
    package static let potionPrice = 10
    package static let potionCounts = 1...Home.potionsMax

    case orders(StandingOrders.Change)
    /// Pays coins for this many potions.
    case buy(potions: Int)
    /// From the server, when the event of a world boss is over. Apart: few heroes ever get one.
    indirect case worldReward(event: Int, exp: Int, crystals: Int)
}

extension Hero {
    package mutating func apply(_ change: HomeChange) throws(RuleError) {
        try home.apply(change)
        if case .worldReward(event: _, exp: let exp, crystals: _) = change { learn(exp) }
    }
}
