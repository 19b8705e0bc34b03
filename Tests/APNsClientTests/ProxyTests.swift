import HTTP2Server
import HTTP2
import Testing

@testable import APNsClient

@Suite("Through an HTTP proxy")
struct ProxyTests {
    private static let fine = HTTP2Response(status: 200)

    /// The end of one request to a server behind a proxy.
    private func outcome(
        through proxy: ConnectProxy, credentials: String = "",
        trust: PoolFixture.Trust = .serversAuthority
    ) async throws -> ConnectionPool.Outcome {
        let address = try APNsProxy("http://\(credentials)127.0.0.1:\(proxy.port)")
        let fixture = try PoolFixture(
            trust: trust,
            pool: {
                $0.proxy = address.proxy
                if trust == .anotherAuthority { $0.queueWaitMaxMilliseconds = 1_000 }
            }
        ) { _, _ in .respond(Self.fine) }
        let outcome = await fixture.pool.outcome(of: .numbered(1))
        await fixture.stop()
        proxy.stop()
        return outcome
    }

    @Test("A push goes through the proxy that the setting names")
    func tunnel() async throws {
        let proxy = try ConnectProxy()
        #expect(try await outcome(through: proxy).get().status == 200)
        #expect(proxy.heads.allSatisfy { $0.hasPrefix("CONNECT 127.0.0.1:") })
        #expect(!proxy.heads.isEmpty)
    }

    @Test("Credentials reach the proxy as Basic authorization")
    func credentials() async throws {
        let proxy = try ConnectProxy()
        _ = try await outcome(through: proxy, credentials: "panda:bam%20boo@")
        // printf 'panda:bam boo' | base64
        #expect(
            proxy.heads.first?.contains("Proxy-Authorization: Basic cGFuZGE6YmFtIGJvbw==") == true)
    }

    @Test("PR7: behind a proxy the server's certificate is still verified")
    func verified() async throws {
        let proxy = try ConnectProxy()
        let outcome = try await outcome(through: proxy, trust: .anotherAuthority)
        guard case .failure(.neverSent(let why)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(why.contains("no connection had room in time"))
    }

    @Test("A proxy that refuses is quoted in the failure")
    func refused() async throws {
        let proxy = try ConnectProxy(answering: "HTTP/1.1 403 Not to there")
        let fixture = try PoolFixture(pool: {
            $0.proxy = HTTPProxy(host: "127.0.0.1", port: proxy.port)
            $0.queueWaitMaxMilliseconds = 2_000
        }) { _, _ in .respond(Self.fine) }
        let outcome = await fixture.pool.outcome(of: .numbered(1))
        await fixture.stop()
        proxy.stop()
        guard case .failure(.neverSent(let why)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(why.contains("the proxy refused the tunnel: HTTP/1.1 403 Not to there"), "\(why)")
    }

    @Test(
        "An address that is none is refused, without its credentials in the message",
        arguments: [
            "proxy:3128", "https://proxy:3128", "http://proxy", "http://:3128",
            "http://proxy:0", "http://proxy:70000", "http://secret:word@proxy",
            "http://proxy:3128/path", "http://proxy:3128?x", "",
        ])
    func addresses(_ address: String) {
        do {
            _ = try APNsProxy(address)
            Issue.record("taken")
        } catch {
            #expect(!"\(error)".contains("secret"))
        }
    }

    @Test("A proxy's description shows no credentials")
    func redacted() throws {
        let proxy = try APNsProxy("http://panda:bamboo@proxy.example:3128")
        #expect("\(proxy) \(String(reflecting: proxy))" == "proxy.example:3128 proxy.example:3128")
        var dumped = ""
        dump(proxy, to: &dumped)
        #expect(!dumped.contains("bamboo") && !dumped.contains("cGFuZGE"))
    }
}
