import APNsClient
import HTTP2Server
import Testing

@testable import APNsSimulator

/// How new connections are received, seen by our client.
@Suite("Hosts that are slow, deaf or not who they should be") struct ReceptionTests {
    /// A client that gives up soon: its own timeouts bound these tests.
    private static func impatient(_ configuration: inout APNsClient.Configuration) {
        configuration.connectTimeoutMilliseconds = 300
        configuration.requestTimeoutMilliseconds = 300
        configuration.queueWaitMilliseconds = 600
    }

    /// One push to a host that receives like this.
    private func outcome(
        _ change: (inout HTTP2Server.Reception) -> Void, impatience: Bool = true
    ) async throws -> APNsClient.Outcome {
        let scene = try WireScene()
        var reception = HTTP2Server.Reception()
        change(&reception)
        try scene.simulator.receive(as: reception)
        let client = try scene.client { if impatience { Self.impatient(&$0) } }
        let outcome = await client.send(scene.push())
        await client.shutdown(graceMilliseconds: 0)
        await scene.stop()
        return outcome
    }

    private func isAccepted(_ outcome: APNsClient.Outcome) -> Bool {
        if case .accepted = outcome { true } else { false }
    }

    private func isNotSent(_ outcome: APNsClient.Outcome, because part: String = "") -> Bool {
        guard case .notSent(let why) = outcome else { return false }
        return part.isEmpty || why.contains(part)
    }

    @Test("TLS that begins late is waited for")
    func late() async throws {
        let outcome = try await outcome(
            { $0.opening = .late(milliseconds: 30) }, impatience: false)
        #expect(isAccepted(outcome))
    }

    @Test("where TLS never begins, a push was never sent")
    func silent() async throws {
        #expect(isNotSent(try await outcome { $0.opening = .silent }))
    }

    @Test("where HTTP/1.1 comes instead of frames, a push was never sent")
    func foreign() async throws {
        #expect(
            isNotSent(
                try await outcome { $0.opening = .invalidBytes(InvalidResponse.http1Response) })
        )
    }

    @Test("a window smaller than the body is waited for")
    func smallWindow() async throws {
        let outcome = try await outcome(
            {
                $0.initialWindowSize = 100
                $0.replenishing = .after(milliseconds: 5)
            }, impatience: false)
        #expect(isAccepted(outcome))
    }

    @Test("where the window stays exhausted, nothing is accepted")
    func exhaustedWindow() async throws {
        let outcome = try await outcome {
            $0.initialWindowSize = 100
            $0.replenishing = .never
        }
        #expect(!isAccepted(outcome))
    }

    @Test("windows of 65,535 bytes that come back late let 1,000 pushes through, each once")
    func usualWindow() async throws {
        let scene = try WireScene()
        var reception = HTTP2Server.Reception()
        reception.initialWindowSize = 65_535
        reception.replenishing = .after(milliseconds: 1)
        try scene.simulator.receive(as: reception)
        let client = try scene.client()
        let accepted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<1_000 { group.addTask { isAccepted(await client.send(scene.push())) } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(accepted == 1_000)
        #expect(scene.simulator.counters.accepted == 1_000)
        #expect(scene.simulator.counters.doubledIDs == 0)
        await client.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test(
        "a bad certificate is refused before anything is sent", arguments: CertificateFlaw.allCases)
    func certificates(flaw: CertificateFlaw) async throws {
        let scene = try WireScene()
        try scene.simulator.showCertificate(flaw)
        let client = try scene.client(configure: Self.impatient)
        #expect(isNotSent(await client.send(scene.push()), because: "certificate"))
        #expect(scene.simulator.counters.requests == 0)
        await client.shutdown(graceMilliseconds: 0)
        try scene.simulator.showCertificate(nil)
        let second = try scene.client()
        #expect(isAccepted(await second.send(scene.push())))
        await second.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test("a simulator without other certificates says so")
    func noCertificates() async throws {
        let scene = try WireScene { $0.flawedIdentity = nil }
        #expect(throws: CredentialsError.self) { try scene.simulator.showCertificate(.expired) }
        await scene.stop()
    }

    @Test("GOAWAY to everybody in between loses nothing")
    func goAway() async throws {
        let scene = try WireScene()
        let client = try scene.client()
        for _ in 0..<3 {
            #expect(isAccepted(await client.send(scene.push())))
            scene.simulator.sendGoAway(reason: "Shutdown")
        }
        #expect(scene.simulator.counters.accepted == 3)
        await client.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test("GOAWAY in turns sends one connection away and keeps the others")
    func goAwayInTurns() async throws {
        let scene = try WireScene()
        let (first, second) = (try scene.client(), try scene.client())
        #expect(isAccepted(await first.send(scene.push())))
        #expect(isAccepted(await second.send(scene.push())))
        scene.simulator.sendGoAway(to: .oldestConnection, reason: "Shutdown")
        #expect(isAccepted(await first.send(scene.push())))
        #expect(isAccepted(await second.send(scene.push())))
        #expect(first.counts.goAways == ["Shutdown": 1])
        #expect(second.counts.goAways == [:])
        #expect(scene.simulator.counters.doubledIDs == 0)
        await first.shutdown(graceMilliseconds: 1_000)
        await second.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test("GOAWAY every few milliseconds loses and doubles nothing")
    func goAwayAgainAndAgain() async throws {
        let scene = try WireScene()
        scene.simulator.sendGoAway(everyMilliseconds: 100, reason: "Shutdown")
        let client = try scene.client()
        for _ in 0..<10 { #expect(isAccepted(await client.send(scene.push()))) }
        scene.simulator.sendGoAway(everyMilliseconds: nil, reason: "")
        #expect(scene.simulator.counters.accepted == 10)
        #expect(scene.simulator.counters.doubledIDs == 0)
        await client.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test(
        "a connection that falls silent leaves its push unknown",
        arguments: [
            Fault.Effect.silence(.untouched), .silence(.accepted), .ignore(.accepted),
            .rest(milliseconds: 3_600_000),
        ])
    func fallsSilent(effect: Fault.Effect) async throws {
        let scene = try WireScene()
        scene.simulator.add(Fault(effect, times: 1))
        let client = try scene.client(configure: Self.impatient)
        guard case .unknown = await client.send(scene.push()) else {
            Issue.record("a push without an answer must be unknown")
            return
        }
        await client.shutdown(graceMilliseconds: 0)
        await scene.stop()
    }
}
