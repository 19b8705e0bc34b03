import APNsClient
import HTTPServer
import Playtest
import PushPolicy
import RangersServer
import Testing

/// One server sends to production and to the sandbox, each push to the host of its activity.
@Suite("Sandbox and production in one server", .timeLimit(.minutes(5)), .simulated)
struct TwoHostsTests {
    private let production = FakeAPNs()
    private let sandbox = FakeAPNs()

    /// A party of two players at a server with two hosts: one of them has a build from Xcode.
    private func begin() async throws -> (
        server: TestServer, player: TestPlayer, developer: TestPlayer, party: String
    ) {
        let server = try await TestServer(apns: production, sandboxAPNs: sandbox)
        let player = try await TestPlayer.make("Power Panda", at: server)
        let developer = try await TestPlayer.make("Spouty", at: server)
        let party = try await player.found()
        try #require(await developer.join(party.code).status == 200)
        try #require(
            await player.watch("released", environment: "production").status == 204)
        try #require(await developer.watch("built", environment: "sandbox").status == 204)
        return (server, player, developer, party.id)
    }

    private func tokens(_ apns: FakeAPNs) -> Set<String> {
        Set(apns.pushes.map(\.request.token.hex))
    }

    @Test("each activity's pushes go to the host of its environment")
    func routed() async throws {
        let (server, player, developer, party) = try await begin()
        try #require(await player.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        await server.step(forSeconds: 20)
        #expect(tokens(production) == [TestPlayer.token(of: "released")])
        #expect(tokens(sandbox) == [TestPlayer.token(of: "built")])
        // A start goes to the host of its device, and a token that is registered again is free at
        // whichever host has it in quarantine.
        _ = await developer.offer("phone", token: "dd", environment: "sandbox")
        #expect(sandbox.quarantineLifted.map(\.hex).contains("dd"))
        #expect(production.quarantineLifted.map(\.hex).contains("dd"))
        await server.server.drain()
    }

    @Test("an outage of the sandbox holds back nothing of production's")
    func outageAside() async throws {
        let (server, player, _, party) = try await begin()
        sandbox.pause(forMilliseconds: 5000)
        sandbox.answer(.at(once: .heldBack("the host fails", retryAfterMilliseconds: 5000)))
        try #require(await player.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        #expect(await server.step { production.pushes.count >= 3 && !sandbox.pushes.isEmpty })
        await server.server.drain()
    }

    @Test("PR6: an outage of the sandbox costs tries, not a commit for each push that it owes")
    func outageAsideIsCheap() async throws {
        let server = try await TestServer(
            clock: VirtualClock(), apns: production, speed: 1000, sandboxAPNs: sandbox)
        sandbox.behaveAsClient(by: server.clock)
        sandbox.answer(.at(once: .notSent("no connection")))
        for number in 0..<30 {
            let player = try await TestPlayer.make("Hero \(number)", at: server)
            let party = try await player.found().id
            for phone in ["sandbox", "production"] {
                let watch = await player.watch("\(phone)-\(number)", environment: phone)
                try #require(watch.status == 204)
            }
            try #require(await player.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        }
        await server.step(forSeconds: 60)
        #expect(sandbox.hostPauseMilliseconds != nil)
        let (tries, calm) = (sandbox.pushes.count, production.pushes.count)
        await server.step(forSeconds: 120)
        // One push each 4 to 8 seconds, whatever thirty parties owe; production goes on.
        #expect((15...31).contains(sandbox.pushes.count - tries))
        #expect(production.pushes.count > calm + 30)
        let held = server.metrics.value(
            .pushes, labels: #"priority="5",status="",reason="held back""#)
        #expect(held <= 30, "those that were under way when the outage showed")
        sandbox.answer(.at(once: .accepted(apnsUniqueID: nil)))
        let healed = sandbox.pushes.count
        await server.step(forSeconds: 10)
        #expect(Set(sandbox.pushes[healed...].map(\.request.token.hex)).count == 30)
        await server.server.drain()
    }

    @Test("a response of the sandbox does not end the pause of production")
    func pauseStays() async throws {
        let (server, player, _, party) = try await begin()
        production.pause(forMilliseconds: 60_000)
        production.answer(.at(once: .heldBack("the host fails", retryAfterMilliseconds: 60_000)))
        try #require(await player.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        #expect(await server.step { !production.pushes.isEmpty })
        await server.step(forSeconds: 20)
        #expect(production.pushes.count == 1)
        await server.server.drain()
    }

    @Test("the metrics tell the two hosts apart, and both clients end with the server")
    func metrics() async throws {
        let (server, player, _, party) = try await begin()
        sandbox.answer(.later)
        sandbox.answerShutdown(.accepted(apnsUniqueID: nil))
        try #require(await player.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        await sandbox.untilSent(1)
        let text = await server.send(.get, "/metrics").text
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.contains("rangers_apns_host_state 0"))
        #expect(lines.contains("rangers_apns_host_state{environment=\"sandbox\"} 0"))
        // It would wait for the push for ever.
        await server.server.drain()
        #expect(server.metrics.value(.pushesInFlight) == 0)
    }
}
