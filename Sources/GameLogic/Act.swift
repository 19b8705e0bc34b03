/// What one beat of the quest can bring.
package enum Scene: CaseIterable, Hashable, Sendable {
    case commonLoot, rareLoot, campfire, foe, woods
}

/// A stretch of the quest with a mood of its own: the acts in order give a story its shape.
struct Act: Sendable {
    /// How many beats the act lasts; a fight that has begun may run over.
    let beats: Int
    /// Seconds of game time from one beat to the next.
    let pace: ClosedRange<Int>
    /// Who may lie in wait.
    let foes: [Foe]
    /// How likely each scene is, beside the others.
    let scenes: [(scene: Scene, weight: Int)]
}

extension Act {
    /// The quest: a calm morning, rising danger, the darkest hour, a breath before the boss.
    static let quest: [Act] = [
        Act(
            beats: 6, pace: 40...60, foes: [.slime, .bat],
            scenes: [(.commonLoot, 6), (.foe, 3), (.campfire, 2), (.rareLoot, 1)]),
        Act(
            beats: 9, pace: 35...55, foes: [.bat, .goblin, .ghost],
            scenes: [(.foe, 6), (.commonLoot, 2), (.woods, 2), (.campfire, 1), (.rareLoot, 1)]),
        Act(
            beats: 8, pace: 30...50, foes: [.goblin, .ghost, .troll],
            scenes: [(.foe, 8), (.woods, 2), (.rareLoot, 1), (.campfire, 1), (.commonLoot, 1)]),
        Act(
            beats: 4, pace: 40...60, foes: [.bat],
            scenes: [(.campfire, 6), (.rareLoot, 3), (.commonLoot, 1)]),
    ]

    /// Seconds from one blow of the boss to the next.
    static let bossPace = 30...50

    /// The act in which the quest's beat `number` (from 0) falls; `nil` when it is time for the
    /// boss.
    static func ofBeat(_ number: Int) -> Act? {
        var end = 0
        for act in quest {
            end += act.beats
            if number < end { return act }
        }
        return nil
    }
}
