import APNsClient
import Isolation
import Testing

@testable import APNsSimulator

/// The client's tokens, keys and pauses, as the simulated APNs sees them.
@Suite("Our client's manners on the wire", .timeLimit(.minutes(1)))
struct ProviderMannersTests {
    private static func isAccepted(_ outcome: APNsClient.Outcome) -> Bool {
        if case .accepted = outcome { true } else { false }
    }

    @Test("a key that Apple does not know gives way to the other: all pushes are accepted, once")
    func takeOver() async throws {
        let scene = try WireScene()
        let known = ProviderTokens.Key(
            id: scene.credentials.keyID, teamID: scene.credentials.teamID,
            pem: try PrivateKeyPEM(file: scene.credentials.providerKeyFile))
        let revoked = ProviderTokens.Key(
            id: "REVOKEDKEY", teamID: known.teamID, pem: try ES256PrivateKey.generate())
        let client = try scene.client(connections: 2) { $0.identity = .keys([revoked, known]) }
        let accepted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { Self.isAccepted(await client.send(scene.push())) } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(accepted == 50)
        #expect(client.counts.keyPlace == 2)
        #expect(client.counts.tokensSigned == 2)
        #expect(scene.simulator.counters.doubledIDs == 0)
        await client.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test("PR8: a host that answers 503 only is left in peace, and served again when it is well")
    func outage() async throws {
        let scene = try WireScene()
        scene.simulator.add(Fault(.refuse(.serviceUnavailable), times: 20))
        let client = try scene.client()
        for _ in 0..<20 {
            _ = await client.send(scene.push())
            scene.clock.withLock { $0 += 100 }
        }
        let asked = scene.simulator.counters.requests
        guard case .heldBack(_, let wait) = await client.send(scene.push()) else {
            Issue.record("the host fails at everything: the push must be held back")
            return
        }
        #expect(scene.simulator.counters.requests == asked)
        scene.clock.withLock { $0 += wait }
        #expect(Self.isAccepted(await client.send(scene.push())))
        #expect(client.counts.hostState == .working)
        await client.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test("a dead token is asked for once, and again when it was registered anew")
    func quarantine() async throws {
        let scene = try WireScene(policy: .registeredOnly)
        let client = try scene.client()
        let first = await client.send(scene.push(token: "abcdef"))
        for _ in 0..<5 { #expect(await client.send(scene.push(token: "abcdef")) == first) }
        #expect(scene.simulator.counters.requests == 1)
        client.liftQuarantine(of: DeviceToken(hex: "abcdef"))
        _ = await client.send(scene.push(token: "abcdef"))
        #expect(scene.simulator.counters.requests == 2)
        await client.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }
}
