import APNsClient
import Foundation
import HTTP2
import HTTP2Server
import Isolation
import Testing

/// What a server did with each path.
final class Tally: Sendable {
    private let counts = Locked<[String: Int]>([:])
    private let requests = Locked(0)

    /// The number of this request, from 1.
    func next() -> Int {
        requests.withLock { count in
            count += 1
            return count
        }
    }

    /// The request was acted upon.
    func act(on request: HTTP2Request) {
        counts.withLock { $0[request.path, default: 0] += 1 }
    }

    /// How often a path was acted upon.
    func acts(on number: Int) -> Int {
        counts.withLock { $0["/3/device/\(number)"] ?? 0 }
    }

    var total: Int { requests.withLock { $0 } }
}

@Suite("Connection pool under faults")
struct ConnectionPoolFaultTests {
    private static let fine = HTTP2Response(status: 200)

    /// The numbers whose request failed, or was not acted upon exactly once.
    private func wrong(_ outcomes: [ConnectionPool.Outcome], _ tally: Tally) -> [Int] {
        outcomes.indices.filter { number in
            guard case .success = outcomes[number] else { return true }
            return tally.acts(on: number) != 1
        }
    }

    @Test("PR7: GOAWAY every 50 requests loses nothing and doubles nothing")
    func goAways() async throws {
        let tally = Tally()
        let fixture = try PoolFixture { request, _ in
            let number = tally.next()
            guard number % 50 == 0 else {
                tally.act(on: request)
                return .respond(Self.fine)
            }
            // By turns the request with the GOAWAY is answered, or sent back.
            guard number % 100 == 0 else { return .goAway(nil, debugData: Array("x".utf8)) }
            tally.act(on: request)
            return .goAway(Self.fine, debugData: Array(#"{"reason":"Shutdown"}"#.utf8))
        }
        let outcomes = await fixture.pool.outcomes(of: (0..<1_000).map { .numbered($0) })
        #expect(wrong(outcomes, tally) == [])
        await fixture.stop()
    }

    @Test("The JSON of a GOAWAY is read, and connections are counted by its reason")
    func goAwayReasons() async throws {
        let words = [#"{"reason":"Shutdown"}"#, "{\u{1b}", "", #"{"reason":"MadeUp"}"#]
        let tally = Tally()
        let fixture = try PoolFixture(pool: { $0.connections = 1 }) { _, _ in
            .goAway(Self.fine, debugData: Array(words[tally.next() - 1].utf8))
        }
        for number in words.indices {
            #expect(try await fixture.pool.outcome(of: .numbered(number)).get().status == 200)
        }
        await fixture.stop()
        #expect(fixture.pool.goAways == ["Shutdown": 1, "other": 3])
    }

    @Test(
        "PR7: a TCP reset with streams open: what may have arrived is unknown, never sent twice"
    )
    func reset() async throws {
        let tally = Tally()
        let fixture = try PoolFixture { request, _ in
            let number = tally.next()
            if number % 700 == 0 { return .dropConnection }
            tally.act(on: request)
            return .respond(Self.fine)
        }
        let outcomes = await fixture.pool.outcomes(of: (0..<3_000).map { .numbered($0) })
        #expect(outcomes.count == 3_000)
        let wrong = outcomes.indices.filter { number in
            switch outcomes[number] {
            case .success: tally.acts(on: number) != 1
            case .failure(.unknown): tally.acts(on: number) > 1
            case .failure: true
            }
        }
        #expect(wrong == [])
        await fixture.stop()
    }

    @Test("PR7: streams 1, 1000, 1, 1000: every request is answered once")
    func changingStreamLimit() async throws {
        let tally = Tally()
        let server = Locked<HTTP2Server?>(nil)
        let fixture = try PoolFixture(server: { $0.maxConcurrentStreams = 1 }) { request, id in
            let number = tally.next()
            tally.act(on: request)
            if number % 250 == 0 {
                let limit: UInt32 = number % 500 == 0 ? 1 : 1_000
                server.withLock { $0 }?.setMaxConcurrentStreams(limit, on: id)
            }
            return .respond(Self.fine)
        }
        server.withLock { $0 = fixture.server }
        let outcomes = await fixture.pool.outcomes(of: (0..<2_000).map { .numbered($0) })
        #expect(wrong(outcomes, tally) == [])
        server.withLock { $0 = nil }
        await fixture.stop()
    }

    @Test("A peer that is deaf to PING is declared dead; its request's fate is unknown")
    func deadPeer() async throws {
        let gate = Gate()
        let fixture = try PoolFixture(pool: {
            $0.pingAfterIdleMilliseconds = 20
            $0.pingTimeoutMilliseconds = 20
        }) { _, _ in
            gate.pass()
            return .respond(Self.fine)
        }
        let outcome = await fixture.pool.outcome(of: .numbered(1))
        gate.open()
        #expect(outcome == .failure(.unknown("no response to PING within 20 ms")))
        await fixture.stop()
    }

    @Test("A living but idle peer survives PINGs")
    func idlePeer() async throws {
        let fixture = try PoolFixture(pool: {
            $0.connections = 1
            $0.pingAfterIdleMilliseconds = 20
        }) { _, connection in
            .respond(
                HTTP2Response(status: 200, body: Array("\(connection)".utf8)),
                delayMilliseconds: 120)
        }
        let first = try await fixture.pool.outcome(of: .numbered(1)).get()
        let second = try await fixture.pool.outcome(of: .numbered(2)).get()
        #expect(first.body == Array("1".utf8))
        #expect(second.body == Array("1".utf8))
        await fixture.stop()
    }

    @Test("A refused stream is tried again; after five refusals the caller hears of it")
    func refusals() async throws {
        let tally = Tally()
        let fixture = try PoolFixture { request, _ in
            let number = tally.next()
            if request.path.hasSuffix("/0") { return .resetStream(errorCode: 7) }
            return number % 2 == 0 ? .respond(Self.fine) : .resetStream(errorCode: 7)
        }
        let outcome = await fixture.pool.outcome(of: .numbered(0))
        #expect(outcome == .failure(.refused("the peer refused the stream")))
        #expect(tally.total == 5)
        #expect(try await fixture.pool.outcome(of: .numbered(1)).get().status == 200)
        await fixture.stop()
    }

    @Test("A stream that is reset for another reason is not sent again")
    func otherReset() async throws {
        let tally = Tally()
        let fixture = try PoolFixture { _, _ in
            _ = tally.next()
            return .resetStream(errorCode: 2)
        }
        let outcome = await fixture.pool.outcome(of: .numbered(0))
        #expect(outcome == .failure(.unknown("the stream was reset: INTERNAL_ERROR")))
        #expect(tally.total == 1)
        await fixture.stop()
    }

    @Test("Without an answer in time a sent request is unknown, a waiting one never sent")
    func requestTimeout() async throws {
        let tally = Tally()
        let fixture = try PoolFixture(
            server: { $0.maxConcurrentStreams = 1 },
            pool: {
                $0.connections = 1
                $0.requestTimeoutMilliseconds = 4_000
            }
        ) { _, _ in tally.next() == 1 ? .respond(Self.fine) : .ignore }
        _ = try await fixture.pool.outcome(of: .numbered(0)).get()
        let outcomes = await fixture.pool.outcomes(of: (1..<10).map { .numbered($0) })
        #expect(
            outcomes[0] == .failure(.unknown("no response before the request's deadline")))
        for outcome in outcomes.dropFirst() {
            guard case .failure(.neverSent) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
        #expect(tally.total == 2)
        await fixture.stop()
    }

    @Test("One stream until the first 2xx: behind an unanswered request nothing leaves")
    func provingStream() async throws {
        let tally = Tally()
        let fixture = try PoolFixture(pool: {
            $0.connections = 1
            $0.requestTimeoutMilliseconds = 1_000
        }) { _, _ in
            _ = tally.next()
            return .ignore
        }
        _ = await fixture.pool.outcomes(of: (0..<10).map { .numbered($0) })
        #expect(tally.total <= 1)
        await fixture.stop()
    }

    @Test("Windows that are exhausted slow requests down and lose none")
    func smallWindow() async throws {
        let fixture = try PoolFixture(server: { $0.initialWindowSize = 65_535 }) { request, _ in
            .respond(HTTP2Response(status: 200, body: request.body))
        }
        let body = [UInt8](repeating: 7, count: 40_000)
        let outcomes = await fixture.pool.outcomes(
            of: (0..<100).map { .numbered($0, body: body) })
        for outcome in outcomes { #expect(try outcome.get().body == body) }
        await fixture.stop()
    }

    @Test("PR7: what the connection's window has no room for was never sent")
    func exhaustedWindow() async throws {
        let fixture = try PoolFixture(
            server: { $0.initialWindowSize = 65_535 },
            pool: {
                $0.connections = 1
                $0.requestTimeoutMilliseconds = 4_000
            }
        ) { _, _ in .respond(Self.fine) }
        var deaf = HTTP2Server.Reception()
        deaf.replenishing = .never
        try fixture.server.receive(as: deaf)
        let body = [UInt8](repeating: 0x20, count: 2_000)
        let outcomes = await fixture.pool.outcomes(of: (0..<100).map { .numbered($0, body: body) })
        let ends = outcomes.map { outcome in
            switch outcome {
            case .success: "answered"
            case .failure(.unknown): "unknown"
            case .failure: "never sent"
            }
        }
        // 32 bodies fit in, the next one only by half.
        #expect(ends[..<32].allSatisfy { $0 == "answered" })
        #expect(ends[32] == "unknown")
        #expect(ends[33...].allSatisfy { $0 == "never sent" })
        await fixture.stop()
    }

    @Test("PR7: a connection whose window stays shut is replaced, and what waits goes over another")
    func shutWindow() async throws {
        let fixture = try PoolFixture(
            server: { $0.initialWindowSize = 65_535 },
            pool: {
                $0.connections = 1
                $0.requestTimeoutMilliseconds = 6_000
                $0.stall.shutMillisecondsMax = 300
            }
        ) { _, _ in .respond(Self.fine) }
        var deaf = HTTP2Server.Reception()
        deaf.replenishing = .never
        try fixture.server.receive(as: deaf)
        let body = [UInt8](repeating: 0x20, count: 2_000)
        let outcomes = await fixture.pool.outcomes(of: (0..<60).map { .numbered($0, body: body) })
        // 32 bodies fit into a connection's window; the next one has left by half.
        let failed = outcomes.indices.filter { outcomes[$0] != .success(Self.fine) }
        #expect(failed == [32])
        #expect(outcomes[32] == .failure(.unknown("no response before the request's deadline")))
        await fixture.stop()
    }

    @Test("PR7: a connection on which three requests in a row get no answer is replaced")
    func silentConnection() async throws {
        let fixture = try PoolFixture(pool: {
            $0.connections = 1
            $0.start = .peerLimit
            $0.requestTimeoutMilliseconds = 1_000
        }) { _, connection in
            connection == 1
                ? .ignore : .respond(HTTP2Response(status: 200, body: Array("\(connection)".utf8)))
        }
        var outcomes: [ConnectionPool.Outcome] = []
        for number in 0..<20 {
            outcomes.append(await fixture.pool.outcome(of: .numbered(number)))
            if case .success = outcomes.last { break }
        }
        let unanswered = outcomes.count { outcome in
            if case .failure(.unknown) = outcome { true } else { false }
        }
        #expect(unanswered >= 3)
        #expect(try outcomes.last?.get().body != Array("1".utf8))
        await fixture.stop()
    }

    @Test("A body beyond the server's bound gets 413")
    func largeBody() async throws {
        let fixture = try PoolFixture(server: { $0.bodyBytesMax = 4_096 }) { _, _ in
            .respond(Self.fine)
        }
        let large = HTTP2Request.numbered(1, body: [UInt8](repeating: 1, count: 200_000))
        #expect(try await fixture.pool.outcome(of: large).get().status == 413)
        #expect(try await fixture.pool.outcome(of: .numbered(2)).get().status == 200)
        await fixture.stop()
    }
}

/// Holds a thread until it is opened.
final class Gate: Sendable {
    private let isOpen = Locked(false)

    /// Spins politely: the thread that passes is the one that must be deaf.
    func pass() {
        while !isOpen.withLock({ $0 }) { sched_yield() }
    }

    func open() { isOpen.withLock { $0 = true } }
}
