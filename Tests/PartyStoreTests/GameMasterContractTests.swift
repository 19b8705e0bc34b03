import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

@Suite("Keys and calls of game masters")
struct GameMasterContractTests {
    private static func key(_ name: String, hash: UInt8 = 1) -> AdminKeyRecord {
        AdminKeyRecord(
            holder: GameMaster(name: name, role: .moderator),
            hash: [UInt8](repeating: hash, count: 32), createdAt: Fixture.noon, createdBy: "owner")
    }

    private static func call(_ action: String, at time: WallTime = Fixture.noon) -> AuditRecord {
        AuditRecord(caller: nil, action: action, target: nil, status: 200, at: time)
    }

    private static func actions(_ store: any Store) async throws -> [String] {
        try await store.auditLog(before: nil, limit: 100).calls.map(\.call.action)
    }

    @Test(
        "a key and the call that creates or revokes it are written together, or neither is",
        arguments: StoreKind.allCases)
    func keys(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let put = try await store.insert(
                Self.key("b"), amongAtMost: 2, as: Self.call("create b"), epoch: epoch)
            #expect(put == .written)
            await #expect(throws: StoreError.exists("A key \"b\"")) {
                _ = try await store.insert(
                    Self.key("b"), amongAtMost: 2, as: Self.call("again"), epoch: epoch)
            }
            _ = try await store.insert(
                Self.key("a"), amongAtMost: 2, as: Self.call("create a"), epoch: epoch)
            let late = try await store.insert(
                Self.key("c"), amongAtMost: 2, as: Self.call("create c"), epoch: epoch)
            #expect(late == .noRoom)
            #expect(try await store.adminKeys() == [Self.key("a"), Self.key("b")])
            for expected in [true, false] {
                let isRemoved = try await store.removeAdminKey(
                    named: "a", as: Self.call("revoke a"), epoch: epoch)
                #expect(isRemoved == expected)
            }
            #expect(try await store.adminKeys() == [Self.key("b")])
            #expect(try await Self.actions(store) == ["revoke a", "create a", "create b"])
        }
    }

    @Test(
        "the log pages from the newest call to the oldest, and old calls are trimmed",
        arguments: StoreKind.allCases)
    func pages(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            for second in 0..<5 {
                let time = Fixture.noon.adding(seconds: Int64(second))
                try await store.append([Self.call("call \(second)", at: time)], epoch: epoch)
            }
            let first = try await store.auditLog(before: nil, limit: 3)
            #expect(first.calls.map(\.call.action) == ["call 4", "call 3", "call 2"])
            let second = try await store.auditLog(before: first.next, limit: 3)
            #expect(second.calls.map(\.call.action) == ["call 1", "call 0"])
            #expect(second.next == nil)
            let third = Fixture.noon.adding(seconds: 3)
            var counts: [Int] = []
            for _ in 0..<3 {
                counts.append(try await store.trimAudit(before: third, rows: 2, epoch: epoch))
            }
            #expect(counts == [2, 1, 0])
            #expect(try await Self.actions(store) == ["call 4", "call 3"])
            _ = try await store.trimAudit(
                before: Fixture.noon.adding(seconds: 9), rows: 9, epoch: epoch)
            try await store.append([Self.call("call 5")], epoch: epoch)
            #expect(try await store.auditLog(before: nil, limit: 1).calls.first?.number == 6)
        }
    }

    @Test(
        "a party's change and its call are written together, or neither is",
        arguments: StoreKind.allCases)
    func changes(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            var commit = Fixture.touched(
                try await Fixture.party("p", in: store, epoch: epoch), activities: [])
            commit.calls = [Self.call("boss")]
            try await store.commit(commit, epoch: epoch)
            #expect(try await Self.actions(store) == ["boss"])
            await #expect(throws: StoreError.self) { try await store.commit(commit, epoch: epoch) }
            #expect(try await Self.actions(store) == ["boss"])
        }
    }

    @Test("rows of the log never change")
    func appendOnly() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(path: folder.file)
        let epoch = try await store.takeOwnership()
        try await store.append([Self.call("boss")], epoch: epoch)
        await store.close()
        let database = try Database(path: folder.file, access: .readWrite)
        #expect(throws: SQLFailure.self) { try database.execute("UPDATE audit SET at = 0") }
    }

    @Test(
        "PR10: a damaged key or call is reported and omitted", arguments: ["admin_keys", "audit"])
    func damaged(table: String) async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(path: folder.file)
        let epoch = try await store.takeOwnership()
        _ = try await store.insert(
            Self.key("a"), amongAtMost: 2, as: Self.call("create a"), epoch: epoch)
        await store.close()
        try Database(path: folder.file, access: .readWrite).execute(
            "DROP TRIGGER audit_is_append_only; UPDATE \(table) SET crc = crc + 1")
        let damaged = try await SQLiteStore.open(path: folder.file)
        #expect(try await damaged.check().count == 1)
        let found = try await damaged.adminKeys().count
        let calls = try await Self.actions(damaged).count
        #expect(table == "audit" ? (found, calls) == (1, 0) : (found, calls) == (0, 1))
        await damaged.close()
    }
}
