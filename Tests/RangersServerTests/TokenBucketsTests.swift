import Testing

@testable import RangersServer

@Suite("Token buckets", .timeLimit(.minutes(1)))
struct TokenBucketsTests {
    private static let second: Int64 = 1_000_000

    private static func rate(_ text: String) throws -> Rate { try #require(Rate(text)) }

    @Test("a rate is a number, a period and a burst")
    func rates() throws {
        #expect(try Self.rate("10/s").burst == 10)
        #expect(try Self.rate("10/s").refillMicroseconds == 100_000)
        #expect(try Self.rate("60/h:20").burst == 20)
        #expect(try Self.rate("60/h:20").refillMicroseconds == 60 * Self.second)
        #expect(try Self.rate("1/m:5").refillMicroseconds == 60 * Self.second)
        for wrong in ["", "10", "10/", "/s", "0/s", "-1/s", "10/d", "10/s:", "10/s:0", "10/s:1:1"] {
            #expect(Rate(wrong) == nil, "\(wrong)")
        }
    }

    @Test("the standard rate of every limit is one, and names are unique")
    func standard() {
        #expect(Limit.allCases.count == 15)
        for limit in Limit.allCases { #expect(Rate(limit.standard) != nil, "\(limit.name)") }
        #expect(Set(Limit.allCases.map(\.name)).count == Limit.allCases.count)
    }

    @Test("a rested client has the whole burst, and then one token as each comes back")
    func burst() throws {
        var buckets = TokenBuckets(try Self.rate("10/m:3"), clientsMax: 64)
        for _ in 0..<3 { #expect(buckets.take(7, at: 0) == nil) }
        #expect(buckets.take(7, at: 0) == 6 * Self.second)
        #expect(buckets.take(8, at: 0) == nil)
        #expect(buckets.take(7, at: 5 * Self.second) == Self.second)
        #expect(buckets.take(7, at: 6 * Self.second) == nil)
        #expect(buckets.take(7, at: 6 * Self.second) == 6 * Self.second)
    }

    @Test("a token that is given back counts for nothing, and makes no bucket overflow")
    func givenBack() throws {
        var buckets = TokenBuckets(try Self.rate("10/m:1"), clientsMax: 64)
        #expect(buckets.take(7, at: 0) == nil)
        buckets.giveBack(to: 7)
        #expect(buckets.take(7, at: 0) == nil)
        buckets.giveBack(to: 8)
        #expect(buckets.take(7, at: 0) != nil)
        for _ in 0..<9 { buckets.giveBack(to: 7) }
        #expect(buckets.take(7, at: 0) == nil)
        #expect(buckets.take(7, at: 0) != nil)
    }

    @Test("whatever others do, an empty bucket stays empty, and the table within its bound")
    func bounded() throws {
        var buckets = TokenBuckets(try Self.rate("1/h:1"), clientsMax: 1024)
        var random = SystemRandomNumberGenerator()
        let first = (0..<100).map { _ in random.next() }
        for client in first { #expect(buckets.take(client, at: 0) == nil) }
        var admitted = 0
        for _ in 0..<100_000 where buckets.take(random.next(), at: 1) == nil { admitted += 1 }
        // The places that were left, and one shared bucket for each set of eight.
        #expect((1024 - 100...1024 - 100 + 1024 / 8).contains(admitted), "\(admitted)")
        #expect(first.allSatisfy { buckets.take($0, at: 2) != nil })
        // An hour later all have rested.
        #expect(first.count { buckets.take($0, at: 3601 * Self.second) == nil } == 100)
    }

    @Test("a token a time is as good as many at once: the whole rate, and no more")
    func steady() throws {
        var buckets = TokenBuckets(try Self.rate("10/s:30"), clientsMax: 64)
        var admitted = 0
        for millisecond in 0..<10_000 where buckets.take(7, at: Int64(millisecond) * 1000) == nil {
            admitted += 1
        }
        #expect(admitted == 30 + 99)
    }
}
