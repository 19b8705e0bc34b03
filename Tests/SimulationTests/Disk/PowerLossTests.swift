internal import Simulation
internal import Testing

@Suite struct PowerLossTests {
    /// What the trials of some seeds have found together.
    private struct Sum {
        var (commits, cuts, losses) = (0, 0, [String]())
    }

    private func play(
        _ seeds: Range<UInt64>, times: Int, powerLost: Bool = true, faultShare: Double = 0,
        _ spoil: @escaping (SimulatedDisk, inout Dice) -> Void = { _, _ in }
    ) -> Sum {
        seeds.reduce(into: Sum()) { sum, seed in
            DiskTrial.play(seed) { trial in
                trial.faultShare = faultShare
                trial.spoil = spoil
                trial.loseManyTimes(times, powerLost: powerLost)
                sum.commits += trial.commits
                sum.cuts += trial.disk.cuts
                sum.losses += trial.losses
            }
        }
    }

    @Test("PR1: 1,000 losses of power lose no acknowledged commit")
    func thousandLosses() {
        let sum = play(0..<20, times: 50)
        #expect(sum.losses == [])
        #expect(sum.cuts == 1000)
        #expect(sum.commits > 4000)
    }

    @Test("Control: a disk that lies about its syncs loses acknowledged commits with each seed")
    func lies() {
        for seed in 0..<20 as Range<UInt64> {
            let losses = DiskTrial.play(seed) { trial in
                trial.disk.fault.lies = true
                trial.loseManyTimes(10)
                return trial.losses
            }
            #expect(!losses.isEmpty, "seed \(seed)")
        }
    }

    @Test("PR1: a kill loses no acknowledged commit")
    func kills() {
        let sum = play(100..<105, times: 40, powerLost: false)
        #expect(sum.losses == [])
        #expect(sum.cuts == 200)
    }

    @Test("A sync that fails, and what it drops, loses no acknowledged commit")
    func failedSyncs() {
        let sum = play(200..<210, times: 40, faultShare: 0.2) { disk, _ in
            disk.fault.failNextSync = true
        }
        #expect(sum.losses == [])
        #expect(sum.cuts == 400)
    }

    @Test("PR9: a full disk and failed writes lose no acknowledged commit")
    func fullDisk() {
        let sum = play(300..<310, times: 40, faultShare: 0.2) { disk, dice in
            if dice.chance(0.5) {
                disk.fault.fullAt = disk.usedBytes + dice.between(0, 5000)
            } else {
                disk.fault.failNextWrite = true
            }
        }
        #expect(sum.losses == [])
        #expect(sum.cuts == 400)
    }

    @Test("PR11: another program's lock loses no acknowledged commit")
    func foreignLock() {
        let sum = play(400..<405, times: 40, faultShare: 0.2) { disk, _ in
            disk.fault.foreignLock = true
        }
        #expect(sum.losses == [])
        #expect(sum.cuts == 200)
    }

    @Test("PR1: a death in each of the first 200 writes and syncs of a new file loses nothing")
    func eachWrite() {
        var cuts = 0
        for number in 1...200 {
            for powerLost in [false, true] {
                DiskTrial.play(UInt64(number)) { trial in
                    trial.live(transactions: 40, death: number, powerLost: powerLost)
                    trial.judge()
                    #expect(trial.losses == [], "write \(number)")
                    cuts += trial.disk.cuts
                }
            }
        }
        #expect(cuts == 400)
    }
}
