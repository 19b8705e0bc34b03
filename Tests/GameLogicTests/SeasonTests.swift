@testable import GameLogic
import Testing

/// Seasons are 28 days from a Monday, without gaps, also before 1970.
struct SeasonTests {
    private static let day: Int64 = 86_400_000

    @Test("season 0 begins on Monday, 5 January 1970")
    func first() {
        #expect(Season(number: 0).start == 4 * Self.day)
        #expect(Season(at: 4 * Self.day) == Season(number: 0))
        #expect(Season(at: 4 * Self.day - 1) == Season(number: -1))
    }

    @Test(
        "a season has its first millisecond and not the one after its last",
        arguments: [-3, 0, 741])
    func bounds(_ number: Int64) {
        let season = Season(number: number)
        #expect(Season(at: season.start) == season)
        #expect(Season(at: season.end - 1) == season)
        #expect(Season(at: season.end) == season.next)
        #expect(Season(at: season.start - 1) == season.previous)
        #expect(season.end - season.start == 28 * Self.day)
    }

    @Test("a season counts its days from 0 to 27")
    func days() {
        let season = Season(number: 740)
        #expect(season.day(of: season.start) == 0)
        #expect(season.day(of: season.start + Self.day - 1) == 0)
        #expect(season.day(of: season.start + Self.day) == 1)
        #expect(season.day(of: season.end - 1) == 27)
        #expect(season.day(of: season.end) == nil)
        #expect(season.day(of: season.start - 1) == nil)
    }
}
