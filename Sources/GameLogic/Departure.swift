/// How a party sets out: what the leader chooses, and the server's time, so that the
/// engine knows how long each hero has rested and replay needs no clock.
package struct Departure: Hashable, Sendable {
    package let difficulty: Difficulty
    /// In milliseconds since 1970.
    package let at: Int64
    /// When the heroes came home who were on the party's adventure before this one.
    package let restedSince: Int64?

    package init(_ difficulty: Difficulty = .normal, at: Int64 = 0, restedSince: Int64? = nil) {
        self.difficulty = difficulty
        self.at = at
        self.restedSince = restedSince
    }
}

extension Member {
    /// Creates a member who sets out: rested, with the potions that the pack admits.
    init(_ member: Member, settingOutOn pack: Pack, _ departure: Departure) {
        var hero = member.hero
        if member.outing.hasSetOut { hero.home.since = departure.restedSince ?? hero.home.since }
        let rested = hero.home.health(
            from: hero.healthLevel, of: hero.heroClass, at: departure.at)
        let potions = hero.home.packPotions(pack.bag, of: hero.heroClass, at: departure.at)
        var outing = Outing(wornBy: hero)
        outing.expPercent = hero.home.countAdventure(
            isTraining: pack.kind == .training, at: departure.at)
        self.init(hero, health: rested, potions: potions, outing)
    }

    /// Creates a member who joins an adventure that is underway. How long the hero has rested is
    /// not known there. `told` is what the party has told without the hero.
    init(_ hero: Hero, joining pack: Pack, after told: Int) {
        var hero = hero
        let potions = min(hero.home.potions, pack.bag)
        hero.home.potions -= potions
        var outing = Outing(wornBy: hero)
        outing.missed = told
        // Of a quest only the start knows the day.
        if pack.kind == .training {
            outing.expPercent = hero.home.countAdventure(isTraining: true, at: 0)
        }
        self.init(hero, health: hero.healthLevel, potions: potions, outing)
    }

    /// Returns to the adventure as the hero is now.
    mutating func comeBack(as hero: Hero) {
        self.hero = hero
        guard outing.hasSetOut else { return }
        outing.orders = hero.home.orders
        outing.measure(level: hero.level)
    }

    private init(_ hero: Hero, health: Health, potions: Int, _ outing: Outing) {
        self.init(hero)
        self.health = max(health, Health(thousandths: Home.healthToSetOut))
        self.potions = potions
        self.outing = outing
    }

    /// Brings the hero home: with what it has earned and found, and as healthy as it is.
    ///
    /// - Parameter percent: How much of the experience counts.
    mutating func comeHome(expPercent percent: Int) {
        guard outing.hasSetOut else { return }
        hero.healthLevel =
            isKnockedDown ? Health(thousandths: Home.healthAfterFall) : health
        let earned =
            outing.earned * percent / 100 * outing.expPercent / 100
            * (100 + outing.gear.expPercent) / 100
        hero.learn(min(earned, Hero.expMax))
        hero.home.unpack(potions: potions, coins: outing.coins, keepsakes: outing.keepsakes)
        for kind in outing.found { hero.home.add(kind) }
        potions = 0
        outing.measure(level: hero.level)
        outing.earned = 0
        (outing.coins, outing.keepsakes, outing.found) = (0, 0, [])
    }
}

extension Outing {
    fileprivate init(wornBy hero: Hero) {
        self.init(
            of: hero.heroClass, level: hero.level, gear: hero.home.gear, orders: hero.home.orders)
    }
}
