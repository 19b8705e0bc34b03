internal import GameLogic

/// What was seen of many adventures of one setting.
package struct BalanceReport: Sendable {
    package let adventures: Int
    package let wins: Int
    package let overTime: Int
    package let falls: Int
    package let heroes: Int
    /// Sorted.
    package let minutes: [Int]
    /// The experience of each hero, sorted.
    package let exp: [Int]

    /// Plays this many adventures, with the seeds 1, 2, 3 …
    package init(_ setting: BalancePlay.Setting, adventures: Int) {
        var plays: (wins: Int, overTime: Int, falls: Int) = (0, 0, 0)
        var minutes: [Int] = []
        var exp: [Int] = []
        for seed in 1...adventures {
            let play = BalancePlay(setting, seed: UInt64(seed * 7919 + setting.heroes))
            plays.wins += play.isWon ? 1 : 0
            plays.overTime += play.isOverTime ? 1 : 0
            plays.falls += play.falls
            minutes.append(play.minutes)
            exp += play.party.members.map { $0.hero.exp - setting.exp }
        }
        self.adventures = adventures
        (wins, overTime, falls) = plays
        heroes = adventures * setting.heroes
        self.minutes = minutes.sorted()
        self.exp = exp.sorted()
    }

    /// In percent.
    package var winRate: Int { 100 * wins / adventures }

    /// Knock-downs of a hero on an adventure, in hundredths.
    package var fallsOfHero: Int { 100 * falls / heroes }

    package func minutes(percentile: Int) -> Int {
        minutes[min(minutes.count - 1, minutes.count * percentile / 100)]
    }

    package var medianExp: Int { exp[exp.count / 2] }

    /// One line for people.
    package var line: String {
        "wins \(winRate)%, over time \(100 * overTime / adventures)%, "
            + "falls of a hero 0.01 × \(fallsOfHero), minutes \(minutes(percentile: 5))/"
            + "\(minutes(percentile: 50))/\(minutes(percentile: 95)), exp \(medianExp)"
    }
}
