package import Content
internal import GameLogic
internal import PushPolicy

/// What 1,000 adventures without acting players show about a pack that its file does not.
package struct PackTrial {
    /// The stories that each size of the party plays.
    private static let stories = 250
    /// The stories of each size whose pushes are counted.
    private static let pushedStories = 20
    /// The size of the party whose budget counts.
    private static let usualSize = 4
    /// The percentage of wins when nobody acts: a night's sleep does not lose the adventure, and
    /// somebody who acts makes a difference.
    private static let wins = 50...97
    /// The events of 100 phones that the budget may lower to priority 5.
    private static let loweredMax = 20

    /// How the stories of parties of one size went.
    package struct Row: Sendable {
        package let heroes: Int
        /// The median.
        package let minutes: Int
        /// In percent, as `overTime`.
        package let won: Int
        package let overTime: Int
        /// Of each phone.
        package let pushesAnHour: Int
        package let highPriorityAnHour: Int
    }

    package let rows: [Row]
    /// What is wrong with the stories.
    package let warnings: [PackFault]

    /// Plays the stories. The time limit may end `overTimeMax` percent of them.
    package init(of document: PackDocument, overTimeMax: Int = 2) throws {
        let words = try Words.embedded()
        words.packs.add(document)
        let trials = try BalanceTable.sizes.map { try Self.trial(of: document, $0, words) }
        rows = trials.map(\.row)
        let usual = trials.first { $0.row.heroes == Self.usualSize }
        warnings =
            Self.faults(of: rows, document.pack.kind, overTimeMax: overTimeMax)
            + Self.faults(lowered: usual?.lowered ?? 0)
    }

    private static func trial(
        of document: PackDocument, _ heroes: Int, _ words: Words
    ) throws -> (row: Row, lowered: Int) {
        let report = BalanceReport(
            BalancePlay.Setting(document.pack, heroes: heroes, .asleep), adventures: stories)
        let phones = try (1...UInt64(pushedStories)).flatMap { seed in
            try Rehearsal.phones(
                of: document, seed: seed, heroes: heroes,
                frequentUpdates: document.pack.kind == .bossRush, words)
        }
        let hours = max(1, phones.reduce(0) { $0 + $1.milliseconds })
        func anHour(_ count: (Rehearsal.Phone) -> Int) -> Int {
            Int(Int64(phones.reduce(0) { $0 + count($1) }) * 3_600_000 / hours)
        }
        let row = Row(
            heroes: heroes, minutes: report.minutes(percentile: 50), won: report.winRate,
            overTime: 100 * report.overTime / report.adventures,
            pushesAnHour: anHour(\.pushes), highPriorityAnHour: anHour(\.highPriority))
        return (row, phones.map(\.lowered).reduce(0, +) * 100 / max(1, phones.count))
    }

    // MARK: Faults

    private static func faults(
        of rows: [Row], _ kind: Pack.Kind, overTimeMax: Int
    ) -> [PackFault] {
        // A shift is won only with all other parties.
        guard kind != .worldBoss else { return [] }
        var faults: [PackFault] = []
        for row in rows where row.won < wins.lowerBound {
            faults.append(
                fault(
                    "parties of \(row.heroes) in which nobody acts win \(row.won)%; at least "
                        + "\(wins.lowerBound)% should be won: give foes and bosses less damage"))
        }
        // In training nobody can lose.
        if kind != .training, rows.allSatisfy({ $0.won > wins.upperBound }) {
            faults.append(
                fault(
                    "parties of every size in which nobody acts win more than "
                        + "\(wins.upperBound)%: give foes and bosses more damage"))
        }
        for row in rows where row.overTime > overTimeMax {
            faults.append(
                fault(
                    "\(row.overTime)% of the stories of \(row.heroes) end by the time limit; at "
                        + "most \(overTimeMax)% should: make it longer, or the story shorter"))
        }
        return faults
    }

    private static func faults(lowered: Int) -> [PackFault] {
        guard lowered > loweredMax else { return [] }
        return [
            fault(
                "the budget lowers \(lowered) events of 100 phones to priority 5; at most "
                    + "\(loweredMax) should be: let fewer bosses come")
        ]
    }

    private static func fault(_ what: String) -> PackFault {
        PackFault("stories", what, severity: .warning)
    }
}
