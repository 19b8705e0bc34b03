/// A hero in a party, with what changes on an adventure.
package struct Member: Hashable, Sendable {
    package internal(set) var hero: Hero
    package internal(set) var health: Health
    package internal(set) var potions: Int
    package internal(set) var condition: Condition
    /// Rest that has not made a whole thousandth of health yet, in thousandths × milliseconds an
    /// hour: kept, so that many short rests heal as much as one long one.
    package internal(set) var restRemainder = 0

    package enum Condition: Hashable, Sendable {
        case standing
        case knockedDown
        /// In the woods, out of reach, until the time given at the latest.
        case lostConnection(until: GameTime)
    }

    /// The hero, fresh for an adventure.
    init(_ hero: Hero) {
        self.hero = hero
        health = max(hero.healthLevel, Balance.healthToSetOut)
        potions = Balance.potionsAtStart
        condition = .standing
    }
}

extension Member {
    package var isStanding: Bool { condition == .standing }

    package var isKnockedDown: Bool { condition == .knockedDown }

    package var hasLostConnection: Bool {
        switch condition {
        case .lostConnection: true
        case .standing, .knockedDown: false
        }
    }

    /// Until when at the latest the hero is out of reach.
    var lostUntil: GameTime? {
        switch condition {
        case .lostConnection(let until): until
        case .standing, .knockedDown: nil
        }
    }

    /// Heals what a rest of this length heals; nobody recovers while knocked down.
    mutating func rest(for duration: GameTime) {
        guard !isKnockedDown else { return }
        let hour = Int(GameTime.minutes(60).milliseconds)
        let rate = min(max(hero.healthRecoveryRatePerHour, 0), Hero.healthRecoveryRateMax)
        let rested = restRemainder + rate * Int(duration.milliseconds)
        health = Health(thousandths: health.thousandths + rested / hour)
        restRemainder = health == .full ? 0 : rested % hour
    }

    /// Heals at once; returns by how much.
    mutating func heal(_ amount: Int) -> Int {
        let before = health
        health = Health(thousandths: before.thousandths + amount)
        if health == .full { restRemainder = 0 }
        return health.thousandths - before.thousandths
    }

    /// Takes health away; returns how much there was to take.
    mutating func suffer(_ damage: Int) -> Int {
        let before = health
        health = Health(thousandths: before.thousandths - damage)
        return before.thousandths - health.thousandths
    }

    mutating func pocketPotion() { potions = min(potions + 1, Balance.potionsMax) }
}
