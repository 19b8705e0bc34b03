package import Content
internal import GameLogic
internal import PushPolicy

/// What 1,000 adventures without acting players show about a pack that its file does not.
package struct PackTrial {
    /// The stories that each size of the party plays.
    private static let stories = 250
    private static let sizes = [1, 2, 4, 8]
    /// The stories whose pushes are counted: in each, four phones receive all of them.
    private static let pushedStories = 20
    /// The minimum percentage of wins when nobody acts, so that a night's sleep does not
    /// lose the adventure.
    private static let winsMin = 50
    /// The events of 100 phones that the budget may lower to priority 5.
    private static let loweredMax = 20

    private let document: PackDocument
    /// The percentage of stories that may end by the time limit.
    private let overTimeMax: Int

    package init(of document: PackDocument, overTimeMax: Int = 2) {
        self.document = document
        self.overTimeMax = overTimeMax
    }

    /// Plays the stories. Returns what is wrong with them.
    package func warnings() throws -> [PackFault] {
        // A shift is won only with all other parties.
        guard document.pack.kind != .worldBoss else { return try pushed() }
        return try Self.sizes.flatMap(played) + pushed()
    }

    private func played(by size: Int) throws -> [PackFault] {
        var (wins, overTime) = (0, 0)
        for seed in 1...UInt64(Self.stories) {
            var party = Party(id: PartyID("trial"))
            for number in 0..<size {
                _ = try party.apply(.join(Self.hero(number, seed)), at: .zero)
            }
            _ = try party.apply(.start(seed: seed, document.pack, Departure(.normal)), at: .zero)
            while let next = party.nextChangeAt { _ = party.advance(to: next) }
            switch party.adventure?.outcome {
            case .bossDefeated: wins += 1
            case .timeLimit: overTime += 1
            case .partyDefeated, .endedByGameMaster, .abandoned, .fled, .stopped,
                .worldBossDefeated, nil:
                break
            }
        }
        var faults: [PackFault] = []
        let (won, late) = (wins * 100 / Self.stories, overTime * 100 / Self.stories)
        if won < Self.winsMin {
            faults.append(
                PackFault(
                    "stories",
                    "parties of \(size) in which nobody acts win \(won)%; at least "
                        + "\(Self.winsMin)% should be won: give foes and bosses less damage",
                    severity: .warning))
        }
        if late > overTimeMax {
            faults.append(
                PackFault(
                    "stories",
                    "\(late)% of the stories of \(size) end by the time limit; at most "
                        + "\(overTimeMax)% should: make it longer, or the story shorter",
                    severity: .warning))
        }
        return faults
    }

    private static func hero(_ number: Int, _ seed: UInt64) -> Hero {
        let classes: [HeroClass] = [.guardian, .striker, .healer, .trickster]
        return Hero(
            id: HeroID("hero-\(number)"), owner: PlayerID("player-\(number)"),
            name: "H\(number)", avatar: "🐸",
            heroType: classes[(number + Int(seed % 4)) % classes.count].heroType)
    }

    private func pushed() throws -> [PackFault] {
        let words = try Words.embedded()
        words.packs.add(document)
        let phones = try (1...UInt64(Self.pushedStories)).flatMap { seed in
            try Rehearsal.phones(
                of: document, seed: seed, heroes: 4,
                frequentUpdates: document.pack.kind == .bossRush, words)
        }
        let lowered = phones.map(\.lowered).reduce(0, +) * 100 / max(1, phones.count)
        guard lowered > Self.loweredMax else { return [] }
        return [
            PackFault(
                "stories",
                "the budget lowers \(lowered) events of 100 phones to priority 5; at most "
                    + "\(Self.loweredMax) should be: let fewer bosses come",
                severity: .warning)
        ]
    }
}
