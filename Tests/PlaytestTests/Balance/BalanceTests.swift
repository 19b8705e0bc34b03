internal import Content
internal import GameLogic
internal import Playtest
internal import Testing

/// How adventures of rules 2 feel over many seeds. The bands are those of the design; a number of
/// a pack or of `Balance` that leaves them changes how the game plays.
@Suite("Balance of the packs") struct PackBalanceTests {
    private static let adventures = 200

    /// A pack with the percentage of adventures that parties win whom nobody helps, and the
    /// knock-downs of a hero on one of them, in hundredths.
    struct Band: Sendable {
        let pack: String
        let wins: ClosedRange<Int>
        let falls: ClosedRange<Int>
        /// The least that parties win where one player answers most calls.
        let winsWithOne: Int
    }

    static let bands = [
        Band(pack: "training", wins: 100...100, falls: 0...0, winsWithOne: 100),
        Band(pack: "stolen-pie", wins: 90...100, falls: 5...60, winsWithOne: 95),
        Band(pack: "forest-quest", wins: 60...95, falls: 70...150, winsWithOne: 89),
        Band(pack: "lost-egg", wins: 55...98, falls: 60...140, winsWithOne: 92),
        Band(pack: "night-watch", wins: 65...100, falls: 60...140, winsWithOne: 93),
        Band(pack: "kraken-tide", wins: 65...100, falls: 50...140, winsWithOne: 95),
        Band(pack: "titan-rush", wins: 60...100, falls: 50...140, winsWithOne: 95),
    ]

    private static func report(
        _ pack: String, _ heroes: Int, _ players: BalancePlay.Players,
        _ change: (inout BalancePlay.Setting) -> Void = { _ in }
    ) throws -> BalanceReport {
        let document = try #require(EmbeddedPacks.document(named: pack))
        var setting = BalancePlay.Setting(document.pack, heroes: heroes, players)
        change(&setting)
        return BalanceReport(setting, adventures: adventures)
    }

    @Test("parties that nobody helps win within the band", arguments: bands, [1, 2, 4, 8])
    func asleep(band: Band, heroes: Int) throws {
        let report = try Self.report(band.pack, heroes, .asleep)
        #expect(band.wins.contains(report.winRate), "\(report.line)")
        #expect(band.falls.contains(report.fallsOfHero), "\(report.line)")
        #expect(report.overTime * 50 <= report.adventures, "\(report.line)")
    }

    @Test("somebody is worth having", arguments: bands, [1, 4])
    func one(band: Band, heroes: Int) throws {
        let report = try Self.report(band.pack, heroes, .one)
        #expect(report.winRate >= band.winsWithOne, "\(report.line)")
        let ask = try Self.report(band.pack, heroes, .ask)
        #expect(ask.winRate <= report.winRate, "\(ask.line)")
    }

    @Test("a boss rush is won where everybody looks, takes about 17 minutes, and needs somebody")
    func rush() throws {
        for heroes in [1, 4] {
            let awake = try Self.report("titan-rush", heroes, .awake)
            #expect(awake.winRate >= 97, "\(awake.line)")
            #expect((16...18).contains(awake.minutes(percentile: 50)), "\(awake.line)")
        }
        let hard = try [BalancePlay.Players.asleep, .one].map { players in
            try Self.report("titan-rush", 4, players) { $0.difficulty = .hard }.winRate
        }
        #expect(hard[1] - hard[0] >= 10, "\(hard)")
    }

    @Test("a harder forest is won less often, and a grown hero wins more")
    func growth() throws {
        let rates = try [Difficulty.gentle, .normal, .hard, .heroic, .mythic].map { difficulty in
            try Self.report("forest-quest", 4, .asleep) { $0.difficulty = difficulty }.winRate
        }
        #expect(zip(rates, rates.dropFirst()).count(where: >) == 4, "\(rates)")
        let levels = try [0, 4_000, 18_000].map { exp in
            try Self.report("forest-quest", 4, .asleep) {
                $0.difficulty = .hard
                $0.exp = exp
            }.winRate
        }
        #expect(zip(levels, levels.dropFirst()).count(where: <) == 2, "\(levels)")
    }

    @Test("no class is a must", arguments: HeroClass.allCases)
    func classes(heroClass: HeroClass) throws {
        let report = try Self.report("forest-quest", 4, .asleep) { $0.heroClass = heroClass }
        #expect((50...95).contains(report.winRate), "\(report.line)")
        let rush = try Self.report("titan-rush", 4, .asleep) { $0.heroClass = heroClass }
        #expect((72...100).contains(rush.winRate), "\(rush.line)")
    }

    @Test("company pays: a hero alone earns little more than one of four")
    func experience() throws {
        let alone = try Self.report("forest-quest", 1, .one).medianExp
        let company = try Self.report("forest-quest", 4, .one).medianExp
        #expect(alone * 5 <= company * 6)
    }
}
