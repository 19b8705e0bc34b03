import HTTP2Server
import APNsClient
import HTTP2
import Testing

@Suite("Whom the connection pool trusts")
struct ConnectionPoolTrustTests {
    /// The end of one request to a server that must not be trusted, and how often its handler ran.
    private func outcome(
        hosts: [String] = ["127.0.0.1"], validDays: Int = 36_500,
        trust: PoolFixture.Trust = .serversAuthority
    ) async throws -> (text: String, requests: Int) {
        let tally = Tally()
        let fixture = try PoolFixture(
            hosts: hosts, validDays: validDays, trust: trust,
            pool: { $0.queueWaitMaxMilliseconds = 500 }
        ) { _, _ in
            _ = tally.next()
            return .respond(HTTP2Response(status: 200))
        }
        let text = await handshakeFailure(fixture.pool)
        await fixture.stop()
        return (text, tally.total)
    }

    /// What a request says that failed after a handshake did. On a busy machine the first bound
    /// may pass before the first handshake.
    private func handshakeFailure(_ pool: ConnectionPool) async -> String {
        var text = ""
        for _ in 0..<40 where !text.contains("handshake") {
            let outcome = await pool.outcome(of: .numbered(1))
            guard case .failure(.neverSent(let reason)) = outcome else { return "\(outcome)" }
            text = reason
        }
        return text
    }

    @Test("PR7: a server of another CA gets no byte of HTTP")
    func wrongAuthority() async throws {
        let (text, requests) = try await outcome(trust: .anotherAuthority)
        #expect(text.contains("unable to get local issuer certificate"), "\(text)")
        #expect(requests == 0)
    }

    @Test(
        "PR7: a server of another name gets no byte of HTTP", arguments: ["localhost", "127.0.0.2"])
    func wrongName(_ host: String) async throws {
        let (text, requests) = try await outcome(hosts: [host])
        #expect(text.contains("IP address mismatch"), "\(text)")
        #expect(requests == 0)
    }

    @Test("PR7: an expired certificate gets no byte of HTTP")
    func expired() async throws {
        let (text, requests) = try await outcome(validDays: 1)
        #expect(text.contains("certificate has expired"), "\(text)")
        #expect(requests == 0)
    }

    @Test("A host name is looked up, named to the server, and checked")
    func hostName() async throws {
        let fixture = try PoolFixture(
            hosts: ["localhost"], pool: { $0.host = "localhost" }
        ) { _, _ in .respond(HTTP2Response(status: 200)) }
        #expect(try await fixture.pool.outcome(of: .numbered(1)).get().status == 200)
        await fixture.stop()
    }

    @Test("A host name of another server is refused")
    func wrongHostName() async throws {
        let fixture = try PoolFixture(
            hosts: ["api.example"],
            pool: {
                $0.host = "localhost"
                $0.queueWaitMaxMilliseconds = 500
            }
        ) { _, _ in .respond(HTTP2Response(status: 200)) }
        let text = await handshakeFailure(fixture.pool)
        #expect(text.contains("hostname mismatch"), "\(text)")
        await fixture.stop()
    }

    @Test("A CA file that cannot be read stops the start and is named")
    func missingFile() throws {
        var settings = ConnectionPool.Settings.toLoopback
        settings.trustedCAFile = "/nowhere/ca.pem"
        do {
            _ = try ConnectionPool(settings)
            Issue.record("no error")
        } catch .unusable(let text) {
            #expect(text.contains("/nowhere/ca.pem"))
        }
    }
}
