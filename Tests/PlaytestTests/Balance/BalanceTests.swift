internal import Content
internal import GameLogic
internal import Playtest
internal import Testing

@Suite("Balance of the packs") struct StoryBalanceTests {
    @Test("table") func table() {
        for document in EmbeddedPacks.documents where document.pack.rules == .second {
            for heroes in [1, 2, 4, 8] {
                for players in BalancePlay.Players.allCases {
                    let setting = BalancePlay.Setting(document.pack, heroes: heroes, players)
                    let report = BalanceReport(setting, adventures: 100)
                    print(document.pack.reference, heroes, players, report.line)
                }
            }
        }
    }
}
