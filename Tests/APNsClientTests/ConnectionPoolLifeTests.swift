import APNsClient
import Foundation
import HTTP2
import HTTP2Server
import Isolation
import Testing

@Suite("Connection pool, from start to end")
struct ConnectionPoolLifeTests {
    private static let fine = HTTP2Response(status: 200)

    /// A pool to a port where nobody listens.
    private func lonelyPool(
        _ configure: (inout ConnectionPool.Settings) -> Void
    ) async throws -> ConnectionPool {
        let fixture = try PoolFixture { _, _ in .ignore }
        await fixture.stop()
        var settings = ConnectionPool.Settings.patient
        settings.port = fixture.server.port
        configure(&settings)
        return try ConnectionPool(settings)
    }

    private func isNotTaken(_ outcome: ConnectionPool.Outcome, _ words: String) -> Bool {
        guard case .failure(.notTaken(let text)) = outcome else { return false }
        return text.contains(words)
    }

    private func isNeverSent(_ outcome: ConnectionPool.Outcome, _ words: String) -> Bool {
        guard case .failure(.neverSent(let text)) = outcome else { return false }
        return text.contains(words)
    }

    @Test("When nobody listens, waiting requests fail at a bound and say why")
    func nobodyListens() async throws {
        let pool = try await lonelyPool { $0.queueWaitMaxMilliseconds = 200 }
        let outcomes = await pool.outcomes(of: (0..<20).map { .numbered($0) })
        #expect(outcomes.count { isNeverSent($0, "Connection refused") } == 20)
        await pool.shutdown(graceMilliseconds: 0)
    }

    @Test("A host without an address fails at the bound and is named")
    func unknownHost() async throws {
        let pool = try await lonelyPool {
            $0.host = "no-such-host.invalid"
            $0.queueWaitMaxMilliseconds = 1_000
        }
        let outcome = await pool.outcome(of: .numbered(1))
        #expect(isNeverSent(outcome, "no connection had room in time"), "\(outcome)")
        await pool.shutdown(graceMilliseconds: 0)
    }

