import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

/// A player with two devices and every kind of token, beside another one.
private struct SignOutScene {
    static let other = PlayerID("player-2")
    static let tablet = DeviceRecord(
        key: DeviceRecord.Key(player: Fixture.player, device: DeviceID("tablet")),
        tokenHash: [UInt8](repeating: 7, count: 32), createdAt: Fixture.noon)
    static let nextHash = [UInt8](repeating: 8, count: 32)

    static let call = AuditRecord(
        caller: GameMaster(name: "lena", role: .owner),
        action: "DELETE /v1/admin/players/{player}/token", target: "player-1", status: 204,
        at: Fixture.noon)

    static func widget(of player: PlayerID, token: String) -> WidgetToken {
        WidgetToken(
            player: player, device: DeviceID("phone-1"), environment: .sandbox,
            token: PushToken(hex: token), confirmedAt: Fixture.noon)
    }

    static func fill(_ store: any Store, _ epoch: Epoch) async throws {
        try await store.insert(Fixture.record(), epoch: epoch)
        try await store.insert(Fixture.record(of: other, hash: 2), epoch: epoch)
        for change in [
            AccountChange.add(tablet, by: .unnamed),
            .rotate(tablet.key, to: nextHash),
            .setRecoveryCode([UInt8](repeating: 9, count: 32), by: Fixture.record().key),
        ] {
            _ = try await store.change(change, keeping: nil, epoch: epoch)
        }
        for (player, token) in [(Fixture.player, "aa"), (other, "bb")] {
            let device = Fixture.device(of: player, token: token)
            _ = try await store.put(device, by: .unnamed, amongAtMost: 8, epoch: epoch)
            _ = try await store.put(
                widget(of: player, token: token + "ee"), by: .unnamed, amongAtMost: 8, epoch: epoch)
        }
    }

    static func signOut(
        _ store: any Store, _ epoch: Epoch, _ player: PlayerID = Fixture.player
    ) async throws -> AccountOutcome {
        try await store.change(.signOut(player, as: call), keeping: nil, epoch: epoch)
    }

    static func actions(_ store: any Store) async throws -> [String] {
        try await store.auditLog(before: nil, limit: 9).calls.map(\.call.action)
    }

    /// Whose the tokens for pushes are.
    static func owners(_ store: any Store) async throws -> [[PlayerID]] {
        var owners: [[PlayerID]] = []
        for token in ["aa", "aaee", "bb", "bbee"] {
            owners.append(try await store.players(withPushToken: PushToken(hex: token)))
        }
        return owners
    }
}

@Suite("The store contract: a game master signs a player out")
struct SignOutContractTests {
    @Test(
        "every token of the player ends, and the call is written with it",
        arguments: StoreKind.allCases)
    func signedOut(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await SignOutScene.fill(store, epoch)
            let (mine, others) = (Fixture.player, SignOutScene.other)
            #expect(try await SignOutScene.owners(store) == [[mine], [mine], [others], [others]])
            let outcome = try await SignOutScene.signOut(store, epoch)
            let hashes = [
                Fixture.record().tokenHash, SignOutScene.tablet.tokenHash, SignOutScene.nextHash,
            ]
            #expect(outcome.player == mine)
            #expect(Set(outcome.endedTokens) == Set(hashes))
            for hash in hashes { #expect(try await store.device(withTokenHash: hash) == nil) }
            #expect(try await store.devices(of: mine).isEmpty)
            #expect(try await SignOutScene.owners(store) == [[], [], [others], [others]])
            #expect(try await SignOutScene.actions(store) == [SignOutScene.call.action])
            let left = try await store.device(withTokenHash: [UInt8](repeating: 2, count: 32))
            #expect(left?.key.player == others)
        }
    }

    @Test("the recovery code goes on, and lets the player back in", arguments: StoreKind.allCases)
    func recovered(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await SignOutScene.fill(store, epoch)
            _ = try await SignOutScene.signOut(store, epoch)
            let phone = DeviceID("new-phone")
            let outcome = try await store.change(
                .recover(
                    code: [UInt8](repeating: 9, count: 32), phone,
                    tokenHash: [UInt8](repeating: 5, count: 32), at: Fixture.noon),
                keeping: nil, epoch: epoch)
            #expect(outcome.player == Fixture.player)
            #expect(try await store.devices(of: Fixture.player).map(\.key.device) == [phone])
        }
    }

    @Test("a second time it changes nothing but the log", arguments: StoreKind.allCases)
    func twice(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await SignOutScene.fill(store, epoch)
            _ = try await SignOutScene.signOut(store, epoch)
            #expect(try await SignOutScene.signOut(store, epoch).endedTokens.isEmpty)
            #expect(try await SignOutScene.actions(store).count == 2)
        }
    }

    @Test(
        "an unknown player is refused, and so is another server; neither has a row",
        arguments: StoreKind.allCases)
    func refused(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await SignOutScene.fill(store, epoch)
            let nobody = PlayerID("nobody")
            await #expect(throws: StoreError.account(.unknownPlayer(nobody))) {
                _ = try await SignOutScene.signOut(store, epoch, nobody)
            }
            let newer = try await store.takeOwnership()
            await #expect(throws: StoreError.notTheOwner) {
                _ = try await SignOutScene.signOut(store, epoch)
            }
            #expect(try await store.devices(of: Fixture.player).count == 2)
            #expect(try await SignOutScene.actions(store).isEmpty)
            _ = try await SignOutScene.signOut(store, newer)
        }
    }

    @Test(
        "the push tokens of a device that has been signed out are not registered",
        arguments: StoreKind.allCases)
    func tooLate(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await SignOutScene.fill(store, epoch)
            let tablet = SignOutScene.tablet.key.device
            await #expect(throws: StoreError.account(.deviceExists(tablet))) {
                _ = try await store.put(
                    Fixture.device(tablet.rawValue, token: "aa"), by: .unnamed, amongAtMost: 8,
                    epoch: epoch)
            }
            _ = try await SignOutScene.signOut(store, epoch)
            await #expect(throws: StoreError.account(.unknownDevice)) {
                _ = try await store.put(
                    Fixture.device(token: "aa"), by: .unnamed, amongAtMost: 8, epoch: epoch)
            }
            await #expect(throws: StoreError.account(.unknownDevice)) {
                _ = try await store.put(
                    SignOutScene.widget(of: Fixture.player, token: "aaee"), by: .unnamed,
                    amongAtMost: 8, epoch: epoch)
            }
            let others = SignOutScene.other
            await #expect(throws: StoreError.account(.unknownDevice)) {
                _ = try await store.put(
                    Fixture.device(of: others, token: "bb"), by: tablet, amongAtMost: 8,
                    epoch: epoch)
            }
            #expect(try await SignOutScene.owners(store) == [[], [], [others], [others]])
        }
    }

    @Test("PR10: the token of a damaged row ends too")
    func damaged() async throws {
        let folder = try TemporaryFolder()
        let first = try await SQLiteStore.open(path: folder.file)
        try await SignOutScene.fill(first, try await first.takeOwnership())
        await first.close()
        try Database(path: folder.file, access: .readWrite).execute(
            "UPDATE devices SET created_at = 1 WHERE device = 'tablet'")
        let store = try await SQLiteStore.open(path: folder.file)
        let epoch = try await store.takeOwnership()
        await #expect(throws: StoreError.self) { _ = try await store.devices(of: Fixture.player) }
        let outcome = try await SignOutScene.signOut(store, epoch)
        #expect(outcome.endedTokens.count == 3)
        #expect(try await store.devices(of: Fixture.player).isEmpty)
        await store.close()
    }
}
