internal import Content
internal import GameLogic
internal import Playtest
internal import Testing

/// How adventures feel over many seeds. `rangers-tools playtest balance --check` plays
/// more of them, and more cells.
@Suite("Balance of the packs") struct PackBalanceTests {
    private static let adventures = 200

    private static let bands = BalanceBand.all

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
    func asleep(band: BalanceBand, heroes: Int) throws {
        let report = try Self.report(band.pack, heroes, .asleep)
        #expect(band.wins.contains(report.winRate), "\(report.line)")
        #expect(band.falls.contains(report.fallsOfHero), "\(report.line)")
        #expect(report.overTime * 50 <= report.adventures, "\(report.line)")
    }

    @Test("somebody is worth having", arguments: bands, [1, 4])
    func one(band: BalanceBand, heroes: Int) throws {
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
