/// The value of one adventure for one hero on the leaderboard.
package struct Score: Hashable, Sendable {
    package let points: Int

    /// Each boss of a boss rush counts this much more than the one before.
    private static let rushStep = 3
    /// A shift against a world boss counts at most this: a point for every 16 points of damage to
    /// the pool.
    private static let shiftMax = 150
    private static let shiftPoints = 16
    /// A rush that is won faster than this counts more: a point for each 20 seconds.
    private static let rushSeconds: Int64 = 1500

    /// Who was present, and how.
    package struct Attendance: Hashable, Sendable {
        /// The steps that the hero attended, in percent of all.
        package let presence: Int
        /// The heroes of the adventure.
        package let company: Int
        package let help: Help

        package init(presence: Int, company: Int, help: Help = .none) {
            self.presence = presence
            self.company = company
            self.help = help
        }
    }

    /// Whether a game master has changed the adventure, by any command but pause and message.
    package enum Help: Hashable, Sendable {
        case none
        case assisted
    }

    /// Computes the score of an adventure that is over; `nil` while it runs.
    ///
    /// One product, divided once and rounded down: a score never counts more than its share.
    package init?(of adventure: Adventure, _ attendance: Attendance) {
        guard let outcome = adventure.outcome else { return nil }
        self.init(
            base: Self.base(of: adventure), outcome, way: adventure.wayWalked,
            adventure.course.difficulty, attendance)
    }

    /// Computes a score from its factors: what the pack counts, the outcome, the percentage of the
    /// way that the party has walked, the difficulty, and who was there.
    init(
        base: Int, _ outcome: Outcome, way: Int, _ difficulty: Difficulty, _ attendance: Attendance
    ) {
        guard attendance.help == .none else {
            points = 0
            return
        }
        let presence = min(max(attendance.presence, 0), 100)
        let company = 100 + 5 * (min(max(attendance.company, 1), Party.sizeMax) - 1)
        points =
            base * outcome.percent(way: way) * difficulty.scorePercent * presence * company
            / 100_000_000
    }

    /// What the pack counts; for a boss rush the bosses that have fallen, and its speed; for a
    /// shift its blows.
    private static func base(of adventure: Adventure) -> Int {
        let score = adventure.pack.score
        if adventure.pack.kind == .worldBoss {
            return min(shiftMax, adventure.course.worldPoints / shiftPoints)
        }
        guard let rush = adventure.pack.rush else { return score }
        let fallen = adventure.course.fallenBosses
        let bosses = fallen * score + rushStep * fallen * (fallen + 1) / 2
        guard fallen == rush.order.count else { return bosses }
        let seconds = adventure.advancedTo.milliseconds / 1000
        return bosses + Int(max(0, rushSeconds - seconds) / 20)
    }
}

extension Adventure {
    /// Whether the adventure counts on the leaderboard.
    package var hasScore: Bool { pack.kind != .training }

    /// How a member of a party has attended the adventure.
    package func attendance(of member: borrowing Member, in party: Party) -> Score.Attendance {
        let attended = course.told - member.outing.missed
        return Score.Attendance(
            presence: course.told > 0 ? attended * 100 / course.told : 100,
            company: company(of: party), help: course.isAssisted ? .assisted : .none)
    }

    /// A hero who leaves after the end does not lower the others' scores.
    private func company(of party: Party) -> Int {
        course.company > 0 ? course.company : party.members.count(where: \.outing.hasSetOut)
    }
}

extension Party {
    /// The finished adventure's score for a hero who attended all of it: the party's score.
    /// `nil` while it runs, and where none is counted.
    package var score: Int? {
        guard let adventure, adventure.isOver, adventure.hasScore,
            let member = members.first(where: \.outing.hasSetOut)
        else { return nil }
        let own = adventure.attendance(of: member, in: self)
        return Score(
            of: adventure,
            Score.Attendance(presence: 100, company: own.company, help: own.help))?.points
    }

    /// A member's score in the finished adventure; `nil` also for one who was not on it.
    package func score(of member: borrowing Member) -> Int? {
        guard adventure?.isOver == true, member.outing.hasSetOut, let adventure,
            adventure.hasScore
        else { return nil }
        return Score(of: adventure, adventure.attendance(of: member, in: self))?.points
    }
}

extension AdventureEngine {
    /// Notes that a game master has changed the adventure.
    mutating func noteAssistance() { adventure.course.isAssisted = true }
}

extension Outcome {
    /// The weight of the outcome, after this percentage of the way.
    fileprivate func percent(way: Int) -> Int {
        switch self {
        case .bossDefeated, .worldBossDefeated, .stopped: 100
        case .fled: 50
        case .partyDefeated, .timeLimit: way / 2
        case .endedByGameMaster, .abandoned: 0
        }
    }
}

extension Difficulty {
    /// The weight of the difficulty on the leaderboard, in percent.
    package var scorePercent: Int {
        switch self {
        case .gentle: 75
        case .normal: 100
        case .hard: 150
        case .heroic: 220
        case .mythic: 400
        }
    }
}

extension Command {
    /// The command's effect on the adventure's score. A pause that ends the adventure is a help
    /// even if it is resumed before.
    package var help: Score.Help {
        switch self {
        case .summonBoss, .dropLoot, .raiseStorm, .end: .assisted
        case .arrange(let arrangement):
            switch arrangement {
            case .boss, .item, .potions, .storm, .heal, .end: .assisted
            case .pause(minutes: _, let ending): ending == nil ? .none : .assisted
            case .resume, .message: .none
            }
        case .join, .leave, .kick, .promote, .claimLead, .disband, .start, .usePotion, .answer,
            .change, .worldStage, .checkReadiness, .finishReadyCheck, .cancelReadyCheck, .follow:
            .none
        }
    }
}
