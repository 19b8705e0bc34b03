import HTTP2
import Testing

@testable import APNsSimulator

@Suite struct ExpressLaneTests {
    /// A side as a simulator uses it that nobody watches.
    private struct Express: ~Copyable {
        var side: AppleSide
        private(set) var passed = 0
        private var draft = HTTP2Draft()

        init(_ side: AppleSide) { self.side = side }

        mutating func send(
            _ request: HTTP2Request, on connection: Int, at now: Int64
        ) -> HTTP2Response? {
            let arrival = HTTP2Arrival(request)
            if side.pass(arrival, on: connection, at: now, &draft) {
                passed += 1
                return draft.response
            }
            return side.receive(arrival, on: connection, at: now).response
        }
    }

    @Test(
        "an unwatched simulator answers and counts as a watched one does, over 20,000 requests",
        arguments: 1...4)
    func sameVerdict(seed: UInt64) throws {
        var scene = try Scene()
        var express = Express(scene.side)
        var mutations = Mutations(seed: seed)
        let bearers = [
            try scene.bearer(), try scene.bearer(issuedAt: Scene.start / 1_000 - 5),
            try scene.bearer(keyID: "OTHERKEY01"), "bearer a.b.c", "", nil,
        ]
        for number in 0..<5_000 {
            let request = mutations.request(scene, bearers: bearers)
            let connection = mutations.pick([1, 2, 3])
            let usual = scene.send(request, on: connection).response
            let quick = express.send(request, on: connection, at: scene.now)
            let counters = express.side.counters
            guard usual == quick, scene.side.counters == counters else {
                Issue.record("request \(number): \(request), \(usual as Any), \(quick as Any)")
                return
            }
            // In the end the provider token has expired.
            if mutations.happens(onceIn: 10) { scene.now += 8_000 }
        }
        // Neither all nor none: otherwise little was compared.
        let passed = express.passed
        #expect((300..<4_500).contains(passed))
    }

    @Test("the second good push of a connection passes", arguments: [nil, "1", "12"])
    func passes(expiration: String?) throws {
        let scene = try Scene()
        var express = Express(scene.side)
        let request = scene.request(["apns-expiration": expiration])
        for _ in 0..<3 { _ = express.send(request, on: 7, at: scene.now) }
        let passed = express.passed
        #expect(passed == 2)
    }

    @Test("another connection has to show its provider token first")
    func connections() throws {
        let scene = try Scene()
        var express = Express(scene.side)
        for connection in [1, 2, 1, 2] {
            _ = express.send(scene.request(), on: connection, at: scene.now)
        }
        let passed = express.passed
        #expect(passed == 2)
    }

    @Test("PR7: with a fault in the script nothing passes it by")
    func faults() throws {
        let scene = try Scene()
        var express = Express(scene.side)
        _ = express.send(scene.request(), on: 1, at: scene.now)
        express.side.script.add(Fault(.refuse(.serviceUnavailable), times: 1))
        let answer = express.send(scene.request(), on: 1, at: scene.now)
        #expect(answer?.status == 503)
    }

    @Test("a token that was unregistered does not pass")
    func unregistered() throws {
        let scene = try Scene()
        var express = Express(scene.side)
        _ = express.send(scene.request(), on: 1, at: scene.now)
        express.side.registry.unregister(Scene.token, at: scene.now)
        let answer = express.send(scene.request(), on: 1, at: scene.now)
        #expect(answer?.status == 410)
    }

    @Test("a revoked key's token does not pass")
    func revoked() throws {
        let scene = try Scene()
        var express = Express(scene.side)
        _ = express.send(scene.request(), on: 1, at: scene.now)
        express.side.use([])
        let answer = express.send(scene.request(), on: 1, at: scene.now)
        #expect(answer?.status == 403)
    }

    @Test("an offline device's push is kept, not passed")
    func offline() throws {
        let scene = try Scene()
        var express = Express(scene.side)
        _ = express.send(scene.request(), on: 1, at: scene.now)
        try express.side.devices.takeOffline([Scene.token])
        _ = express.send(scene.request(), on: 1, at: scene.now)
        let counters = express.side.devices.counters
        #expect(counters.stored == 1)
    }
}

extension AppleSide.Reaction {
    /// The answer, where there is one at once.
    fileprivate var response: HTTP2Response? {
        guard case .respond(let response, 0) = action else { return nil }
        return response
    }
}
