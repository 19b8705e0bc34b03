/// An adventure pack: what one kind of adventure consists of. Immutable, so that an adventure and
/// every replay keep what they began with.
///
/// Packs are data; the module `Content` reads them.
package final class Pack: Sendable {
    package let reference: Reference
    package let kind: Kind
    /// The value of a victory.
    package let score: Int
    /// Percent of all damage.
    package let strength: Int
    package let timeLimit: GameTime
    package let patience: Patience
    /// The most potions that each hero takes along.
    package let bag: Int
    /// Seconds of game time that a hero strays in the woods.
    package let woods: ClosedRange<Int>
    /// The quest: the stages in their order.
    package let stages: [Stage]
    /// Which boss waits at its end; empty in a boss rush.
    package let finale: [Weighted<Boss>]
    /// Who waits there instead, in a boss rush only.
    package let rush: Rush?
    package let foes: [Foe: FoeTraits]
    package let bosses: [Boss: BossTraits]
    package let commonLoot: [Weighted<Item>]
    /// Each find of this kind comes with a potion.
    package let rareLoot: [Weighted<Item>]
    package let tales: [Weighted<Tale>]

    /// The content as one value; see the properties of the pack.
    package init(
        _ reference: Reference, kind: Kind = .quest, score: Int = 0, strength: Int,
        timeLimit: GameTime, patience: Patience = Patience(), bag: Int = 2,
        woods: ClosedRange<Int> = Balance.woodsSeconds, stages: [Stage],
        finale: [Weighted<Boss>], rush: Rush? = nil, foes: [Foe: FoeTraits],
        bosses: [Boss: BossTraits], commonLoot: [Weighted<Item>], rareLoot: [Weighted<Item>],
        tales: [Weighted<Tale>] = []
    ) {
        self.reference = reference
        self.kind = kind
        self.score = score
        self.strength = strength
        self.timeLimit = timeLimit
        self.patience = patience
        self.bag = bag
        self.woods = woods
        self.tales = tales
        self.stages = stages
        self.finale = finale
        self.rush = rush
        self.foes = foes
        self.bosses = bosses
        self.commonLoot = commonLoot
        self.rareLoot = rareLoot
    }
}

extension Pack {
    /// The longest adventure in game time, so that an activity that begins with one at speed 1
    /// lives as long: Apple ends an activity after eight hours.
    package static let timeLimitMax = GameTime.seconds(27_000)
    package static let bossHealths = 1...100_000
    package static let stepsMax = 200

    /// Which pack: no other has the same id and version, for as long as a database exists.
    package struct Reference: Hashable, Sendable, CustomStringConvertible {
        package let id: String
        package let version: Int

        package init(id: String, version: Int) {
            self.id = id
            self.version = version
        }

        /// "stolen-pie/1"
        package var description: String { "\(id)/\(version)" }
    }

    package enum Kind: String, CaseIterable, Sendable {
        case quest
        /// Shows how to play: no hero falls.
        case training
        /// Bosses come one after another.
        case bossRush
        /// A shift against a boss whom all parties fight together.
        case worldBoss
    }

    /// The bosses of a boss rush, and the breath that the party takes between two of them.
    package struct Rush: Hashable, Sendable {
        package let order: [Boss]
        /// Its length in seconds of game time.
        package let breath: Int
        /// The health that it gives each hero who is not down, in thousandths.
        package let breather: Int
        /// After how many fallen bosses each hero finds a potion.
        package let refill: [Int]

        package init(order: [Boss], breath: Int, breather: Int, refill: [Int]) {
            self.order = order
            self.breath = breath
            self.breather = breather
            self.refill = refill
        }
    }

    /// How long the story waits for players, in seconds of game time.
    package struct Patience: Hashable, Sendable {
        /// Until a standing order acts for a hero who is down.
        package let order: Int
        /// When everybody is down and somebody has a potion.
        package let lastStand: Int
        /// Until a hero who is down wakes by itself.
        package let secondWind: Int
        /// How often each hero does, on one adventure.
        package let secondWinds: Int
        /// The least time between two pushes of low priority to a card, in seconds.
        package let cardGap: Int

        package init(
            order: Int = 300, lastStand: Int = 90, secondWind: Int = 900, secondWinds: Int = 0,
            cardGap: Int = 0
        ) {
            self.order = order
            self.lastStand = lastStand
            self.secondWind = secondWind
            self.secondWinds = secondWinds
            self.cardGap = cardGap
        }
    }

