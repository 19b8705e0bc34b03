/// What one step of the quest can bring.
package enum Scene: CaseIterable, Hashable, Sendable {
    case commonLoot, rareLoot, campfire, foe, woods
}

/// A part of the quest with its own pace and dangers; the stages in order form the quest.
struct QuestStage: Sendable {
    /// The number of steps in the stage; a fight under way may exceed it.
    let steps: Int
    /// Seconds of game time between two steps.
    let pace: ClosedRange<Int>
    /// The foes that may appear.
    let foes: [Foe]
    /// The probability of each scene, relative to the others.
    let scenes: [(scene: Scene, weight: Int)]
}

extension QuestStage {
    /// The quest: a calm morning, rising danger, the darkest hour, a rest before the boss.
    static let quest: [QuestStage] = [
        QuestStage(
            steps: 6, pace: 40...60, foes: [.slime, .bat],
            scenes: [(.commonLoot, 6), (.foe, 3), (.campfire, 2), (.rareLoot, 1)]),
        QuestStage(
            steps: 9, pace: 35...55, foes: [.bat, .goblin, .ghost],
            scenes: [(.foe, 6), (.commonLoot, 2), (.woods, 2), (.campfire, 1), (.rareLoot, 1)]),
        QuestStage(
            steps: 8, pace: 30...50, foes: [.goblin, .ghost, .troll],
            scenes: [(.foe, 8), (.woods, 2), (.rareLoot, 1), (.campfire, 1), (.commonLoot, 1)]),
        QuestStage(
            steps: 4, pace: 40...60, foes: [.bat],
            scenes: [(.campfire, 6), (.rareLoot, 3), (.commonLoot, 1)]),
    ]

    /// Seconds between two blows of the boss.
    static let bossPace = 30...50

    /// Returns the stage of the quest's step `number` (from 0); `nil` when the boss is due.
    static func ofStep(_ number: Int) -> QuestStage? {
        var end = 0
        for stage in quest {
            end += stage.steps
            if number < end { return stage }
        }
        return nil
    }
}
