internal import GameLogic

/// The balance of a pack, for every kind of players in parties of several sizes: the lines of
/// `rangers content balance` and `rangers-tools playtest balance`.
package struct BalanceTable: Sendable {
    /// The sizes of a table for all.
    package static let sizes = [1, 2, 4, 8]
    package static let difficulties = Difficulty.allCases.map(\.name)

    private let settings: [BalancePlay.Setting]
    private let adventures: Int

    /// A table of one pack; `nil`: there is no such difficulty.
    ///
    /// - Parameters:
    ///   - document: The pack.
    ///   - difficulty: The name of a difficulty.
    ///   - heroes: The size of the parties; `nil`: several sizes.
    ///   - adventures: How many are played for each line.
    package init?(
        of document: PackDocument, difficulty: String, heroes: Int?, adventures: Int
    ) {
        guard let difficulty = Difficulty(named: difficulty) else { return nil }
        let sizes = heroes.map { [$0] } ?? Self.sizes
        settings = sizes.flatMap { size in
            BalancePlay.Players.allCases.map { players in
                var setting = BalancePlay.Setting(document.pack, heroes: size, players)
                setting.difficulty = difficulty
                return setting
            }
        }
        self.adventures = adventures
    }

    /// Plays and tells line by line: a table takes a while.
    package func tell(_ line: (String) -> Void) {
        for setting in settings {
            let report = BalanceReport(setting, adventures: adventures)
            line("heroes \(setting.heroes), \(setting.players.rawValue): \(report.line)")
        }
    }
}
