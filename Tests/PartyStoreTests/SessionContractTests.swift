import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

@Suite("Sessions of game masters in the store")
struct SessionContractTests {
    private static let key = AdminKeyRecord(
        holder: GameMaster(name: "lena", role: .director), hash: [UInt8](repeating: 1, count: 32),
        createdAt: Fixture.noon, createdBy: "owner")

    private static func session(_ id: String, of key: String = "lena") -> SessionRecord {
        SessionRecord(
            id: id, holder: GameMaster(name: key, role: .director), createdAt: Fixture.noon,
            seenAt: Fixture.noon)
    }

    private static func call(_ action: String) -> AuditRecord {
        AuditRecord(
            caller: key.holder, action: action, target: nil, status: 204, at: Fixture.noon)
    }

    private static func insertKey(_ store: any Store, _ epoch: Epoch) async throws {
        _ = try await store.insert(
            key, amongAtMost: 9, as: call("create"), epoch: epoch)
    }

    private static func insert(
        _ id: String, of key: AdminKeyRecord?, removing ended: [String] = [],
        in store: any Store, _ epoch: Epoch
    ) async throws -> Bool {
        try await store.insert(
            session(id, of: key?.holder.name ?? "owner"), of: key, removing: ended,
            as: call("sign in \(id)"), epoch: epoch)
    }

    private static func ids(_ store: any Store) async throws -> [String] {
        try await store.sessions().map(\.id)
    }

    @Test(
        "a session and the call that opens it are written together, in place of ended ones",
        arguments: StoreKind.allCases)
    func opened(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await Self.insertKey(store, epoch)
            #expect(try await Self.insert("a", of: Self.key, in: store, epoch))
            #expect(try await Self.insert("b", of: nil, in: store, epoch))
            #expect(try await Self.insert("c", of: nil, removing: ["a"], in: store, epoch))
            #expect(try await Self.ids(store) == ["b", "c"])
            let log = try await store.auditLog(before: nil, limit: 9).calls.map(\.call.action)
            #expect(log == ["sign in c", "sign in b", "sign in a", "create"])
        }
    }

    @Test(
        "a revoked key takes its sessions along, and opens none afterwards",
        arguments: StoreKind.allCases)
    func revoked(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await Self.insertKey(store, epoch)
            for id in ["a", "b"] {
                #expect(try await Self.insert(id, of: Self.key, in: store, epoch))
            }
            #expect(try await Self.insert("o", of: nil, in: store, epoch))
            _ = try await store.removeAdminKey(
                named: "lena", as: Self.call("revoke"), epoch: epoch)
            #expect(try await Self.ids(store) == ["o"])
            #expect(try await Self.insert("c", of: Self.key, in: store, epoch) == false)
            // Another key with its name is not the same one.
            let other = AdminKeyRecord(
                holder: Self.key.holder, hash: [UInt8](repeating: 2, count: 32),
                createdAt: Fixture.noon, createdBy: "owner")
            _ = try await store.insert(
                other, amongAtMost: 9, as: Self.call("create"), epoch: epoch)
            #expect(try await Self.insert("c", of: Self.key, in: store, epoch) == false)
            #expect(try await Self.ids(store) == ["o"])
        }
    }

    @Test(
        "use is noted of sessions that exist, and brings no ended one back",
        arguments: StoreKind.allCases)
    func used(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            #expect(try await Self.insert("a", of: nil, in: store, epoch))
            var (used, ended) = (Self.session("a", of: "owner"), Self.session("b", of: "owner"))
            used.seenAt = Fixture.noon.adding(seconds: 60)
            ended.seenAt = used.seenAt
            try await store.update([used, ended], removing: [], as: nil, epoch: epoch)
            #expect(try await store.sessions() == [used])
            try await store.update([], removing: ["a"], as: Self.call("sign out"), epoch: epoch)
            #expect(try await store.sessions().isEmpty)
            let log = try await store.auditLog(before: nil, limit: 1).calls.map(\.call.action)
            #expect(log == ["sign out"])
        }
    }

    @Test("PR10: a damaged session is reported and omitted")
    func damaged() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(path: folder.file)
        let epoch = try await store.takeOwnership()
        #expect(try await Self.insert("a", of: nil, in: store, epoch))
        await store.close()
        try Database(path: folder.file, access: .readWrite).execute(
            "UPDATE sessions SET key = 'other'")
        let damaged = try await SQLiteStore.open(path: folder.file)
        #expect(try await damaged.check().count == 1)
        #expect(try await damaged.sessions().isEmpty)
        await damaged.close()
    }
}
