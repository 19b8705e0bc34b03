import Testing

@testable import Bench

@Suite("The game bench") struct GameBenchTests {
    private static func run(_ rate: Int) throws -> APIRun {
        let line = "{\"requests\":\(rate),\"seconds\":1,\"refused\":0,\"lost\":0,\"listSeconds\":0}"
        return APIRun(try WrkResult(output: line), ofList: nil, cpuSeconds: 0.5)
    }

    @Test("ratios are those of a round, and what was not measured is left out")
    func ratios() throws {
        var findings = GameFindings(machine: .own)
        for rate in [100, 300] {
            var sample = GameSample(
                engine: EngineRun(heroSteps: 2_000_000, stepSeconds: 1, balanceSeconds: 3))
            sample.reads[.friends] = GameSample.Pair(
                ours: try Self.run(rate), go: try Self.run(200))
            sample.writes[.orders] = try Self.run(rate)
            sample.commits = 50
            findings.add(sample)
        }
        let figures = findings.report(GameBench.Settings()).figures
        func median(_ key: String) -> Double? {
            figures.first { $0.key == key }?.spread.median
        }
        #expect(median("friends_ratio_to_go") == 1)
        #expect(median("orders_ratio_to_sqlite") == 4)
        #expect(median("bag_ratio_to_go") == nil)
        #expect(median("hero_steps_per_s") == 2_000_000)
    }

    @Test("answers and orders change what the one before wrote; a pack is one line")
    func requests() {
        let seats = (0..<4).map { PreparedParty.Seat(hero: "hero-\($0)", token: "t\($0)") }
        let party = PreparedParty(
            id: "p", inviteCode: "c", members: seats,
            guest: PreparedParty.Seat(hero: "guest", token: "g"))
        for write in GameSample.Write.allCases {
            let requests = write.requests(of: party, party, check: 7, pack: "{}", key: "key")
            #expect(Set(requests.prefix(2)).count == min(2, requests.count))
            #expect(!requests[0].line.contains("\n"))
        }
    }

    @Test("the engine plays adventures to their ends, alone and with players")
    func engine() {
        let run = EngineRun(adventures: 2)
        #expect(run.heroSteps > 2 * 27 * 4)
    }
}
