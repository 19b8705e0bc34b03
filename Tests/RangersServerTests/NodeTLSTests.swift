import HTTP2Server
import HTTPServer
import Playtest
import RangersServer
import Testing

/// The whole way from the options of two servers to TLS between them.
@Suite("TLS between servers over one database", .timeLimit(.minutes(3)), .serialized)
struct NodeTLSTests {
    /// Returns what a server makes of the options for TLS on the loopback address.
    private static func link(
        _ authority: CertificateAuthority
    ) throws -> NodeSettings.Link {
        let files = try NodeFiles(authority)
        var flags = files.encrypted
        flags["nodes-listen"] = "127.0.0.1:0"
        flags["nodes-address"] = nil
        return try #require(try NodeFiles.settings(flags)?.link)
    }

    private static func results(of server: TestServer) -> [String: Double] {
        var results: [String: Double] = [:]
        for result in ["answered", "failed", "nowhere"] {
            results[result] = server.metrics.value(
                .requestsForwarded, labels: "result=\"\(result)\"")
        }
        return results
    }

    @Test("a request for a party of the other node reaches it over TLS")
    func forwarded() async throws {
        let authority = try NodeFiles.authority()
        let nodes = try await TwoNodes.make(
            links: (one: Self.link(authority), two: Self.link(authority)))
        for (owner, other) in [(nodes.one, nodes.two), (nodes.two, nodes.one)] {
            let player = try await TestPlayer.make("Panda", at: owner)
            let party = try await player.found().id
            let answer = await player.moved(to: other).send(.get, "/v1/parties/\(party)")
            #expect(answer.status == 200)
            #expect(answer.body["id"].string == party)
            #expect(Self.results(of: other) == ["answered": 1, "failed": 0, "nowhere": 0])
        }
        try await nodes.end()
    }

    @Test("a node with a certificate of another authority is not trusted: 503 with Retry-After")
    func stranger() async throws {
        let nodes = try await TwoNodes.make(
            links: (one: Self.link(NodeFiles.authority()), two: Self.link(NodeFiles.authority())))
        for (owner, other) in [(nodes.one, nodes.two), (nodes.two, nodes.one)] {
            let player = try await TestPlayer.make("Panda", at: owner)
            let party = try await player.found().id
            for method in [Method.get, .post] {
                let path = "/v1/parties/\(party)" + (method == .post ? "/adventure" : "")
                let answer = await player.moved(to: other).send(method, path)
                #expect(answer.status == 503)
                #expect(answer.headers["retry-after"] != nil)
            }
            #expect(Self.results(of: other) == ["answered": 0, "failed": 2, "nowhere": 0])
            // Nothing has happened there.
            let unchanged = await player.send(.get, "/v1/parties/\(party)")
            #expect(unchanged.status == 200)
            #expect(unchanged.body["adventure"]["phase"].string == nil)
        }
        try await nodes.end()
    }
}
