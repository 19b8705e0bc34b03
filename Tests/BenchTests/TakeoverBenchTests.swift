import OptionParsing
import PartyStore
import Testing

@testable import Bench

@Suite struct TakeoverBenchTests {
    private func look(
        _ shards: [Int], parties: Int = 100, late: Double = 0
    ) -> TakeoverNodes.Look {
        TakeoverNodes.Look(shards: shards, parties: parties, lateSeconds: late)
    }

    /// Returns after which looks, a second apart, nodes keep up, and the times.
    private func noted(_ looks: TakeoverNodes.Look...) -> (keepsUp: [Bool], TakeoverTimes) {
        var times = TakeoverTimes()
        let keepsUp = looks.enumerated().map { offset, look in
            times.note(look, parties: 100, at: Double(offset + 1))
        }
        return (keepsUp, times)
    }

    @Test("nodes keep up when they share all shards, have all parties, and none is late")
    func keepingUp() {
        let half = PartyShard.count / 2
        let (keepsUp, times) = noted(
            look([half, 0], parties: 50), look([PartyShard.count, 0]),
            look([half, half], parties: 60), look([half, half], late: 1),
            look([half, half], parties: 101, late: 0.9))
        #expect(keepsUp == [false, false, false, false, true])
        #expect([times.ownedSeconds, times.loadedSeconds, times.keepsUpSeconds] == [3, 4, 5])
    }

    @Test("what nodes have for a moment only does not count")
    func moment() {
        let (keepsUp, times) = noted(
            look([PartyShard.count], late: 2), look([PartyShard.count - 1], late: 2),
            look([PartyShard.count]))
        #expect(keepsUp == [false, false, true])
        #expect([times.ownedSeconds, times.loadedSeconds] == [3, 3])
    }

    private func round(ownedAt seconds: Double = 6) -> TakeoverRound {
        var round = TakeoverRound(parties: 1_000)
        (round.bytesBefore, round.bytes) = (10e6, [12e6, 14e6, 16e6])
        (round.lostParties, round.readSeconds) = (300, 0.5)
        let shards = [PartyShard.count]
        for (parties, at) in [(700, seconds), (1_000, seconds + 2)] {
            _ = round.takeover.note(look(shards, parties: parties), parties: 1_000, at: at)
        }
        return round
    }

    @Test("memory is what parties add, and loading is compared with reading")
    func figures() {
        let round = round()
        #expect(round.bytesPerNode == 14e6)
        #expect(round.bytesPerParty == 12_000)
        #expect(round.loadRatio == 4)
    }

    @Test("a shard may be without an owner for eight seconds")
    func target() {
        func report(_ round: TakeoverRound) -> BenchReport {
            var findings = TakeoverFindings(machine: .own)
            findings.add(round)
            return findings.report(TakeoverBench.Settings())
        }
        #expect(report(round(ownedAt: 8)).isEveryTargetMet)
        #expect(!report(round(ownedAt: 8.1)).isEveryTargetMet)
    }

    @Test("three rounds of 100,000 parties, by default")
    func options() throws {
        func settings(_ arguments: String...) throws -> TakeoverBench.Settings {
            try TakeoverBench.Settings(BenchOptions.takeover.parse(arguments, environment: [:]))
        }
        #expect(try settings() == TakeoverBench.Settings())
        #expect(try settings("--quick").rounds == 1)
        #expect(try settings("--parties=500").parties == 500)
        #expect(throws: OptionsError.self) { try settings("--parties=1") }
    }
}
