import HTTPServer
import Testing

/// R14: whatever is sent, the server answers with refusals or not at all, and goes on.
@Suite struct FuzzTests {
    private static let samples = [
        request("/v1/parties/p1?x=%20", "authorization: Bearer abc", "accept: */*"),
        post("/v1/heroes", #"{"name":"Power Panda","avatar":"🐼"}"#),
        "PUT /v1/x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "DELETE /v1/activities/a HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\n\r\n",
    ].map { Array($0.utf8) }

    private static let pieces = [
        "\r", "\n", "\r\n", "\r\n\r\n", "\0", " ", ":", "%", "%00", "HTTP/1.1", "HTTP/9.9", "0\r\n",
        "content-length: 3\r\n", "transfer-encoding: chunked\r\n", "host: y\r\n", "\u{ff}",
        "ffffffff",
    ].map { Array($0.utf8) }

    @Test("R14: 5,000 mutated requests bring no crash, no hang and no 5xx", arguments: 0..<10)
    func mutated(_ seed: UInt64) async throws {
        var random = TestRandom(state: seed)
        var statuses: Set<Int> = []
        try await serving({ $0.bodyBytesMax = 200 }) { server in
            for _ in 0..<50 {
                let client = RawClient(port: server.port)
                for _ in 0..<10 { await client.send(Self.mutant(&random)) }
                await client.endSending()
                statuses.formUnion(await client.statusesUntilClosed())
            }
            #expect(await RawClient(port: server.port).ask(request("/"))?.status == 200)
        }
        // 505 is a refusal too: the library's, of another HTTP.
        #expect(statuses.allSatisfy { $0 < 500 || $0 == 505 }, "\(statuses)")
    }

    private static func mutant(_ random: inout TestRandom) -> [UInt8] {
        var bytes = samples[random.below(samples.count)]
        for _ in 0..<random.below(4) {
            let place = random.below(bytes.count)
            switch random.below(5) {
            case 0: bytes[place] = UInt8(random.below(256))
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: pieces[random.below(pieces.count)], at: place)
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + random.below(20)))
            default: bytes.insert(contentsOf: bytes[..<place], at: random.below(bytes.count))
            }
            if bytes.isEmpty { bytes = [0] }
        }
        return bytes
    }
}

/// SplitMix64: the same bytes for the same seed.
private struct TestRandom {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
    }
}