    /// A part of the quest with its own pace and dangers.
    package struct Stage: Hashable, Sendable {
        package let id: String
        /// The number of steps in the stage; a fight under way may exceed it.
        package let steps: Int
        /// Seconds of game time between two steps.
        package let pace: ClosedRange<Int>
        package let scenes: [Weighted<Scene>]
        /// The foes that may appear.
        package let foes: [Weighted<Foe>]
        /// Where the way leads.
        package let exit: Exit

        /// Stages are meant by their places in the pack.
        package enum Exit: Hashable, Sendable {
            /// Beyond the last stage the boss is due.
            case stage(Int)
            case fork(Fork, bold: Int, safe: Int, seconds: Int)
        }

        package init(
            id: String, steps: Int, pace: ClosedRange<Int>, scenes: [Weighted<Scene>],
            foes: [Weighted<Foe>], exit: Exit
        ) {
            self.id = id
            self.steps = steps
            self.pace = pace
            self.scenes = scenes
            self.foes = foes
            self.exit = exit
        }
    }

    /// Returns the health that a blow of this foe or boss costs a hero.
    func damage(of foe: Foe) -> ClosedRange<Int>? {
        foes[foe]?.damage ?? bosses[Boss(foe.name)]?.damage
    }

    /// Returns the boss of this name, with or without its pack.
    func boss(named name: Boss) -> Boss? { bosses[name] == nil ? own(name, in: bosses) : name }

    /// Returns the item of this name, with or without its pack.
    func item(named name: Item) -> Item? {
        let items = commonLoot + rareLoot
        return items.first { $0.choice == name || $0.choice == own(name) }?.choice
    }

    func isRare(_ item: Item) -> Bool { rareLoot.contains { $0.choice == item } }

    private func own<Value: Thing>(_ name: Value) -> Value { Value("\(reference).\(name.name)") }

    private func own<Value: Thing, Traits>(_ name: Value, in table: [Value: Traits]) -> Value? {
        table[own(name)] == nil ? nil : own(name)
    }
}

extension Pack: Hashable {
    /// A reference stands for one content.
    package static func == (left: Pack, right: Pack) -> Bool {
        left === right || left.reference == right.reference
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(reference) }
}

/// What one step of the quest can bring.
package enum Scene: String, CaseIterable, Hashable, Sendable {
    case commonLoot, rareLoot, campfire, foe, woods, storm, tale
}

/// One choice of a table, with its probability relative to the others.
package struct Weighted<Choice: Hashable & Sendable>: Hashable, Sendable {
    package let choice: Choice
    package let weight: Int

    package init(_ choice: Choice, weight: Int) {
        self.choice = choice
        self.weight = weight
    }
}

/// How a foe fights.
package struct FoeTraits: Hashable, Sendable {
    /// The health that one blow costs a hero in a party of four, in thousandths.
    package let damage: ClosedRange<Int>
    package let health: ClosedRange<Int>
    /// The experience of every standing hero from the defeated foe.
    package let exp: Int

    package init(damage: ClosedRange<Int>, health: ClosedRange<Int>, exp: Int) {
        self.damage = damage
        self.health = health
        self.exp = exp
    }
}

/// How a boss fights.
package struct BossTraits: Hashable, Sendable {
    package let health: Int
    /// Seconds of game time between two blows.
    package let pace: ClosedRange<Int>
    /// The health that one blow costs a hero in a party of four, in thousandths.
    package let damage: ClosedRange<Int>
    /// The experience of every hero of the party from the defeated boss.
    package let exp: Int
    /// The additional experience of the hero who strikes the last blow.
    package let lastBlowExp: Int
    /// How it fights as it weakens.
    package let phases: [Phase]

    /// A part of the fight with a boss.
    package struct Phase: Hashable, Sendable {
        /// The phase begins below this percentage of the boss's health.
        package let below: Int
        /// Percent of the boss's damage.
        package let damage: Int
        /// Repeated in this order.
        package let moves: [Move]

        package init(below: Int, damage: Int, moves: [Move]) {
            self.below = below
            self.damage = damage
            self.moves = moves
        }
    }

    package enum Move: String, CaseIterable, Hashable, Sendable {
        /// Hits one hero, or two of a large party.
        case blow
        /// Hits everybody.
        case sweep
        /// Warns, and hits everybody with the next blow, unless they take cover.
        case charge
        /// Hits, and takes health for itself.
        case drain
    }

    package init(
        health: Int, pace: ClosedRange<Int>, damage: ClosedRange<Int>, exp: Int, lastBlowExp: Int,
        phases: [Phase]
    ) {
        self.phases = phases
        self.health = health
        self.pace = pace
        self.damage = damage
        self.exp = exp
        self.lastBlowExp = lastBlowExp
    }
}

/// Packs by reference.
package struct Packs: Sendable {
    private var packs: [Pack.Reference: Pack] = [:]

    package init(_ packs: [Pack] = []) { packs.forEach { add($0) } }

    package subscript(_ reference: Pack.Reference) -> Pack? { packs[reference] }

    package mutating func add(_ pack: Pack) { packs[pack.reference] = pack }
}
