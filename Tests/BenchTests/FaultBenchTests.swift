import APNsClient
import APNsSimulator
import Foundation
import PushLoad
import Testing

@testable import Bench

@Suite(.serialized) struct FaultBenchTests {
    /// A sample with these rates, and what both sides have counted.
    private func sample(
        _ fault: BenchFault, before: Double = 100, during: Double = 100, after: Double = 100,
        reported: FaultTally.Count = FaultTally.Count(), apple: Counters = Counters()
    ) -> FaultSample {
        var sample = FaultSample(fault)
        sample.before = FaultSample.Phase(rate: before, slowestPercent: 2)
        sample.during = FaultSample.Phase(rate: during, slowestPercent: 3)
        sample.after = FaultSample.Phase(rate: after, slowestPercent: 2)
        sample.count(reported, apple)
        return sample
    }

    private func figures(_ samples: [FaultSample]) -> [String: Figure] {
        var findings = FaultFindings(machine: .own)
        for sample in samples { findings.add(sample) }
        let figures = findings.report(FaultBench.Settings()).figures
        return Dictionary(uniqueKeysWithValues: figures.map { ($0.key, $0) })
    }

    @Test("PR7: each fault is survived by one client, and both sides count the same")
    func everyFault() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        // Those that need the client's own timeouts take longer than a test should.
        for fault in [
            BenchFault.goAwayInTurn, .goAwayBehind, .goAwayTwice, .unavailable, .tooMany,
            .expiredToken,
        ] {
            let sample = try await FaultTestbed(fault, folder: folder.path).play(seconds: 0.05)
            #expect(sample.lost == 0, "\(fault)")
            #expect(sample.doubled == 0, "\(fault)")
            #expect(sample.count.accepted > 0, "\(fault)")
            #expect(sample.count.submitted == sample.count.ended, "\(fault)")
        }
    }

    @Test("a ratio is taken within a run, and its median has the rule's target")
    func ratio() throws {
        let figures = figures([
            sample(.goAway, before: 100, during: 60), sample(.goAway, before: 200, during: 160),
            sample(.goAway, before: 50, during: 45),
        ])
        let figure = try #require(figures["goaway_ratio"])
        #expect(figure.spread == Spread([0.6, 0.8, 0.9]))
        #expect(figure.isMet)
    }

    @Test("waits are compared, and what is half as long again misses the target")
    func waits() throws {
        let figure = try #require(figures([sample(.tooMany)])["too_many_p99_ratio"])
        #expect(figure.spread.median == 1.5)
        #expect(!figure.isMet)
    }

    @Test(
        "what one side knows and the other does not is lost",
        arguments: [(10, 10, 0, 0), (10, 9, 0, 1), (10, 11, 1, 0), (10, 11, 0, 1)])
    func lost(accepted: Int, known: Int, unknown: Int, lost: Int) async throws {
        var reported = FaultTally.Count()
        reported.accepted = accepted
        reported.unknown = unknown
        reported.submitted = accepted + unknown
        #expect(FaultSample.lost(reported, known: known) == lost)
    }

    @Test("a push without any outcome is lost")
    func silent() {
        var reported = FaultTally.Count()
        reported.submitted = 3
        reported.accepted = 2
        #expect(FaultSample.lost(reported, known: 2) == 1)
    }

    @Test("outcomes are reported apart, and the longest time without an acceptance is kept")
    func tally() {
        let tally = FaultTally()
        tally.begin(at: Usage.now - 60)
        tally.add(4)
        tally.note(.notSent("no connection"), submittedAt: Usage.now)
        tally.note(.unknown("lost"), submittedAt: Usage.now)
        #expect(tally.firstAcceptance == nil)
        tally.note(.accepted(apnsUniqueID: nil), submittedAt: Usage.now - 1)
        tally.note(.accepted(apnsUniqueID: nil), submittedAt: Usage.now - 1)
        #expect(tally.longestGap >= 60)
        #expect(tally.slowestPercent ?? 0 >= 1_000)
        #expect(tally.count.accepted == 2)
        #expect(tally.count.ended == 4)
    }

    @Test("with a script the undisturbed time has as many lines, for devices that nobody has")
    func decoys() {
        for fault in BenchFault.allCases {
            #expect(fault.decoys.count == fault.script.count)
            for decoy in fault.decoys {
                guard case .token(let token) = decoy.scope else {
                    Issue.record("\(fault) has a decoy for everybody")
                    continue
                }
                #expect(token.utf8.count == 64)
                #expect(!FaultLoad.greedyTokens.contains(token))
            }
        }
    }
}