    @Test("Above the queue's limit requests fail at once")
    func queueLimit() async throws {
        let pool = try await lonelyPool {
            $0.queueMax = 10
            $0.queueWaitMaxMilliseconds = 300
        }
        let outcomes = await pool.outcomes(of: (0..<25).map { .numbered($0) })
        #expect(
            outcomes.count { $0 == .failure(.queueFull("10 requests are already waiting")) } == 15)
        await pool.shutdown(graceMilliseconds: 0)
    }

    @Test(
        "A request that could break the message is refused, and not tried on another connection",
        arguments: [
            ("no slash", HTTP2Header("apns-topic", "a"), "the path is not allowed"),
            ("/", HTTP2Header("apns-topic", "a\r\nb"), "apns-topic"),
        ])
    func badRequest(path: String, header: HTTP2Header, words: String) async throws {
        let fixture = try PoolFixture { _, _ in .respond(Self.fine) }
        let request = HTTP2Request(method: "POST", path: path, headers: [header], body: [])
        #expect(isNotTaken(await fixture.pool.outcome(of: request), words))
        await fixture.stop()
    }

    @Test("After renew() requests use fresh connections")
    func renew() async throws {
        let fixture = try PoolFixture(pool: { $0.connections = 1 }) { _, connection in
            .respond(HTTP2Response(status: 200, body: Array("\(connection)".utf8)))
        }
        let before = try await fixture.pool.outcome(of: .numbered(1)).get()
        fixture.pool.renew()
        let after = try await fixture.pool.outcome(of: .numbered(2)).get()
        #expect(before.body == Array("1".utf8))
        #expect(after.body == Array("2".utf8))
        await fixture.stop()
    }

    @Test("renew() lets requests in flight end well")
    func renewInFlight() async throws {
        let fixture = try PoolFixture { _, _ in .respond(Self.fine, delayMilliseconds: 50) }
        _ = try await fixture.pool.outcome(of: .numbered(0)).get()
        async let outcomes = fixture.pool.outcomes(of: (1..<200).map { .numbered($0) })
        fixture.pool.renew()
        for outcome in await outcomes { #expect(throws: Never.self) { try outcome.get() } }
        await fixture.stop()
    }

    @Test("shutdown waits for answers within its grace, and settles the rest after it")
    func shutdown() async throws {
        let fixture = try PoolFixture { request, _ in
            request.path.hasSuffix("/1") ? .respond(Self.fine, delayMilliseconds: 50) : .ignore
        }
        let pool = fixture.pool
        _ = try await pool.outcome(of: .numbered(1)).get()
        let ends = Locked<[Int: ConnectionPool.Outcome]>([:])
        pool.send(
            (1...2).map { number in
                Exchange(request: .numbered(number)) { end in
                    ends.withLock { $0[number] = end }
                }
            })
        await pool.shutdown(graceMilliseconds: 3_000)
        let settled = ends.withLock { $0 }
        #expect(settled[1] == .success(Self.fine))
        #expect(settled[2] == .failure(.unknown("the connection pool is shut down")))
        #expect(isNotTaken(await pool.outcome(of: .numbered(3)), "shut down"))
        await pool.shutdown(graceMilliseconds: 1_000)
        await fixture.server.stop(graceMilliseconds: 0)
    }

    @Test("A pool that is let go settles its requests")
    func letGo() async throws {
        let tally = Tally()
        let fixture = try PoolFixture { _, _ in
            _ = tally.next()
            return .ignore
        }
        var settings = ConnectionPool.Settings.toLoopback
        settings.port = fixture.server.port
        let outcome = await withCheckedContinuation { continuation in
            let pool = try? ConnectionPool(settings)
            pool?.send([
                Exchange(request: .numbered(1)) { continuation.resume(returning: $0) }
            ])
        }
        #expect(isNeverSent(outcome, "shut down"))
        await fixture.stop()
    }

    @Test("The server's GOAWAY at stop lets requests in flight end well")
    func serverStops() async throws {
        let tally = Tally()
        let stopping = Locked<(@Sendable () -> Void)?>(nil)
        let fixture = try PoolFixture { _, _ in
            if tally.next() == 50 { stopping.withLock { $0 }?() }
            return .respond(Self.fine, delayMilliseconds: 30)
        }
        _ = try await fixture.pool.outcome(of: .numbered(0)).get()
        let server = fixture.server
        let stopped = AsyncStream<Void>.makeStream()
        stopping.withLock {
            $0 = {
                // Awaited below, through the stream.
                Task {
                    await server.stop(graceMilliseconds: 60_000)
                    stopped.continuation.finish()
                }
            }
        }
        let outcomes = await fixture.pool.outcomes(of: (1..<50).map { .numbered($0) })
        for outcome in outcomes { #expect(throws: Never.self) { try outcome.get() } }
        for await _ in stopped.stream {}
        await fixture.stop()
    }

    @Test("Fifty connections later every descriptor has been given back")
    func descriptors() async {
        // In a process of its own: other tests open descriptors too.
        await #expect(processExitsWith: .success) {
            try await Self.connect(times: 2)
            let before = try Self.openDescriptors()
            try await Self.connect(times: 50)
            #expect(try Self.openDescriptors() == before)
        }
    }

    private static func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// Uses and renews one connection after the other; every fifth is dropped by the server.
    private static func connect(times: Int) async throws {
        let fixture = try PoolFixture(pool: { $0.connections = 1 }) { request, connection in
            connection % 5 == 4 ? .dropConnection : .respond(fine)
        }
        for number in 0..<times {
            _ = await fixture.pool.outcome(of: .numbered(number))
            fixture.pool.renew()
        }
        await fixture.stop()
    }
}
