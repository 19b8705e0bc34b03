internal import Content
internal import GameLogic

/// Compares how the packs play with their bands: the lines of `playtest balance --check`.
package struct BalanceCheck {
    /// The most that the sizes of parties may differ, in percent of the adventures.
    private static let spreadAsleep = 35
    private static let spreadWithOne = 10
    /// How much more one player must win at the difficulty hard.
    private static let worth = 8
    /// How far a length may be from its band, in percent, and in minutes where that is less than
    /// the minutes that a report counts.
    private static let lengthPercent = 15
    private static let lengthMinutes = 1
    /// The largest share of adventures that the time limit may end, in percent.
    private static let overTimePercent = 2

    private let adventures: Int
    private let tell: (String) -> Void
    private var faults: [String] = []

    /// Plays all cells with this many adventures each, and tells how long each pack took to check.
    /// Returns what is out of its band.
    package static func faults(adventures: Int, tell: @escaping (String) -> Void) -> [String] {
        var check = BalanceCheck(adventures: adventures, tell: tell)
        for band in BalanceBand.all { check.check(band) }
        check.checkGrowth()
        return check.faults
    }

    private init(adventures: Int, tell: @escaping (String) -> Void) {
        (self.adventures, self.tell) = (adventures, tell)
    }

    private mutating func require(_ isMet: Bool, _ what: String) {
        if !isMet { faults.append(what) }
    }

    /// Plays one cell, and tells its line.
    private func report(
        _ pack: String, _ heroes: Int, _ players: BalancePlay.Players,
        _ difficulty: Difficulty = .normal, exp: Int = 0
    ) -> BalanceReport {
        guard let document = EmbeddedPacks.document(named: pack) else {
            preconditionFailure("the program has no pack \(pack)")
        }
        var setting = BalancePlay.Setting(document.pack, heroes: heroes, players)
        setting.difficulty = difficulty
        setting.exp = exp
        let report = BalanceReport(setting, adventures: adventures)
        tell("\(pack), \(heroes) heroes, \(players.rawValue), \(difficulty.name): \(report.line)")
        return report
    }

    private mutating func check(_ band: BalanceBand) {
        var (asleep, one): ([Int], [Int]) = ([], [])
        for heroes in BalanceTable.sizes {
            let cell = "\(band.pack), \(heroes) heroes"
            let alone = report(band.pack, heroes, .asleep)
            asleep.append(alone.winRate)
            require(band.wins.contains(alone.winRate), "\(cell), asleep: \(alone.line)")
            require(band.falls.contains(alone.fallsOfHero), "\(cell), asleep: \(alone.line)")
            require(
                alone.overTime * 100 <= alone.adventures * Self.overTimePercent,
                "\(cell), asleep: \(alone.line)")
            let helped = report(band.pack, heroes, .one)
            one.append(helped.winRate)
            require(helped.winRate >= band.winsWithOne, "\(cell), one: \(helped.line)")
            let awake = report(band.pack, heroes, .awake)
            require(awake.winRate >= band.winsAwake, "\(cell), awake: \(awake.line)")
            let ask = report(band.pack, heroes, .ask)
            require(ask.winRate <= helped.winRate, "\(cell), ask: \(ask.line)")
            if heroes == 4 { checkLength(helped, band) }
        }
        require(Self.spread(asleep) <= Self.spreadAsleep, "\(band.pack): asleep \(asleep)")
        require(Self.spread(one) <= Self.spreadWithOne, "\(band.pack): one \(one)")
        guard band.needsSomebody else { return }
        let hard = [BalancePlay.Players.asleep, .one].map {
            report(band.pack, 4, $0, .hard).winRate
        }
        require(hard[1] - hard[0] >= Self.worth, "\(band.pack), hard: \(hard)")
    }

    private mutating func checkLength(_ report: BalanceReport, _ band: BalanceBand) {
        for (percentile, minutes) in zip([5, 50, 95], band.minutes) {
            let off = abs(report.minutes(percentile: percentile) - minutes)
            require(
                off <= max(Self.lengthMinutes, minutes * Self.lengthPercent / 100),
                "\(band.pack), length: \(report.line)")
        }
    }

    /// A harder forest is won less often, and a grown hero wins more.
    private mutating func checkGrowth() {
        let rates = [Difficulty.gentle, .normal, .hard, .heroic, .mythic].map {
            report("forest-quest", 4, .asleep, $0).wins
        }
        // At level 1 nobody asleep wins the two hardest.
        require(rates == rates.sorted(by: >) && Set(rates).count >= 4, "difficulties: \(rates)")
        let levels = [0, 4_000, 18_000].map {
            report("forest-quest", 4, .asleep, .hard, exp: $0).wins
        }
        require(levels == levels.sorted() && Set(levels).count == 3, "levels: \(levels)")
    }

    private static func spread(_ rates: [Int]) -> Int { (rates.max() ?? 0) - (rates.min() ?? 0) }
}
