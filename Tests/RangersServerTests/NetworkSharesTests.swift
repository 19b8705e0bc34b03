import HTTPServer
import Testing

@testable import RangersServer

/// PR22: what networks have of a rate.
@Suite("Shares of networks", .timeLimit(.minutes(1)))
struct NetworkSharesTests {
    private static let second: Int64 = 1_000_000

    private static func shares(
        _ text: String, least: String? = nil, factors: NetworkFactors = NetworkFactors()
    ) throws -> NetworkShares {
        NetworkShares(
            try #require(Rate(text)), least: try least.map { try #require(Rate($0)) },
            factors: factors, clientsMax: 1 << 16)
    }

    private static func client(_ text: String) throws -> NetworkShares.Client {
        NetworkShares.Client(networksOf: try #require(ClientAddress(text)))
    }

    /// How many tokens these addresses get, each as many as it can.
    private static func count(
        _ addresses: [String], from shares: inout NetworkShares, at now: Int64 = 0
    ) throws -> Int {
        var count = 0
        for address in addresses {
            let client = try client(address)
            while count < 10_000, shares.take(client, at: now) == nil { count += 1 }
        }
        return count
    }

    /// Addresses in so many /64 networks of a site, a /48.
    private static func site(_ networks: Range<Int>, _ site: String = "2001:db8:1") -> [String] {
        networks.map { "\(site):\(String($0, radix: 16))::1" }
    }

    @Test("PR22: a /64 has what one client has, a /56 four times, and a /48 sixteen times as much")
    func ofIPv6() throws {
        var shares = try Self.shares("3/h:3")
        #expect(try Self.count(["2001:db8:1::1", "2001:db8:1::2"], from: &shares) == 3)
        #expect(try Self.count(Self.site(1..<256), from: &shares) == 9)
        #expect(try Self.count(Self.site(256..<2000), from: &shares) == 36)
        #expect(try Self.count(["2001:db8:2::1"], from: &shares) == 3)
    }

    @Test("PR22: a /24 has sixteen times what an IPv4 address has, in both forms")
    func ofIPv4() throws {
        var shares = try Self.shares("3/h:3")
        let addresses = (0..<256).map { "192.0.2.\($0)" }
        #expect(try Self.count(["192.0.2.1", "::ffff:192.0.2.1"], from: &shares) == 3)
        #expect(try Self.count(addresses, from: &shares) == 45)
        #expect(try Self.count(["192.0.3.1"], from: &shares) == 3)
    }

    @Test("PR22: a wider network has its share of the rate too, not only of the burst")
    func rate() throws {
        var shares = try Self.shares("1/m:1")
        let site = Self.site(0..<2000)
        #expect(try Self.count(site, from: &shares) == 16)
        #expect(try Self.count(site, from: &shares, at: 60 * Self.second) == 16)
        #expect(try Self.count(site, from: &shares, at: 90 * Self.second) == 8)
    }

    @Test("each factor is a setting")
    func factors() throws {
        var factors = NetworkFactors()
        factors.ipv6Of56 = 2
        factors.ipv6Of48 = 5
        factors.ipv4Of24 = 7
        var shares = try Self.shares("1/h:1", factors: factors)
        #expect(try Self.count(Self.site(0..<256), from: &shares) == 2)
        #expect(try Self.count(Self.site(256..<2000), from: &shares) == 3)
        #expect(try Self.count((0..<256).map { "192.0.2.\($0)" }, from: &shares) == 7)
    }

    @Test("a client that is refused takes no token of any network")
    func refusals() throws {
        var shares = try Self.shares("1/h:1")
        let greedy = try Self.client("2001:db8:1:1::1")
        #expect(shares.take(greedy, at: 0) == nil)
        for _ in 0..<1000 { #expect(shares.take(greedy, at: 0) == 3600 * Self.second) }
        #expect(try Self.count(Self.site(0x100..<0x1000), from: &shares) == 15)
        // The site's next token comes after a sixteenth of the time.
        let other = try Self.client("2001:db8:1:ffff::1")
        #expect(shares.take(other, at: 0) == 225 * Self.second)
        #expect(shares.take(other, at: 225 * Self.second) == nil)
    }

    @Test("a token that is given back is there again for all networks of its client")
    func givenBack() throws {
        var shares = try Self.shares("1/h:1")
        #expect(try Self.count(Self.site(0..<0x1000), from: &shares) == 16)
        shares.giveBack(to: try Self.client("2001:db8:1::1"))
        #expect(try Self.count(Self.site(0..<0x1000), from: &shares) == 1)
    }

    @Test("nodes divide the rate of wider networks as that of a client")
    func nodes() throws {
        var shares = try Self.shares("12/h:12", least: "1/h:1")
        shares.share(among: 3, at: 0)
        #expect(try Self.count(["2001:db8:1::1"], from: &shares) == 4)
        #expect(try Self.count(Self.site(0..<256), from: &shares) == 12)
        #expect(try Self.count(Self.site(256..<2000), from: &shares) == 48)
    }

    @Test("a player has no networks")
    func players() throws {
        var shares = try Self.shares("1/h:1")
        for number in 0..<100 {
            #expect(shares.take(NetworkShares.Client("player-\(number)"), at: 0) == nil)
        }
    }

    @Test("what a client must wait is what a token then costs, in a full table too")
    func waits() throws {
        var buckets = TokenBuckets(try #require(Rate("1/s:3")), clientsMax: 64)
        var random = SystemRandomNumberGenerator()
        var now: Int64 = 0
        for _ in 0..<20_000 {
            now += Int64.random(in: 0..<10_000, using: &random)
            let client = UInt64.random(in: 1...300, using: &random)
            let wait = buckets.wait(of: client, at: now)
            #expect(buckets.take(client, at: now) ?? 0 == wait)
        }
    }
}
