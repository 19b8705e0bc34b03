import Testing

@testable import RangersServer

@Suite("Which node may say of others that their leases have ended")
struct SteadinessTests {
    /// A second renewal that began so many milliseconds after the end of the first, ten seconds after
    /// the node had renewed its lease for the first time.
    struct Second: CustomTestStringConvertible, Sendable {
        var pause: Int64 = 2000
        /// How long each renewal took, in milliseconds.
        var took: (first: Int64, second: Int64) = (0, 0)
        /// Which part of that time was over when the database read its clock.
        var read: (first: Int64, second: Int64) = (0, 0)
        var step: Int64 = 0

        var testDescription: String { "pause \(pause), took \(took), read \(read), step \(step)" }
    }

    /// Returns for how long all renewals have succeeded when the last one began.
    private func steadiness(_ second: Second, fails: Bool = false) -> Int64 {
        var steadiness = Steadiness()
        func renewal(at began: Int64, _ took: Int64, _ read: Int64, _ step: Int64 = 0)
            -> Steadiness.Renewal
        {
            .init(began: began, ended: began + took, clock: 1_000_000 + began + read + step)
        }
        for began in stride(from: 0, through: 8000, by: 2000) as StrideThrough<Int64> {
            _ = steadiness.note(renewal(at: began, 0, 0))
        }
        _ = steadiness.note(renewal(at: 10_000, second.took.first, second.read.first))
        if fails { steadiness.noteFailure() }
        return steadiness.note(
            renewal(
                at: 10_000 + second.took.first + second.pause, second.took.second,
                second.read.second, second.step))
    }

    @Test(
        "a node goes on that renews in time, whatever the time that renewals take looks like",
        arguments: [
            Second(), Second(step: 3000), Second(step: -3_600_000), Second(pause: 6000),
            Second(took: (3000, 3000), read: (3000, 0)), Second(took: (0, 3000), read: (0, 3000)),
        ])
    func goesOn(second: Second) {
        #expect(steadiness(second) == 10_000 + second.took.first + second.pause)
    }

    @Test(
        "it begins anew after a gap, and after a step that may end leases of nodes that live",
        arguments: [
            Second(pause: 6001), Second(pause: 2000, took: (0, 4001)), Second(step: 3001),
            // Two readings that look like two seconds.
            Second(took: (3000, 0), read: (3000, 0), step: 3001),
            Second(took: (3000, 0), read: (0, 0), step: 6001),
        ])
    func beginsAnew(second: Second) {
        #expect(steadiness(second) <= 0)
    }

    @Test("it begins anew after a renewal that failed")
    func failure() { #expect(steadiness(Second(), fails: true) == 0) }
}
