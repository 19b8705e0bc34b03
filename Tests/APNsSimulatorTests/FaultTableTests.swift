import APNsClient
import HTTP2Server
import Isolation
import Testing

@testable import APNsSimulator

/// The faults of PR7, a row each: our client sends before, during and after the fault, and every
/// push is counted on both sides.
///
/// | fault | where |
/// |---|---|
/// | GOAWAY again and again, kept or sent back | here; `ConnectionPoolFaultTests` (1,000); by a timer: `ReceptionTests` |
/// | two GOAWAYs | here |
/// | 503 for 30%, then for all | here; the pause for the host: `ProviderMannersTests` |
/// | 429 for 1% of the tokens | here |
/// | server stopped for a while | here; longer than its sender waits: `ReceptionTests` |
/// | black hole | here; `ReceptionTests`; deaf to PING: `ConnectionPoolFaultTests` |
/// | slow handshakes, handshakes that never end | here |
/// | wrong certificate | here; each flaw and CA: `ReceptionTests`, `ConnectionPoolTrustTests` |
/// | expired token for all | here; over restarts and clock steps: `ProviderTokenStoryTests` |
/// | 410 for 20%, half of them registered again | here |
/// | streams 1000, 1, 1000 | here; while requests run: `ConnectionPoolFaultTests` (2,000) |
/// | replies late and out of order | here; each finds its push: `FaultWireTests` |
/// | windows exhausted | here; late ones: `ReceptionTests` (1,000) |
/// | garbage answers | here; mutated frames: `FrameFuzzTests` |
/// | TCP reset | here; `ConnectionPoolFaultTests` (3,000) |
/// | sender stopped at full speed | here |
///
/// One row after the other: each has a server, a client and up to eight connections of its own.
@Suite("PR7: the table of faults, counted on both sides", .serialized, .timeLimit(.minutes(2)))
struct FaultTableTests {
    /// What one row came to.
    private struct Row {
        let during: FaultCount
        let after: FaultCount
        let problems: [String]
        let client: APNsClient.Counts
    }

    /// Pushes while all is well, during the fault, and after it.
    private enum Share {
        static let before = 100
        static let during = 600
        static let after = 200
    }

    /// Plays a fault that comes while the client is at work, and that one client survives.
    private func row(
        inBatchesOf size: Int = 100,
        heal: (FaultScene) throws -> Void = { $0.simulator.removeFaults() },
        fault: (FaultScene) throws -> Void
    ) async throws -> Row {
        let scene = try FaultScene()
        let client = try scene.client()
        let before = await scene.send(scene.pushes(Share.before), by: client)
        #expect(before == .all(Share.before))
        try fault(scene)
        let during = await scene.send(
            scene.pushes(Share.during), by: client, inBatchesOf: size)
        try heal(scene)
        let after = await scene.send(scene.pushes(Share.after), by: client)
        let problems = await scene.finish()
        return Row(during: during, after: after, problems: problems, client: client.counts)
    }

    /// Nothing fails, nothing is doubled, all is well afterwards.
    private func expectNoHarm(_ row: Row) {
        #expect(row.during == .all(Share.during))
        #expect(row.after == .all(Share.after))
        #expect(row.problems == [])
    }

    /// Every push has an end, none is doubled, all is well afterwards.
    private func expectHonesty(_ row: Row) {
        let count = row.during
        #expect(count.accepted + count.refused + count.unknown + count.notSent == Share.during)
        #expect(count.doubled == 0)
        #expect(row.after == .all(Share.after))
        #expect(row.problems == [])
    }

    // MARK: - Connections that go

    @Test("GOAWAY behind every 20th answer: all are accepted, once")
    func goAway() async throws {
        let row = try await row {
            $0.simulator.add(Fault(.goAway(reason: "Shutdown"), every: 20))
        }
        expectNoHarm(row)
        #expect(row.client.goAways["Shutdown", default: 0] > 0)
    }

