internal import CSQLite
internal import Isolation
internal import Simulation
internal import Testing

@Suite struct DiskSeedTests {
    private static func hash(_ seed: UInt64) -> UInt64 {
        DiskTrial.play(seed) { trial in
            trial.loseManyTimes(5)
            return trial.disk.hash()
        }
    }

    @Test("One seed gives the same bytes 100 times, another seed others")
    func sameBytes() {
        let first = Self.hash(1)
        #expect((0..<100).filter { _ in Self.hash(1) == first }.count == 100)
        #expect(Self.hash(2) != first)
    }

    @Test("Four threads at once get the bytes that one alone gets")
    func fourThreads() {
        let seeds = 0..<60 as Range<UInt64>
        let alone = seeds.map(Self.hash)
        let together = Locked([UInt64: UInt64]())
        let threads = (0..<4).map { number in
            PlainThread {
                for seed in seeds where seed % 4 == number {
                    let hash = Self.hash(seed)
                    together.withLock { $0[seed] = hash }
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(seeds.map { together.withLock { $0 }[$0] } == alone)
        #expect(Set(alone).count == 60)
    }

    @Test("SQLite draws from the dice of the thread's disk, and elsewhere from its own state")
    func randomness() {
        func draw() -> UInt64 {
            var bits: UInt64 = 0
            sqlite3_randomness(8, &bits)
            return bits
        }
        func drawn(_ seed: UInt64) -> [UInt64] {
            DiskTrial.play(seed) { _ in [draw(), draw()] }
        }
        #expect(drawn(1) == drawn(1))
        #expect(drawn(1) != drawn(2))
        #expect(Set([draw(), draw(), draw()]).count == 3)
    }
}
