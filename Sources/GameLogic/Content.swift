/// What heroes find. The words for each are in the String Catalog.
package enum Item: String, CaseIterable, Hashable, Sendable {
    case coin, mushroom, rope, map, acorn
    case sword, shield, crown, crystal, cloak
}

extension Item {
    /// Found everywhere, and of no use.
    package static let common: [Item] = [.coin, .mushroom, .rope, .map, .acorn]

    /// Found rarely; each comes with a potion.
    package static let rare: [Item] = [.sword, .shield, .crown, .crystal, .cloak]
}

/// The foes on the way.
package enum Foe: String, CaseIterable, Hashable, Sendable {
    case slime, bat, goblin, troll, ghost, storm
    case dragon, kraken, robot
}

/// The boss at the end of the quest.
package enum Boss: String, CaseIterable, Hashable, Sendable {
    case dragon, kraken, robot
}
