import APNsClient
import Testing

@testable import APNsSimulator

@Suite struct ProviderTokenTests {
    private let minute: Int64 = 60_000

    @Test("a provider token lasts one hour")
    func expiry() throws {
        var scene = try Scene()
        let bearer = try scene.bearer()
        scene.now += 60 * minute
        #expect(scene.refusal(of: scene.request(["authorization": bearer])) == nil)
        scene.now += 1_000
        let late = scene.refusal(of: scene.request(["authorization": bearer]))
        #expect(late?.reason == .expiredProviderToken)
    }

    @Test("a provider token from the future is none")
    func future() throws {
        var scene = try Scene()
        let bearer = try scene.bearer(issuedAt: scene.now / 1_000 + 61)
        let refusal = scene.refusal(of: scene.request(["authorization": bearer]))
        #expect(refusal?.reason == .invalidProviderToken)
    }

    @Test("the key id and the team id must be the key's own")
    func names() throws {
        var scene = try Scene()
        for bearer in [try scene.bearer(keyID: "OTHERKEY01"), try scene.bearer(teamID: "OTHER")] {
            let refusal = scene.refusal(of: scene.request(["authorization": bearer]))
            #expect(refusal?.reason == .invalidProviderToken)
        }
    }

    @Test("a token signed by another key is refused")
    func foreignKey() throws {
        var scene = try Scene()
        let bearer = try Scene().bearer()
        let refusal = scene.refusal(of: scene.request(["authorization": bearer]))
        #expect(refusal?.reason == .invalidProviderToken)
    }

    @Test("a connection takes one new token in 20 minutes, known ones at any time")
    func refreshes() throws {
        var scene = try Scene()
        func reason(_ bearer: String) throws -> RefusalReason? {
            scene.refusal(of: scene.request(["authorization": bearer]))?.reason
        }
        let first = try scene.bearer()
        let second = try scene.bearer(issuedAt: scene.now / 1_000 - 1)
        let third = try scene.bearer(issuedAt: scene.now / 1_000 - 2)
        #expect(try reason(first) == nil)
        #expect(try reason(second) == nil)
        #expect(try reason(first) == nil)
        #expect(try reason(third) == .tooManyProviderTokenUpdates)
        scene.now += 20 * minute
        #expect(try reason(third) == nil)
    }

    @Test("a key of one environment is none in the other", arguments: APNsEnvironment.allCases)
    func environments(environment: APNsEnvironment) throws {
        var scene = try Scene()
        let key = try Scene.providerKey(of: scene.key, environment: environment)
        scene.change { $0.use([key]) }
        let refusal = scene.refusal(of: scene.request())
        #expect(refusal?.reason == (environment == .sandbox ? nil : .badEnvironmentKeyInToken))
    }

    @Test("a revoked key's tokens are invalid at once, on connections that know them too")
    func revoked() throws {
        var scene = try Scene()
        #expect(scene.refusal(of: scene.request()) == nil)
        scene.change { $0.use([]) }
        #expect(scene.refusal(of: scene.request())?.reason == .invalidProviderToken)
    }

    @Test("another key on the same connection is unrelated, on a new one it is good")
    func rotation() throws {
        var scene = try Scene()
        let other = try ES256PrivateKey(ES256PrivateKey.generate())
        let second = ProviderKey(
            keyID: "SIMULATOR2", teamID: "RANGERTEAM", publicKey: try ES256PublicKey(of: other))
        let first = try Scene.providerKey(of: scene.key)
        scene.change { $0.use([first, second]) }
        #expect(scene.refusal(of: scene.request()) == nil)
        let token = try ProviderToken(
            keyID: "SIMULATOR2", teamID: "RANGERTEAM", issuedAt: scene.now / 1_000, key: other)
        let request = scene.request(["authorization": token.authorization])
        #expect(scene.refusal(of: request)?.reason == .unrelatedKeyIDInToken)
        #expect(scene.refusal(of: request, on: 2) == nil)
    }

    @Test("each connection counts its own refreshes")
    func connections() throws {
        var scene = try Scene()
        for age in 0..<3 {
            let bearer = try scene.bearer(issuedAt: scene.now / 1_000 - Int64(age))
            let request = scene.request(["authorization": bearer])
            #expect(scene.refusal(of: request, on: age + 1) == nil)
        }
    }

    @Test("only a connection's first good push opens more streams")
    func streams() throws {
        var scene = try Scene()
        #expect(scene.send(scene.request(["apns-topic": nil])).streams == .asBefore)
        #expect(scene.send(scene.request()).streams == .opened)
        #expect(scene.send(scene.request()).streams == .asBefore)
        #expect(scene.send(scene.request(), on: 2).streams == .opened)
    }
}
