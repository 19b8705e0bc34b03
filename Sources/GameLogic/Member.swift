/// A hero in a party, with the state that changes on an adventure.
package struct Member: Hashable, Sendable {
    package internal(set) var hero: Hero
    /// The hero's part in the newest adventure.
    package internal(set) var outing: Outing {
        _read { yield outingApart.value }
        _modify { yield &outingApart.value }
    }
    private var outingApart = Apart<Outing>()
    package internal(set) var condition: Condition
    @Compact<UInt8> package internal(set) var potions: Int
    package internal(set) var health: Health
    /// Rest that does not amount to a whole thousandth of health yet, in thousandths × milliseconds
    /// per hour. It is kept so that many short rests heal as much as one long one.
    @Compact<Int32> package internal(set) var restRemainder = 0

    /// The rest that amounts to a whole thousandth of health.
    private static let restWhole = Int(GameTime.minutes(60).milliseconds)

    package enum Condition: Hashable, Sendable {
        case standing
        case knockedDown
        /// In the woods, out of reach, until the given time at the latest.
        case lostConnection(until: GameTime)
    }

    /// Creates a member of a party that gathers.
    init(_ hero: Hero) {
        self.hero = hero
        health = hero.healthLevel
        potions = 0
        condition = .standing
    }

    /// Restores a stored member; `nil` where the values break a rule of the game.
    package init?(
        hero: Hero, health: Health, potions: Int, condition: Condition, restRemainder: Int,
        outing: Outing = Outing()
    ) {
        guard (0...Balance.potionsMax).contains(potions),
            (0..<Self.restWhole).contains(restRemainder)
        else { return nil }
        if case .lostConnection(let until) = condition, !until.isWithinAdventure { return nil }
        self.hero = hero
        self.health = health
        self.potions = potions
        self.condition = condition
        self.restRemainder = restRemainder
        outingApart = Apart(outing)
    }
}

extension Member {
    package var isStanding: Bool { condition == .standing }

    package var isKnockedDown: Bool { condition == .knockedDown }

    /// Whether a critical hit has left little health, and the hero has not been well since.
    package var isInDanger: Bool { isStanding && outing.isInDanger }

    package var hasLostConnection: Bool {
        switch condition {
        case .lostConnection: true
        case .standing, .knockedDown: false
        }
    }

    /// Until when the hero is out of reach at the latest.
    var lostUntil: GameTime? {
        switch condition {
        case .lostConnection(let until): until
        case .standing, .knockedDown: nil
        }
    }

    /// Restores the health of a rest of this length; a knocked-down hero recovers none.
    mutating func rest(for duration: GameTime) {
        guard !isKnockedDown, health < .full else { return }
        let rested =
            restRemainder + outing.heroClass.recoveryPerHour * Int(duration.milliseconds)
        health = Health(thousandths: health.thousandths + rested / Self.restWhole)
        restRemainder = health == .full ? 0 : rested % Self.restWhole
        noteSafety()
    }

    /// Heals at once. Returns the health gained.
    mutating func heal(_ amount: Int) -> Int {
        let before = health
        health = Health(thousandths: before.thousandths + amount)
        if health == .full { restRemainder = 0 }
        noteSafety()
        return health.thousandths - before.thousandths
    }

    /// A hero who has recovered is out of danger.
    private mutating func noteSafety() {
        guard outing.isInDanger, health.thousandths > Balance.safeHealth else { return }
        outing.isInDanger = false
    }

    /// Takes health. Returns how much was taken.
    mutating func suffer(_ damage: Int) -> Int {
        let before = health
        health = Health(thousandths: before.thousandths - damage)
        return before.thousandths - health.thousandths
    }

    mutating func pocketPotion() { potions = min(potions + 1, Balance.potionsMax) }
}
