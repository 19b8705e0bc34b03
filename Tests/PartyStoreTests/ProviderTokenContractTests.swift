import PartyStore
import PushPolicy
import Testing

@Suite("The store contract: provider tokens")
struct ProviderTokenContractTests {
    private func token(key: String = "KEYNUMBER1", issuedAt: Int64 = 1_000) -> ProviderTokenRecord {
        ProviderTokenRecord(
            keyID: key, teamID: "TEAM123456", issuedAt: issuedAt,
            signedAt: WallTime(milliseconds: issuedAt * 1000), jwt: "secret-\(issuedAt)")
    }

    @Test("PR8: each key's newest token survives a restart", arguments: StoreKind.allCases)
    func newest(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let first = try await kind.open(in: folder)
        let epoch = try await first.takeOwnership()
        #expect(try await first.providerTokens().isEmpty)
        try await first.save(token(issuedAt: 1_000), epoch: epoch)
        try await first.save(token(key: "KEYNUMBER2"), epoch: epoch)
        try await first.save(token(issuedAt: 2_000), epoch: epoch)
        await first.close()
        let second = try await kind.open(in: folder)
        let kept = try await second.providerTokens()
        #expect(kept == [token(issuedAt: 2_000), token(key: "KEYNUMBER2")])
        await second.close()
    }

    @Test("PR8: what Apple has said of other tokens is kept too", arguments: StoreKind.allCases)
    func stop(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let token = ProviderTokenRecord(
                keyID: "KEYNUMBER1", teamID: "TEAM123456", issuedAt: 1,
                signedAt: WallTime(milliseconds: 2), jwt: "secret",
                noOtherBefore: WallTime(milliseconds: 1_685_952_000_000))
            try await store.save(token, epoch: epoch)
            #expect(try await store.providerTokens() == [token])
        }
    }

    @Test("an older owner keeps no token", arguments: StoreKind.allCases)
    func fence(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            _ = try await store.takeOwnership()
            await #expect(throws: StoreError.notTheOwner) {
                try await store.save(token(), epoch: epoch)
            }
            #expect(try await store.providerTokens().isEmpty)
        }
    }

    @Test("PR17: a record shows no token")
    func secrecy() {
        var text = "\(token()) \(String(reflecting: token()))"
        dump(token(), to: &text)
        #expect(!text.contains("secret"))
    }
}
