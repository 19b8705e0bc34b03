import Content
import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

@Suite("Adventure packs in the store")
struct PackContractTests {
    /// The pie, with one text of its file replaced by another.
    private static func pie(
        replacing old: String = "", by new: String = ""
    ) throws -> PackDocument {
        let file = String(
            decoding: try #require(EmbeddedPacks.file(named: "stolen-pie")), as: UTF8.self)
        let json = old.isEmpty ? file : file.replacing(old, with: new, maxReplacements: 1)
        return try PackDocument(json: Array(json.utf8))
    }

    @Test(
        "a version's rules never change; its words and its status do", arguments: StoreKind.allCases
    )
    func versions(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let first = PackRecord(try Self.pie(), status: .published)
            let said = PackRecord(
                try Self.pie(replacing: "Six minutes", by: "Five minutes"), status: .retired)
            let ruled = PackRecord(
                try Self.pie(replacing: "\"exp\": 20", by: "\"exp\": 21"), status: .published)
            #expect(said.rules == first.rules && ruled.rules != first.rules)
            for (pack, expected) in [
                (first, PackPut.written), (said, .written), (ruled, .otherRules),
            ] {
                let put = try await store.put(pack, amongAtMost: 1, as: nil, epoch: epoch)
                #expect(put == expected)
            }
            #expect(try await store.packs() == [said])
            let second = PackRecord(
                try Self.pie(replacing: "\"version\": 2", by: "\"version\": 3"), status: .draft)
            let late = try await store.put(second, amongAtMost: 1, as: nil, epoch: epoch)
            #expect(late == .noRoom)
            #expect(try await store.add([first, ruled, second], epoch: epoch) == [ruled.reference])
            #expect(try await store.packs() == [said, second])
        }
    }

    @Test("PR9: a server that knows its packs writes none, and mends a damaged one")
    func known() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(path: folder.file)
        let pack = PackRecord(try Self.pie(), status: .published)
        let epoch = try await store.takeOwnership()
        #expect(try await store.add([pack], epoch: epoch) == [])
        // A write would fail, because this epoch owns nothing.
        let none = Epoch(number: 0)
        #expect(try await store.add([pack], epoch: none) == [])
        _ = try await store.writer.submit { database in
            try database.run("UPDATE packs SET crc = crc + 1")
            return 0
        }
        await #expect(throws: StoreError.notTheOwner) { try await store.add([pack], epoch: none) }
        #expect(try await store.add([pack], epoch: epoch) == [])
        #expect(try await store.packs() == [pack])
        await store.close()
    }

    @Test(
        "a pack and the game master's call are written together, or neither is",
        arguments: StoreKind.allCases)
    func audited(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let call = AuditRecord(
                caller: nil, action: "put", target: nil, status: 200, at: Fixture.noon)
            let pack = PackRecord(try Self.pie(), status: .published)
            _ = try await store.put(pack, amongAtMost: 0, as: call, epoch: epoch)
            #expect(try await store.auditLog(before: nil, limit: 9).calls.isEmpty)
            _ = try await store.put(pack, amongAtMost: 1, as: call, epoch: epoch)
            #expect(try await store.auditLog(before: nil, limit: 9).calls.map(\.call) == [call])
        }
    }

    @Test(
        "a version is retired with the words that it has, and the call is written with it",
        arguments: StoreKind.allCases)
    func retired(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let call = AuditRecord(
                caller: nil, action: "delete", target: nil, status: 200, at: Fixture.noon)
            let pack = PackRecord(
                try Self.pie(replacing: "Six minutes", by: "Five minutes"), status: .published)
            #expect(try await !store.retire(pack.reference, as: call, epoch: epoch))
            #expect(try await store.auditLog(before: nil, limit: 9).calls.isEmpty)
            _ = try await store.put(pack, amongAtMost: 1, as: nil, epoch: epoch)
            #expect(try await store.retire(pack.reference, as: call, epoch: epoch))
            #expect(try await store.pack(pack.reference) == pack.retired)
            let calls = try await store.auditLog(before: nil, limit: 9).calls
            #expect(calls.map(\.call) == [call])
        }
    }

    @Test(
        "200 masters put one version with different rules at once: one of them has it",
        arguments: StoreKind.allCases)
    func atOnce(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let written = try await withThrowingTaskGroup(of: PackPut.self) { group in
                for exp in 100..<300 {
                    group.addTask {
                        let pack = PackRecord(
                            try Self.pie(replacing: "\"exp\": 20", by: "\"exp\": \(exp)"),
                            status: .published)
                        return try await store.put(pack, amongAtMost: 9, as: nil, epoch: epoch)
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 == .written ? 1 : 0 }
            }
            #expect(written == 1)
            #expect(try await store.packs().count == 1)
        }
    }

    /// A party on the pie's adventure, up to its boss.
    private static func playing(
        _ pie: PackDocument, _ store: any Store, epoch: Epoch
    ) async throws -> PartyCommit {
        _ = try await store.put(
            PackRecord(pie, status: .published), amongAtMost: 1, as: nil, epoch: epoch)
        let joined = try await Fixture.party("p", in: store, epoch: epoch)
        var commit = try Fixture.next(joined, .start(seed: 3, pie.pack))
        try await store.commit(commit, epoch: epoch)
        for seconds in stride(from: 60, through: 240, by: 60) {
            commit = Fixture.advanced(commit, to: .seconds(Int64(seconds)))
            try await store.commit(commit, epoch: epoch)
        }
        return commit
    }

    @Test("a party's adventure and its journal keep their pack, also for who opens the file anew")
    func restored() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(path: folder.file)
        let commit = try await Self.playing(
            try Self.pie(), store, epoch: try await store.takeOwnership())
        await store.close()
        let reader = try await SQLiteStore.openReadOnly(path: folder.file)
        let stored = try #require(try await reader.party(commit.stored.id))
        #expect(stored == commit.stored)
        #expect(stored.party.adventure?.pack.reference.id == "stolen-pie")
        let events = try await reader.events(of: stored.id, after: 0, limit: 100)
        #expect(events.contains { "\($0.event.kind)".contains("stolen-pie/2.magpie") })
        let history = try #require(try await reader.history(of: stored.id))
        let (party, _) = try Party.replay(
            from: history.start ?? Party(id: stored.id),
            commands: history.commands.map { ($0.command, $0.time) },
            through: stored.party.adventure?.advancedTo)
        #expect(party == stored.party)
        await reader.close()
    }

    @Test("PR10: without its pack a party is frozen; every other is served")
    func missing() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(path: folder.file)
        let pie = try Self.pie(replacing: "\"version\": 2", by: "\"version\": 99")
        let commit = try await Self.playing(pie, store, epoch: try await store.takeOwnership())
        await store.close()
        try Database(path: folder.file, access: .readWrite).execute("DELETE FROM packs")
        let reader = try await SQLiteStore.openReadOnly(path: folder.file)
        let error = await #expect(throws: StoreError.self) {
            _ = try await reader.party(commit.stored.id)
        }
        #expect("\(try #require(error))".contains("the file has no pack stolen-pie/99"))
        await reader.close()
    }
}
