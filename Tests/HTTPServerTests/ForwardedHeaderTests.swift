import Testing

@testable import HTTPServer

/// PR22: whom a request counts for.
@Suite("Clients and their addresses", .timeLimit(.minutes(1)))
struct ForwardedHeaderTests {
    private static let proxies = ["127.0.0.0/8", "10.0.0.7", "2001:db8::/32"].compactMap {
        AddressRange($0)
    }

    private static func client(_ values: String...) -> ClientAddress? {
        var head = "GET / HTTP/1.1\r\nhost: x\r\n"
        for value in values { head += "Forwarded: \(value)\r\n" }
        return LenientHead(Array((head + "\r\n").utf8))?.inPlace {
            ForwardedHeader.client(in: $0, behind: proxies)
        }
    }

    @Test(
        "the last address that is not a proxy's is the client",
        arguments: [
            ("for=192.0.2.43", "192.0.2.43"), ("For=\"192.0.2.43:47011\"", "192.0.2.43"),
            ("for=\"[2001:DB9::17]:4711\"", "2001:db9::17"),
            ("for=192.0.2.1;proto=https, by=10.0.0.7; for=192.0.2.2", "192.0.2.2"),
            ("for=192.0.2.1, for=10.0.0.7, for=\"[2001:db8::1]\"", "192.0.2.1"),
            ("by=\"a,b\";for=192.0.2.9", "192.0.2.9"),
        ])
    func named(header: String, client: String) throws {
        #expect(Self.client(header) == ClientAddress(client))
        #expect(ClientAddress(client) != nil)
    }

    @Test("a repeated header is one list")
    func repeated() {
        #expect(Self.client("for=192.0.2.1", "for=192.0.2.2") == ClientAddress("192.0.2.2"))
    }

    @Test(
        "a last element without an address names nobody, whatever stands before it",
        arguments: [
            "", "for=unknown", "for=_hidden", "for=192.0.2.1, for=unknown", "proto=https",
            "for=192.0.2.1, \"", "for=\"[2001:db9::17\"", "for=300.1.1.1", "for=",
            "for=192.0.2.1, by=3",
        ])
    func unnamed(header: String) { #expect(Self.client(header) == nil) }

    @Test("the header of a trusted proxy counts, that of anybody else does not")
    func overTheWire() async throws {
        for (proxies, expected) in [(["127.0.0.1"], "192.0.2.1"), (["10.0.0.1"], "127.0.0.1")] {
            try await serving {
                $0.proxies = proxies.compactMap { AddressRange($0) }
            } _: { request in
                .text(request.client == ClientAddress(expected) ? "as expected" : "another")
            } _: { server in
                let client = RawClient(port: server.port)
                await client.send(request("/", "Forwarded: for=192.0.2.1"))
                #expect(await client.answer()?.body == "as expected")
            }
        }
    }

    @Test("an IPv6 address counts by its /64 network, an IPv4 address by itself, in both forms")
    func networks() throws {
        let one = try #require(ClientAddress("2001:db8:1:2:3:4:5:6"))
        #expect(one.network == ClientAddress("2001:db8:1:2::"))
        #expect(one.network != ClientAddress("2001:db8:1:3::"))
        let four = try #require(ClientAddress("192.0.2.1"))
        #expect(four.network == four)
        #expect(ClientAddress("::ffff:192.0.2.1") == four)
        for text in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            #expect(ClientAddress(text)?.isLoopback == true, "\(text)")
        }
        for text in ["0.0.0.0", "::", "128.0.0.1", "::2"] {
            #expect(ClientAddress(text)?.isLoopback == false, "\(text)")
        }
    }

    @Test("an IPv6 address is in a /48 and a /56, an IPv4 address in a /24")
    func widerNetworks() throws {
        let six = try #require(ClientAddress("2001:db8:1:2345:3:4:5:6"))
        #expect(six.network(.ipv6Of56) == ClientAddress("2001:db8:1:2300::"))
        #expect(six.network(.ipv6Of48) == ClientAddress("2001:db8:1::"))
        #expect(six.network(.ipv4Of24) == nil)
        let four = try #require(ClientAddress("192.0.2.129"))
        #expect(four.network(.ipv4Of24) == ClientAddress("192.0.2.0"))
        #expect(four.network(.ipv6Of56) == nil && four.network(.ipv6Of48) == nil)
        #expect(six.widestNetwork == six.network(.ipv6Of48))
        #expect(four.widestNetwork == four.network(.ipv4Of24))
    }

    @Test("a range has the addresses with its prefix")
    func ranges() throws {
        let ten = try #require(AddressRange("10.0.0.0/8"))
        #expect(ten.contains(try #require(ClientAddress("10.255.0.1"))))
        #expect(!ten.contains(try #require(ClientAddress("11.0.0.1"))))
        let all = try #require(AddressRange("0.0.0.0/0"))
        #expect(all.contains(try #require(ClientAddress("11.0.0.1"))))
        #expect(!all.contains(try #require(ClientAddress("2001:db8::1"))))
        #expect(ten.overlaps(all) && all.overlaps(ten))
        #expect(!ten.overlaps(try #require(AddressRange("11.0.0.0/8"))))
        let odd = try #require(AddressRange("2001:db8::/33"))
        #expect(odd.contains(try #require(ClientAddress("2001:db8:7fff::1"))))
        #expect(!odd.contains(try #require(ClientAddress("2001:db8:8000::1"))))
        for text in [
            "", "10.0.0.0/33", "10.0.0.0/-1", "::1/129", "localhost", "10.0.0.0/", "[::1]",
        ] {
            #expect(AddressRange(text) == nil, "\(text)")
        }
    }
}
