import HTTPServer
import Testing

/// PR14: whatever is sent, the server answers with refusals or not at all, and goes on.
@Suite struct FuzzTests {
    private static let samples = [
        request("/v1/parties/p1?x=%20", "authorization: Bearer abc", "accept: */*"),
        post("/v1/heroes", #"{"name":"Power Panda","avatar":"🐼"}"#),
        "PUT /v1/x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "DELETE /v1/activities/a HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\n\r\n",
    ].map { Array($0.utf8) }

    @Test("PR14: 5,000 mutated requests bring no crash, no hang and no 5xx", arguments: 0..<10)
    func mutated(_ seed: UInt64) async throws {
        var random = TestRandom(state: seed)
        var statuses: Set<Int> = []
        try await serving({ $0.bodyBytesMax = 200 }) { server in
            for _ in 0..<50 {
                let client = RawClient(port: server.port)
                for _ in 0..<10 { await client.send(mutant(of: Self.samples, &random)) }
                await client.endSending()
                statuses.formUnion(await client.answersUntilClosed().map(\.status))
            }
            #expect(await RawClient(port: server.port).ask(request("/"))?.status == 200)
        }
        // 501 refuses another method, and 505, the library's, another HTTP.
        #expect(statuses.contains(200) && statuses.contains(400))
        #expect(statuses.allSatisfy { $0 < 500 || $0 == 501 || $0 == 505 }, "\(statuses)")
    }
}
