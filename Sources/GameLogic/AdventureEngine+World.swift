/// A shift against the world boss, whose pool of health all parties share. The engine never reads
/// the pool: it says how much a blow counts, and learns by a command how weak the boss has become.
extension AdventureEngine {
    /// Counts a blow of the party at the boss. A blow is as strong whatever the party's size, so
    /// times the size each hero counts alike.
    mutating func countWorldHit(_ blow: Int) {
        guard adventure.pack.kind == .worldBoss else { return }
        let points = blow * party.members.count
        guard points > 0 else { return }
        adventure.course.worldPoints = min(
            adventure.course.worldPoints + points, Int(Int32.max))
        record(.worldHit(points: points))
    }

    /// Tells the party how weak the world boss has become; nothing makes it stronger again. When it
    /// has fallen, every shift ends as a victory.
    mutating func reach(_ stage: WorldStage) throws(RuleError) {
        guard adventure.pack.kind == .worldBoss, let boss = adventure.pack.finale.first?.choice
        else { throw .noShift }
        let last = adventure.course.worldStage?.rawValue ?? .max
        guard stage.rawValue < last else { throw .worldStagePassed }
        adventure.course.worldStage = stage
        switch stage {
        case .threeQuarters, .half, .quarter: record(.worldBossWeakened(boss, stage))
        case .fallen:
            let exp = adventure.pack.bosses[boss]?.exp ?? 0
            for index in party.members.indices { party.members[index].outing.earned += exp }
            record(.worldBossDefeated(boss))
            end(.worldBossDefeated)
        }
    }
}
