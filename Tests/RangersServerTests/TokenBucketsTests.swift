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
        #expect(Limit.allCases.count == 17)
        for limit in Limit.allCases { #expect(Rate(limit.standard) != nil, "\(limit.name)") }
        #expect(Set(Limit.allCases.map(\.name)).count == Limit.allCases.count)
    }

    @Test("what a node has at least is a rate, and no more than the standard one")
    func least() throws {
        for limit in Limit.allCases {
            switch limit.sharing {
            case .whole: #expect(limit == .messages)
            case .divided(let least):
                let (least, standard) = (try Self.rate(least), try Self.rate(limit.standard))
                #expect(least.burst < standard.burst || limit == .adminGuesses, "\(limit.name)")
                #expect(least.refillMicroseconds > standard.refillMicroseconds, "\(limit.name)")
            }
        }
    }

    @Test("three nodes have a third of the rate and of the burst each")
    func shared() throws {
        var buckets = TokenBuckets(
            try Self.rate("12/m:12"), least: try Self.rate("1/m:1"), clientsMax: 64)
        buckets.share(among: 3, at: 1)
        for _ in 0..<4 { #expect(buckets.take(7, at: 1) == nil) }
        #expect(buckets.take(7, at: 1) == 15 * Self.second)
        #expect(buckets.take(7, at: 2) == 15 * Self.second - 1)
        #expect(buckets.take(7, at: 15 * Self.second) == 1)
        #expect(buckets.take(7, at: 15 * Self.second + 1) == nil)
        #expect(buckets.take(7, at: 15 * Self.second + 1) == 15 * Self.second)
    }

    @Test("a node never has less than one client needs, nor more than the rate")
    func leastShare() throws {
        func count(_ rate: String, least: String, nodes: Int) throws -> [Int] {
            var buckets = TokenBuckets(
                try Self.rate(rate), least: try Self.rate(least), clientsMax: 64)
            buckets.share(among: nodes, at: 0)
            return [0, 60].map { second in
                (0..<200).count { _ in buckets.take(7, at: second * Self.second) == nil }
            }
        }
        #expect(try count("60/m:90", least: "20/m:30", nodes: 2) == [45, 30])
        #expect(try count("60/m:90", least: "20/m:30", nodes: 3) == [30, 20])
        #expect(try count("60/m:90", least: "20/m:30", nodes: 100) == [30, 20])
        #expect(try count("6/m:9", least: "20/m:30", nodes: 100) == [9, 6])
        var whole = TokenBuckets(try Self.rate("3/h:3"), clientsMax: 64)
        whole.share(among: 100, at: 0)
        #expect((0..<200).count { _ in whole.take(7, at: 0) == nil } == 3)
    }

    @Test("when nodes join and leave, what a client has taken stays taken")
    func changingNumber() throws {
        var buckets = TokenBuckets(
            try Self.rate("60/m:60"), least: try Self.rate("1/m:1"), clientsMax: 64)
        for _ in 0..<25 { #expect(buckets.take(7, at: 0) == nil) }
        // Of the 30 that are left of two nodes, five.
        buckets.share(among: 2, at: 0)
        for _ in 0..<5 { #expect(buckets.take(7, at: 0) == nil) }
        #expect(buckets.take(7, at: 0) == 2 * Self.second)
        // Ten are back, and the part of three nodes is 20: the client has had them.
        buckets.share(among: 3, at: 20 * Self.second)
        #expect(buckets.take(7, at: 20 * Self.second) == 3 * Self.second)
        #expect(buckets.take(8, at: 20 * Self.second) == nil)
        // The whole burst, without the 20 that are still missing.
        buckets.share(among: 1, at: 20 * Self.second)
        #expect((0..<200).count { _ in buckets.take(7, at: 20 * Self.second) == nil } == 40)
        buckets.giveBack(to: 7)
        #expect(buckets.take(7, at: 20 * Self.second) == nil)
        #expect(buckets.take(7, at: 20 * Self.second) == Self.second)
    }

    @Test("however often their number changes, nodes together admit no more than the rate")
    func steadyNumber() throws {
        var random = SystemRandomNumberGenerator()
        var buckets = TokenBuckets(
            try Self.rate("10/s:30"), least: try Self.rate("1/s:1"), clientsMax: 64)
        // In thousandths of a token, as the rate of each millisecond allows.
        var (admitted, allowed) = (0, 30_000.0)
        var nodes = 1
        for millisecond in 0..<20_000 {
            let now = Int64(millisecond) * 1000
            if millisecond % 700 == 0 {
                nodes = Int.random(in: 1...10, using: &random)
                buckets.share(among: nodes, at: now)
            }
            if buckets.take(7, at: now) == nil { admitted += 1000 }
            allowed += 10 / Double(nodes)
            #expect(Double(admitted) <= allowed)
        }
        // A client that never pauses gets the whole rate, except the burst that one node lacks.
        #expect(Double(admitted) > allowed - 30_000)
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
