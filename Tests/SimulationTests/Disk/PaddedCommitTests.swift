internal import CSQLite
internal import Simulation
internal import Testing

@testable internal import PartyStore

@Suite struct PaddedCommitTests {
    @Test("The machine's disk lets SQLite leave commits unpadded, and so does the simulated one")
    func machine() throws {
        let database = try Database(path: ":memory:", access: .readOnly)
        #expect(!database.padsCommits)
        #expect(!SQLiteStore.padsCommits(inFile: "/nowhere/file"))
        DiskTrial.play(1) { trial in
            #expect(trial.padsCommits == false)
            trial.disk.fault.padsCommits = true
            #expect(trial.padsCommits == true)
        }
    }

    @Test("Control: where commits are padded, a power cut can look like damage")
    func control() {
        let refusals = (0..<20 as Range<UInt64>).flatMap { seed in
            DiskTrial.play(seed) { trial in
                trial.disk.fault.padsCommits = true
                trial.loseManyTimes(20)
                return trial.losses.filter { $0.contains("is damaged") }
            }
        }
        #expect(!refusals.isEmpty)
    }
}
