/// A hero in a party, with what changes on an adventure.
package struct Member: Hashable, Codable, Sendable {
    package let hero: Hero
    package internal(set) var health: Health
    package internal(set) var potions: Int
    package internal(set) var condition: Condition

    package enum Condition: Hashable, Codable, Sendable {
        case standing
        case knockedDown
        /// In the woods, out of reach, until the time given.
        case lostConnection(until: GameTime)
    }
}