    @Test("GOAWAY that sends every 30th push and those behind it back: all are accepted, once")
    func goAwayUnprocessed() async throws {
        expectNoHarm(
            try await row {
                $0.simulator.add(Fault(.goAwayUnprocessed(reason: "Shutdown"), every: 30))
            })
    }

    @Test("two GOAWAYs, the first without a last stream: all are accepted, once")
    func goAwayTwice() async throws {
        expectNoHarm(
            try await row {
                let twice = Fault.Effect.goAwayTwice(reason: "Shutdown", pauseMilliseconds: 5)
                $0.simulator.add(Fault(twice, every: 40))
            })
    }

    @Test(
        "TCP resets: what may have arrived is unknown and not sent again",
        arguments: Fault.Handling.allCases)
    func reset(fate: Fault.Handling) async throws {
        let row = try await row(inBatchesOf: 50) {
            $0.simulator.add(Fault(.dropConnection(fate), every: 60, times: 5))
        }
        expectHonesty(row)
        #expect(row.during.unknown >= 5)
        #expect(row.during.accepted > 0)
        #expect(row.during.refused + row.during.notSent == 0)
    }

    @Test("a server that is stopped for a while: what was sent meanwhile is accepted, once")
    func stoppedServer() async throws {
        let row = try await row(inBatchesOf: Share.during) {
            $0.simulator.add(Fault(.rest(milliseconds: 60), every: 100, times: 4))
        }
        expectNoHarm(row)
    }

    /// Where PINGs have little time, a busy machine may lose a living connection too, so this row
    /// counts on nothing but honesty, and on a caller who sends newer content.
    @Test("connections that fall silent are given up by PING, and all devices are reached again")
    func blackHole() async throws {
        let scene = try FaultScene()
        let client = try scene.client { $0.pingTimeoutMilliseconds = 2_000 }
        scene.simulator.add(Fault(.silence(.untouched), every: 60, times: 1))
        scene.simulator.add(Fault(.silence(.accepted), every: 50, times: 1))
        let pushes = scene.pushes(Share.during)
        let count = await scene.send(pushes, by: client, inBatchesOf: pushes.count)
        #expect(count.accepted + count.refused + count.unknown + count.notSent == pushes.count)
        #expect(count.unknown >= 1)
        #expect(count.refused + count.doubled == 0)
        scene.simulator.removeFaults()
        var left = pushes
        while !left.isEmpty {
            let newer = left.map { scene.wire.push(token: $0.token.hex) }
            await scene.send(newer, by: client)
            left = newer.filter { push in
                if case .accepted = scene.outcomes(of: push).last { false } else { true }
            }
        }
        #expect(await scene.finish() == [])
    }

    @Test("a sender that is stopped at full speed: what it calls not sent goes once, by the next")
    func stopped() async throws {
        let scene = try FaultScene { $0.streamsMax = 50 }
        let client = try scene.client()
        await scene.send(scene.pushes(Share.before), by: client)
        let pushes = scene.pushes(1_000)
        let count = await scene.send(pushes, by: client, inBatchesOf: pushes.count) {
            await client.shutdown(graceMilliseconds: 0)
        }
        #expect(count.accepted + count.unknown + count.notSent == 1_000)
        let left = pushes.filter { push in
            if case .notSent = scene.outcomes(of: push).last { true } else { false }
        }
        let second = try scene.client()
        #expect(await scene.send(left, by: second) == .all(left.count))
        #expect(await scene.finish(handedInAgain: Set(left.map(\.id.description))) == [])
    }

    // MARK: - Refusals

    @Test("503 for 30%, then for all: each push hears of its own, and none is sent again")
    func unavailable() async throws {
        let scene = try FaultScene()
        let client = try scene.client()
        await scene.send(scene.pushes(Share.before), by: client)
        scene.simulator.add(Fault(.refuse(.serviceUnavailable), for: .share(0.3)))
        let some = await scene.send(scene.pushes(Share.during), by: client)
        #expect(some.accepted + some.refused == Share.during)
        #expect((120...240).contains(some.refused))
        scene.simulator.removeFaults()
        scene.simulator.add(Fault(.refuse(.serviceUnavailable)))
        let all = await scene.send(scene.pushes(Share.after), by: client)
        #expect(all == FaultCount(sent: Share.after, refused: Share.after))
        scene.simulator.removeFaults()
        let after = await scene.send(scene.pushes(Share.after), by: client)
        #expect(after == .all(Share.after))
        let requests = Share.before + Share.during + 2 * Share.after
        #expect(scene.simulator.counters.requests == requests)
        #expect(await scene.finish() == [])
    }

