/// An adventure pack: what one kind of adventure consists of. Immutable, so that an adventure and
/// every replay keep what they began with.
///
/// Packs are data; the module `Content` reads them. `rules` names the engine's dice and formulas.
package final class Pack: Sendable {
    package let reference: Reference
    package let rules: Rules
    /// Percent of all damage.
    package let strength: Int
    package let timeLimit: GameTime
    /// The quest: the stages in their order.
    package let stages: [Stage]
    /// Which boss waits at its end.
    package let finale: [Weighted<Boss>]
    package let foes: [Foe: FoeTraits]
    package let bosses: [Boss: BossTraits]
    package let commonLoot: [Weighted<Item>]
    /// Each find of this kind comes with a potion.
    package let rareLoot: [Weighted<Item>]

    /// The content as one value; see the properties of the pack.
    package init(
        _ reference: Reference, rules: Rules, strength: Int, timeLimit: GameTime, stages: [Stage],
        finale: [Weighted<Boss>], foes: [Foe: FoeTraits], bosses: [Boss: BossTraits],
        commonLoot: [Weighted<Item>], rareLoot: [Weighted<Item>]
    ) {
        self.reference = reference
        self.rules = rules
        self.strength = strength
        self.timeLimit = timeLimit
        self.stages = stages
        self.finale = finale
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

        /// The pack of all adventures from before there were packs.
        package static let classic = Reference(id: "classic", version: 1)

        /// "stolen-pie/1"
        package var description: String { "\(id)/\(version)" }
    }

    /// The engine's dice and formulas, by number.
    package enum Rules: Int, CaseIterable, Sendable {
        case first = 1
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

        package init(
            id: String, steps: Int, pace: ClosedRange<Int>, scenes: [Weighted<Scene>],
            foes: [Weighted<Foe>]
        ) {
            self.id = id
            self.steps = steps
            self.pace = pace
            self.scenes = scenes
            self.foes = foes
        }
    }

    /// Returns the stage of the quest's step `number` (from 0); `nil` when the boss is due.
    func stage(ofStep number: Int) -> Stage? {
        var end = 0
        for stage in stages {
            end += stage.steps
            if number < end { return stage }
        }
        return nil
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
    case commonLoot, rareLoot, campfire, foe, woods
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
    /// The number of blows before the heroes defeat the foe.
    package let blows: ClosedRange<Int>
    /// The experience of the hero who defeats the foe.
    package let exp: Int

    package init(damage: ClosedRange<Int>, blows: ClosedRange<Int>, exp: Int) {
        self.damage = damage
        self.blows = blows
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

    package init(
        health: Int, pace: ClosedRange<Int>, damage: ClosedRange<Int>, exp: Int, lastBlowExp: Int
    ) {
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
