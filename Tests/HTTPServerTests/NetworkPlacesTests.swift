import Testing

@testable import HTTPServer

/// PR22: who has the places, when many want them.
@Suite("Places and networks", .timeLimit(.minutes(1)))
struct NetworkPlacesTests {
    private static func address(_ text: String) throws -> ClientAddress {
        try #require(ClientAddress(text))
    }

    /// Places of which each /64 of an attacker has as many as it could get, the highest number last.
    private static func taken(
        _ limit: Int, by networks: Int, in site: String = "2001:db8:bad"
    ) throws -> NetworkPlaces<Int> {
        var places = NetworkPlaces<Int>(limit: limit)
        for number in 0..<limit {
            let network = String(number % networks, radix: 16)
            #expect(
                places.take(number, from: try address("\(site):\(network)::1")) == .free)
        }
        return places
    }

    @Test("while places are free, one address may have all of them")
    func free() throws {
        let places = try Self.taken(100, by: 1)
        #expect(places.count == 100)
    }

    @Test("PR22: when 32 networks have all 5,000 places, 40 newcomers of others get one each")
    func newcomers() throws {
        var places = try Self.taken(5000, by: 32)
        var displaced: Set<Int> = []
        for number in 0..<40 {
            let address = try Self.address("2001:db8:\(String(number, radix: 16))::1")
            guard case .insteadOf(let other) = places.take(5000 + number, from: address) else {
                Issue.record("newcomer \(number) got no place")
                continue
            }
            displaced.insert(other)
        }
        #expect(displaced.count == 40)
        // Of each network the newest ones.
        #expect(displaced.allSatisfy { (4900..<5000).contains($0) })
        #expect(places.count == 5000)
    }

    @Test("PR22: networks that have most get no more, from whichever of their addresses")
    func crowd() throws {
        var places = try Self.taken(64, by: 32)
        for number in 0..<320 {
            let address = try Self.address(
                "2001:db8:bad:\(String(number % 32, radix: 16))::\(number + 2)")
            #expect(places.take(1000 + number, from: address) == .none)
        }
        #expect(places.count == 64)
    }

    @Test("PR22: within a /48 a client gets a place of the /64 that has most")
    func neighbour() throws {
        var places = try Self.taken(100, by: 1)
        #expect(
            places.take(100, from: try Self.address("2001:db8:bad:1::1")) == .insteadOf(99))
        #expect(
            places.take(101, from: try Self.address("2001:db8:bad:ff01::1")) == .insteadOf(98))
    }

    @Test("PR22: within a /48 with one place fewer than another, a client gets a place of it too")
    func neighbourOfNearlyMost() throws {
        var places = NetworkPlaces<Int>(limit: 5)
        for number in 1...2 {
            #expect(places.take(number, from: try Self.address("2001:db8:1:1::1")) == .free)
        }
        for number in 3...5 {
            #expect(places.take(number, from: try Self.address("2001:db8:2:1::1")) == .free)
        }
        let neighbour = try Self.address("2001:db8:1:ff01::1")
        #expect(places.take(6, from: neighbour) == .insteadOf(2))
        #expect(places.take(7, from: neighbour) == .none)
    }

    @Test("a network takes no place of one that would then have as few")
    func equals() throws {
        var places = NetworkPlaces<Int>(limit: 3)
        #expect(places.take(1, from: try Self.address("192.0.2.1")) == .free)
        #expect(places.take(2, from: try Self.address("192.0.2.2")) == .free)
        #expect(places.take(3, from: try Self.address("198.51.100.1")) == .free)
        #expect(places.take(4, from: try Self.address("198.51.100.2")) == .none)
        let last = places.take(4, from: try Self.address("2001:db8::1"))
        #expect([.insteadOf(1), .insteadOf(2)].contains(last))
        #expect(places.take(5, from: try Self.address("203.0.113.1")) == .none)
    }

    @Test("IPv4 addresses of one /24 take turns with other networks together")
    func ofIPv4() throws {
        var places = NetworkPlaces<Int>(limit: 200)
        for number in 0..<200 {
            #expect(
                places.take(number, from: try Self.address("192.0.2.\(number)")) == .free)
        }
        #expect(places.take(200, from: try Self.address("192.0.2.250")) == .none)
        #expect(places.take(201, from: try Self.address("192.0.3.1")) != .none)
    }

    @Test("a trusted client keeps its place, and gets free ones only")
    func trusted() throws {
        var places = NetworkPlaces<Int>(limit: 2)
        #expect(places.take(1, from: nil) == .free)
        #expect(places.take(2, from: nil) == .free)
        #expect(places.take(3, from: try Self.address("192.0.2.1")) == .none)
        places.release(1)
        #expect(places.take(3, from: nil) == .free)
        #expect(places.take(4, from: nil) == .none)
    }

    @Test("a place that is released is free once, and one that was lost needs no release")
    func released() throws {
        var places = try Self.taken(2, by: 1)
        #expect(places.take(7, from: try Self.address("192.0.2.1")) == .insteadOf(1))
        places.release(1)
        #expect(places.count == 2)
        places.release(7)
        places.release(7)
        #expect(places.count == 1)
        #expect(places.take(8, from: try Self.address("192.0.2.1")) == .free)
        #expect(places.take(9, from: try Self.address("192.0.2.1")) == .none)
    }

    @Test("without places nobody gets one")
    func nothing() throws {
        var places = NetworkPlaces<Int>(limit: 0)
        #expect(places.take(1, from: nil) == .none)
        #expect(places.take(1, from: try Self.address("192.0.2.1")) == .none)
    }

    @Test("whoever comes and goes, there are never too many, and who has a place is known")
    func anything() throws {
        var random = SystemRandomNumberGenerator()
        var (places, holders) = (NetworkPlaces<Int>(limit: 20), Set<Int>())
        for number in 0..<20_000 {
            if Bool.random(using: &random), let one = holders.randomElement(using: &random) {
                places.release(one)
                holders.remove(one)
            }
            let site = Int.random(in: 0..<4, using: &random)
            let network = Int.random(in: 0..<6, using: &random)
            let address = try Self.address(
                site == 0 ? "192.0.2.\(network)" : "2001:db8:\(site):\(network)00::1")
            switch places.take(number, from: address) {
            case .free: holders.insert(number)
            case .insteadOf(let other):
                #expect(holders.remove(other) != nil)
                holders.insert(number)
            case .none: #expect(holders.count == 20)
            }
            #expect(places.count == holders.count && holders.count <= 20)
        }
    }
}
