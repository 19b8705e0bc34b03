/// What a story is about besides its heroes: named by the pack that brings it, so that an event
/// says what it means long after its adventure.
///
/// A thing of `base.json` has a plain name ("slime"), and its words are base's. A thing of a pack
/// has the pack before it ("stolen-pie/1.magpie"), which is also where its words are.
package protocol Thing: Hashable, Sendable, CustomStringConvertible {
    var name: String { get }
    init(_ name: String)
}

extension Thing {
    package var description: String { name }

    /// The name without its pack, as designers and game masters write it: "magpie".
    package var shortName: Substring {
        name.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? name[...]
    }
}

/// What heroes find.
package struct Item: Thing {
    package let name: String
    package init(_ name: String) { self.name = name }
}

/// Who hurts heroes: a foe on the way, a boss, or the storm.
package struct Foe: Thing {
    package let name: String
    package init(_ name: String) { self.name = name }
}

/// Who waits at the end of the quest.
package struct Boss: Thing {
    package let name: String
    package init(_ name: String) { self.name = name }

    /// The boss as the foe that hurts a hero.
    package var foe: Foe { Foe(name) }
}

/// A small scene in which nothing is lost or won.
package struct Tale: Thing {
    package let name: String
    package init(_ name: String) { self.name = name }
}

/// A place where the way divides.
package struct Fork: Thing {
    package let name: String
    package init(_ name: String) { self.name = name }
}

// Packs bring all beginnings, world bosses, tales and forks; these are of packs that every server
// has.
extension Pack.Reference {
    package static let sample = Pack.Reference(id: "stolen-pie", version: 2)
}

extension Boss {
    package static let sample = Boss("kraken-tide/1.arm")
    /// It has three phases.
    static let sampleOfRush = Boss("titan-rush/1.titan")
}

extension Tale {
    package static let sample = Tale("lost-egg/1.snail")
}

extension Fork {
    package static let sample = Fork("stolen-pie/2.hedge")
}

// MARK: The things of base.json

extension Item {
    package static let coin = Item("coin")
    package static let mushroom = Item("mushroom")
    package static let rope = Item("rope")
    package static let map = Item("map")
    package static let acorn = Item("acorn")
    package static let sword = Item("sword")
    package static let shield = Item("shield")
    package static let crown = Item("crown")
    package static let crystal = Item("crystal")
    package static let cloak = Item("cloak")

    package static let base = [
        coin, mushroom, rope, map, acorn, sword, shield, crown, crystal, cloak,
    ]
}

extension Foe {
    package static let slime = Foe("slime")
    package static let bat = Foe("bat")
    package static let goblin = Foe("goblin")
    package static let troll = Foe("troll")
    package static let ghost = Foe("ghost")
    /// Belongs to no pack: game masters raise it, and `Balance` says how it hurts.
    package static let storm = Foe("storm")

    /// Those with whom a party fights before the boss.
    package static let onTheWay = [slime, bat, goblin, troll, ghost]

    package static let base = onTheWay + [storm] + Boss.base.map(\.foe)
}

extension Boss {
    package static let dragon = Boss("dragon")
    package static let kraken = Boss("kraken")
    package static let robot = Boss("robot")

    package static let base = [dragon, kraken, robot]
}
