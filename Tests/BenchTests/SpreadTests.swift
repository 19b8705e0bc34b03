import Testing

@testable import Bench

@Suite struct SpreadTests {
    @Test("the median of an odd number is the one in the middle, in whatever order they came")
    func odd() throws {
        let spread = try #require(Spread([9, 1, 5]))
        #expect(spread.median == 5)
        #expect(spread.smallest == 1)
        #expect(spread.largest == 9)
    }

    @Test("the median of an even number lies between the two in the middle")
    func even() { #expect(Spread([4, 1, 2, 100])?.median == 3) }

    @Test("one sample is its own spread")
    func one() {
        #expect(Spread([7])?.smallest == 7)
        #expect(Spread([7])?.largest == 7)
    }

    @Test("no samples have no spread")
    func none() { #expect(Spread([]) == nil) }
}
