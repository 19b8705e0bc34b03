import APNsClient
import HTTP2
import HTTP2Server
import Isolation
import Testing

/// With the limits of every client: only waiting for a busy machine is longer.
@Suite("Manners of the connection pool, counted at the server")
struct ConnectionPoolMannersTests {
    private static let fine = HTTP2Response(status: 200)

    /// Requests of each connection.
    private typealias Counts = Locked<[HTTP2Server.ConnectionID: Int]>

    /// A pool whose connections have all been accepted a request, and its server's counts.
    private func warmPool(connections: Int) async throws -> (PoolFixture, Counts) {
        let counts = Counts([:])
        let fixture = try PoolFixture(
            pool: {
                $0.connections = connections
                $0.reconnect = ReconnectBackoff.Limits()
            }
        ) { _, connection in
            counts.withLock { $0[connection, default: 0] += 1 }
            return .respond(Self.fine)
        }
        for _ in 0..<10_000 where counts.withLock({ $0.count }) < connections {
            let requests = (0..<2 * connections).map { HTTP2Request.numbered($0) }
            _ = await fixture.pool.outcomes(of: requests)
        }
        counts.withLock { $0 = [:] }
        return (fixture, counts)
    }

    @Test("a batch is shared out in equal parts: no connection idles", arguments: [2, 4, 7])
    func batch(connections: Int) async throws {
        let (fixture, counts) = try await warmPool(connections: connections)
        let requests = (0..<50 * connections).map { HTTP2Request.numbered($0) }
        for outcome in await fixture.pool.outcomes(of: requests) { _ = try outcome.get() }
        let shares = counts.withLock { $0.values.sorted() }
        #expect(shares == Array(repeating: 50, count: connections))
        await fixture.stop()
    }

    @Test("requests that come one by one go round", arguments: [2, 4, 7])
    func oneByOne(connections: Int) async throws {
        let (fixture, counts) = try await warmPool(connections: connections)
        for number in 0..<10 * connections {
            _ = try await fixture.pool.outcome(of: .numbered(number)).get()
        }
        let shares = counts.withLock { $0.values.sorted() }
        #expect(shares == Array(repeating: 10, count: connections))
        await fixture.stop()
    }

    @Test("PR8: by default an idle connection is asked by PING once an hour at most")
    func pings() {
        #expect(ConnectionPool.Settings.toLoopback.pingAfterIdleMilliseconds >= 3_600_000)
    }

    @Test("PR8: by default a slot connects once a second at most")
    func defaultLimits() {
        let limits = ConnectionPool.Settings.toLoopback.reconnect
        #expect(limits.minMilliseconds >= 1_000)
        #expect(limits.maxMilliseconds >= limits.minMilliseconds)
    }

    /// The limit is an hour here, so nothing has to be timed: what connects again has not asked.
    @Test(
        "PR8: a slot does not connect again before its limit, whatever ended its connection",
        arguments: [
            HTTP2Server.Action.goAway(fine, debugData: []), .goAway(nil, debugData: []),
            .dropConnection,
        ])
    func onceInTheLimit(end: HTTP2Server.Action) async throws {
        let counts = Counts([:])
        let fixture = try PoolFixture(
            pool: {
                $0.connections = 3
                $0.reconnect.minMilliseconds = 3_600_000
                $0.reconnect.maxMilliseconds = 3_600_000
                $0.queueWaitMaxMilliseconds = 1_000
            }
        ) { _, connection in
            counts.withLock { $0[connection, default: 0] += 1 }
            return end
        }
        // Until every slot has had its connection; the last request would need one more.
        for number in 0..<20 where counts.withLock({ $0.count }) < 3 {
            _ = await fixture.pool.outcome(of: .numbered(number))
        }
        let last = await fixture.pool.outcome(of: .numbered(20))
        #expect(counts.withLock { $0.keys.sorted() } == [1, 2, 3])
        #expect(counts.withLock { $0.values.allSatisfy { $0 == 1 } })
        guard case .failure(.neverSent) = last else {
            Issue.record("a slot connected again: \(last)")
            return
        }
        await fixture.stop()
    }
}
