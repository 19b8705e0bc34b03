import Testing

@testable import PushLoad

@Suite struct UsageTests {
    @Test("peak memory is VmHWM, in MB of 10^6 bytes")
    func peak() {
        let status = "Name:\trangers\nVmPeak:\t  900000 kB\nVmHWM:\t   14636 kB\nVmRSS:\t 1 kB\n"
        #expect(Usage.peakMegabytes(inStatus: status) == 14_636 * 1_024 / 1e6)
        #expect(Usage.peakMegabytes(inStatus: "Name:\trangers\n") == nil)
    }

    @Test("ticks are counted behind the name, whatever is in it")
    func ticks() {
        let stat = "42 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0 3"
        #expect(Usage.ticks(inStat: stat) == 300)
        #expect(Usage.ticks(inStat: "42 (short) S 1") == nil)
    }

    @Test("this process has a peak of memory")
    func own() { #expect((Usage.peakMegabytes ?? 0) > 0) }
}
