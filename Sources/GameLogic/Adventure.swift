/// An adventure: a quest with encounters and loot, and a boss at its end.
package struct Adventure: Hashable, Codable, Sendable {
    package static let timeLimit = GameTime.minutes(240)

    package let seed: UInt64
    package internal(set) var phase: Phase
    /// How far the story has been told.
    package internal(set) var advancedTo: GameTime

    package enum Phase: Hashable, Codable, Sendable {
        case quest
        case boss(Boss, health: Int)
        case over(Outcome)
    }
}