    @Test("429 for 1% of the tokens: the others are accepted, and the 1% when it is over")
    func tooMany() async throws {
        let scene = try FaultScene()
        let client = try scene.client()
        let pushes = scene.pushes(1_000)
        let greedy = pushes.indices.filter { $0 % 100 == 7 }.map { pushes[$0].token.hex }
        for token in greedy {
            scene.simulator.add(Fault(.refuse(.tooManyRequests), for: .token(token)))
        }
        let during = await scene.send(pushes, by: client)
        #expect(during == FaultCount(sent: 1_000, accepted: 990, refused: 10))
        scene.simulator.removeFaults()
        let again = greedy.map { scene.wire.push(token: $0) }
        #expect(await scene.send(again, by: client) == .all(10))
        #expect(await scene.finish() == [])
    }

    @Test("410 for 20%: dead tokens are asked once, and those registered again are accepted")
    func gone() async throws {
        let scene = try FaultScene()
        let client = try scene.client()
        let pushes = scene.pushes(1_000)
        let dead = pushes.indices.filter { $0 % 5 == 2 }.map { pushes[$0].token }
        for token in dead { scene.simulator.unregister(token.hex, at: Scene.start) }
        let during = await scene.send(pushes, by: client)
        #expect(during == FaultCount(sent: 1_000, accepted: 800, refused: 200))
        scene.clientClock.withLock { $0 += 1 }
        let (back, gone) = (Array(dead[..<100]), Array(dead[100...]))
        for token in back {
            scene.simulator.register(token.hex)
            client.liftQuarantine(of: token)
        }
        let asked = scene.simulator.counters.requests
        let late = gone.map { scene.wire.push(token: $0.hex) }
        #expect(await scene.send(late, by: client) == FaultCount(sent: 100, refused: 100))
        #expect(scene.simulator.counters.requests == asked)
        let again = back.map { scene.wire.push(token: $0.hex) }
        #expect(await scene.send(again, by: client) == .all(100))
        #expect(await scene.finish() == [])
    }

    @Test("a provider token that is too old for Apple: exactly one new one, and all are accepted")
    func expiredToken() async throws {
        // The clocks disagree: the client's token is 25 minutes old by its own.
        let row = try await row {
            $0.clientClock.withLock { $0 += 25 * 60_000 }
            $0.wire.clock.withLock { $0 += 61 * 60_000 }
        }
        expectNoHarm(row)
        #expect(row.client.tokensSigned == 2)
        #expect(row.client.repeated > 0)
    }

    // MARK: - Answers that are odd

    @Test("answers that are late and out of order: all are accepted, once")
    func shuffled() async throws {
        expectNoHarm(
            try await row(inBatchesOf: 300) {
                $0.simulator.add(Fault(.shuffle(milliseconds: 0...20)))
            })
    }

    @Test("garbage instead of answers is no acceptance", arguments: InvalidResponse.allCases)
    func garbage(kind: InvalidResponse) async throws {
        let row = try await row(inBatchesOf: 50) {
            $0.simulator.add(Fault(.garbage(kind), every: 60, times: 5))
        }
        expectHonesty(row)
        #expect(row.during.unknown + row.during.refused >= 5)
        #expect(row.during.accepted > 0)
        #expect(row.during.notSent == 0)
    }

    @Test("streams 1000, 1, 1000: all are accepted, once")
    func streams() async throws {
        expectNoHarm(
            try await row(heal: { $0.simulator.setStreamsMax(1_000) }) {
                $0.simulator.setStreamsMax(1)
            })
    }

    // MARK: - Hosts that do not let us in

