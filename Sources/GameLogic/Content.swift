/// What heroes find. The words for each are in the String Catalog.
package enum Item: String, CaseIterable, Hashable, Sendable {
    case coin, mushroom, rope, map, acorn
    case sword, shield, crown, crystal, cloak
}

extension Item {
    /// Found everywhere; worth a smile and nothing else.
    package static let common: [Item] = [.coin, .mushroom, .rope, .map, .acorn]

    /// Found seldom; each comes with a potion.
    package static let rare: [Item] = [.sword, .shield, .crown, .crystal, .cloak]
}

/// Whom heroes meet on the way.
package enum Foe: String, CaseIterable, Hashable, Sendable {
    case slime, bat, goblin, troll, ghost, storm
    case dragon, kraken, robot
}

/// The boss at the end of the quest.
package enum Boss: String, CaseIterable, Hashable, Sendable {
    case dragon, kraken, robot
}