    @Test("handshakes that begin late are waited for")
    func lateHandshake() async throws {
        var late = HTTP2Server.Reception()
        late.opening = .late(milliseconds: 30)
        let row = try await row {
            try $0.simulator.receive(as: late)
            $0.simulator.add(Fault(.goAway(reason: "Shutdown"), every: 50))
        }
        expectNoHarm(row)
    }

    @Test("a handshake that is too late for an impatient client is in time for the default")
    func defaultPatience() async throws {
        let scene = try FaultScene()
        var late = HTTP2Server.Reception()
        late.opening = .late(milliseconds: 1_500)
        try scene.simulator.receive(as: late)
        let impatient = try scene.client(FaultScene.impatient)
        let none = await scene.send(scene.pushes(Share.before), by: impatient)
        #expect(none == .none(Share.before))
        #expect(scene.simulator.counters.requests == 0)
        let patient = try scene.client { settings in
            settings.connectTimeoutMilliseconds =
                APNsClient.Configuration(host: "localhost", identity: .keys([]))
                .connectTimeoutMilliseconds
        }
        let all = await scene.send(scene.pushes(Share.during), by: patient)
        #expect(all == .all(Share.during))
        #expect(await scene.finish() == [])
    }

    @Test("where two of four connections never come back, the others carry everything")
    func someHandshakesNever() async throws {
        var silent = HTTP2Server.Reception()
        silent.opening = .silent
        let row = try await row(heal: { try $0.simulator.receive(as: HTTP2Server.Reception()) }) {
            try $0.simulator.receive(as: silent)
            $0.simulator.add(Fault(.goAway(reason: "Shutdown"), every: 50, times: 2))
        }
        expectNoHarm(row)
    }

    /// What an impatient client and its successor, after the fault, come to.
    private func closedDoor(
        pushes count: Int = 400, _ close: (APNsSimulator) throws -> Void
    ) async throws -> (during: FaultCount, asked: Int, problems: [String]) {
        let scene = try FaultScene()
        try close(scene.simulator)
        let first = try scene.client(FaultScene.impatient)
        let pushes = scene.pushes(count)
        let during = await scene.send(pushes, by: first, inBatchesOf: count)
        await first.shutdown(graceMilliseconds: 0)
        let asked = scene.simulator.counters.requests
        try scene.simulator.receive(as: HTTP2Server.Reception())
        let left = pushes.filter { push in
            if case .notSent = scene.outcomes(of: push).last { true } else { false }
        }
        // Nothing of it ever left, so the same pushes may go once more.
        let second = try scene.client()
        #expect(await scene.send(left, by: second) == .all(left.count))
        let problems = await scene.finish(handedInAgain: Set(left.map(\.id.description)))
        return (during, asked, problems)
    }

    @Test("where handshakes never end, nothing leaves, and everything is accepted afterwards")
    func noHandshake() async throws {
        let (during, asked, problems) = try await closedDoor {
            var silent = HTTP2Server.Reception()
            silent.opening = .silent
            try $0.receive(as: silent)
        }
        #expect(during == .none(400))
        #expect(asked == 0)
        #expect(problems == [])
    }

    @Test(
        "a wrong certificate gets not one request, and everything is accepted afterwards",
        arguments: [CertificateFlaw.wrongName, .otherAuthority])
    func wrongCertificate(flaw: CertificateFlaw) async throws {
        let (during, asked, problems) = try await closedDoor { try $0.showCertificate(flaw) }
        #expect(during == .none(400))
        #expect(asked == 0)
        #expect(problems == [])
    }

    @Test("windows that stay exhausted: what is stuck is unknown, the rest was never sent")
    func exhaustedWindows() async throws {
        let (during, asked, problems) = try await closedDoor {
            var narrow = HTTP2Server.Reception()
            narrow.initialWindowSize = 100
            narrow.replenishing = .never
            try $0.receive(as: narrow)
        }
        #expect(during.unknown + during.notSent == 400)
        #expect(during.unknown > 0 && during.notSent > 0)
        #expect(asked == 0)
        #expect(problems == [])
    }
}
