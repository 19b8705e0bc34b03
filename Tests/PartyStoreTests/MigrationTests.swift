import Foundation
import GameLogic
import Isolation
import PushPolicy
import Testing

@testable import PartyStore

@Suite("Migration of older files")
struct MigrationTests {
    private let folder: TemporaryFolder

    /// What a file holds, apart from the keys that a migration draws.
    private struct Contents: Equatable {
        var parties: [StoredParty?] = []
        var events: [[LoggedEvent]] = []
        var commands: [[LoggedCommand]] = []
        var decisions: [[LoggedDecision]] = []
        var heroes: [Hero?] = []
        var homes: [PartyID?] = []
        var devices: [StartDevice] = []
        var tokens: [ProviderTokenRecord] = []
        var channels: [ChannelRecord] = []
    }

    init() throws {
        folder = try TemporaryFolder()
        let fixture = try #require(
            Bundle.module.url(forResource: "schema6", withExtension: "db", subdirectory: "Fixtures")
        )
        try FileManager.default.copyItem(at: fixture, to: URL(fileURLWithPath: folder.file))
    }

    private func raw(_ sql: String) throws {
        try Database(path: folder.file, access: .readWrite).execute(sql)
    }

    private func names(_ database: any SQLSession) throws -> [String] {
        try database.rows("SELECT id FROM parties ORDER BY id") { $0.text(0) }
    }

    /// Migrates, and reads all that there is.
    private func migrated() async throws -> Contents {
        let store = try await SQLiteStore.open(path: folder.file)
        _ = try await store.takeOwnership()
        let contents = try await contents(of: store)
        #expect(try await store.check() == [])
        await store.close()
        return contents
    }

    private func contents(of store: SQLiteStore) async throws -> Contents {
        var contents = Contents()
        for name in try await store.read({ try names($0) }) {
            let party = PartyID(name)
            contents.parties.append(try await store.party(party).map(Self.withoutKey))
            contents.events.append(try await store.events(of: party, after: 0, limit: 10_000))
            contents.commands.append(try await store.history(of: party)?.commands ?? [])
            contents.decisions.append(
                try await store.decisions(of: party, activity: nil, after: 0, limit: 10_000))
        }
        for number in 1...8 {
            contents.heroes.append(try await store.hero(HeroID("hero-\(number)")))
            contents.homes.append(try await store.party(of: HeroID("hero-\(number)")))
        }
        let players = (1...6).map { PlayerID("player-\($0)") }
        contents.devices = try await store.startDevices(of: players).map(\.unversioned)
        contents.tokens = try await store.providerTokens()
        contents.channels = try await store.channels(in: .sandbox)
        return contents
    }

    private static func withoutKey(_ stored: StoredParty) -> StoredParty {
        StoredParty(
            key: PartyKey(number: 1), version: stored.version, party: stored.party,
            clock: stored.clock, activities: stored.activities, inviteCode: stored.inviteCode,
            createdAt: stored.createdAt)
    }

    @Test("an older file can be read by nobody before a server has brought it up to date")
    func refused() async throws {
        let store = try await SQLiteStore.open(path: folder.file)
        await #expect {
            _ = try await store.parties(after: nil, limit: 1)
        } throws: { error in
            guard case StoreError.broken(let text) = error else { return false }
            return text.contains("start `rangers serve` on it once")
        }
        await store.close()
        let version = try Database(path: folder.file, access: .readOnly)
            .integer("PRAGMA user_version")
        #expect(version == 6)
    }

    @Test("all logs of an older file are there after the migration, in their order")
    func logs() async throws {
        let old = try Database(path: folder.file, access: .readOnly)
        let events = try old.rows("SELECT json, at FROM events ORDER BY party, sequence") {
            (json: $0.bytes(0), at: $0.integer(1))
        }
        let commands = try old.rows("SELECT json FROM commands ORDER BY party, version") {
            $0.bytes(0)
        }
        let decisions = try old.rows(
            "SELECT json FROM decisions ORDER BY party, sequence, activity"
        ) { $0.bytes(0) }
        let contents = try await migrated()
        #expect(
            contents.events.flatMap(\.self)
                == (try events.map {
                    LoggedEvent(
                        event: try LegacyJSON.event($0.json), at: WallTime(milliseconds: $0.at))
                }))
        #expect(contents.commands.flatMap(\.self) == (try commands.map(LegacyJSON.command)))
        let wanted = try decisions.map(LegacyJSON.decision)
        let found = contents.decisions.flatMap(\.self)
        #expect(found.map(\.rule) == wanted.map(\.rule))
        #expect(found.map(\.sequence) == wanted.map(\.decision.sequence))
        #expect(found.map(\.activity) == wanted.map(\.decision.activity))
        #expect(found.map(\.disposition) == wanted.map(\.decision.disposition))
    }

    @Test("all parties, heroes, devices, tokens and channels are there after the migration")
    func values() async throws {
        let old = try Database(path: folder.file, access: .readOnly)
        let parties = try old.rows("SELECT party FROM parties ORDER BY id") { $0.bytes(0) }
        let outboxes = try old.rows("SELECT outbox FROM parties ORDER BY id") { $0.bytes(0) }
        let heroes = try old.rows("SELECT json FROM heroes ORDER BY id") { $0.bytes(0) }
        let tokens = try old.rows("SELECT json FROM provider_tokens ORDER BY team, key") {
            $0.bytes(0)
        }
        let contents = try await migrated()
        #expect(contents.parties.map { $0?.party } == (try parties.map(LegacyJSON.party)))
        #expect(
            contents.parties.map { $0?.activities.compactMap(\.outbox) ?? [] }
                == (try outboxes.map(LegacyJSON.outboxes)))
        #expect(contents.heroes == (try heroes.map(LegacyJSON.hero)))
        #expect(contents.tokens == (try tokens.map(LegacyJSON.providerToken)))
        #expect(contents.devices.count == 3)
        #expect(contents.channels.count == 1)
        #expect(contents.homes.count == 8 && contents.homes.allSatisfy { $0 != nil })
    }

    @Test("an operator hears that a file is being brought up to date, and when it is")
    func progress() async throws {
        let events = Locked<[StoreEvent]>([])
        let store = try await SQLiteStore.open(path: folder.file) { event in
            events.withLock { $0.append(event) }
        }
        let parties = try names(Database(path: folder.file, access: .readOnly)).count
        _ = try await store.takeOwnership()
        #expect(events.withLock { $0 } == [.migrating(partiesLeft: parties), .migrated])
        await store.close()
    }

    @Test("PR2: a migrated journal, played again, gives the stored parties")
    func replay() async throws {
        let store = try await SQLiteStore.open(path: folder.file)
        let epoch = try await store.takeOwnership()
        let folded = try await store.foldJournal(
            before: WallTime(milliseconds: .max), rows: 10_000, epoch: epoch)
        #expect(folded > 0)
        for stored in try await store.parties(after: nil, limit: 100) {
            let history = try #require(try await store.history(of: stored.id))
            #expect(history.events.isEmpty && history.commands.isEmpty)
            var party = history.start ?? Party(id: stored.id)
            _ = party.advance(to: stored.party.adventure?.advancedTo ?? .zero)
            #expect(party == stored.party)
        }
        await store.close()
    }

    @Test("PR1: a migration that is stopped after any transaction goes on, and loses nothing")
    func interrupted() async throws {
        let whole = try await MigrationTests().migrated()
        var stops = 0
        var progress = Migration.Progress.goesOn
        while progress == .goesOn {
            // Each round is a start of the server: it takes one step, and is killed.
            let database = try Database(path: folder.file, access: .readWrite)
            try database.execute("PRAGMA foreign_keys = OFF")
            try database.begin()
            try Migration(database).begin()
            _ = try database.takeOwnership()
            try database.commit()
            try database.begin()
            progress = try Migration(database).step(rows: 3)
            try database.commit()
            stops += 1
        }
        #expect(stops > 20)
        #expect(try await migrated() == whole)
    }

    @Test("PR2: an older server writes nothing once a migration has begun")
    func olderServer() async throws {
        let database = try Database(path: folder.file, access: .readWrite)
        try database.begin()
        try Migration(database).begin()
        try database.commit()
        #expect(throws: SQLFailure.self) { try raw("UPDATE parties SET outbox = ''") }
        let store = try await SQLiteStore.open(path: folder.file)
        await #expect(throws: StoreError.self) {
            _ = try await store.parties(after: nil, limit: 1)
        }
        await store.close()
    }

    @Test("PR10: a party that was damaged stays frozen, the others are served")
    func damagedParty() async throws {
        try raw(
            "UPDATE parties SET party = replace(party, 'hero-6', 'hero-9') WHERE id = 'party-road'")
        let store = try await SQLiteStore.open(path: folder.file)
        _ = try await store.takeOwnership()
        await #expect {
            _ = try await store.party(PartyID("party-road"))
        } throws: { error in
            guard case StoreError.corrupt(PartyID("party-road"), _) = error else { return false }
            return true
        }
        #expect(try await store.parties(after: nil, limit: 10).count == 3)
        #expect(try await store.check().count == 1)
        await store.close()
    }

    @Test(
        "PR10: damaged rows of every other table are refused as before",
        arguments: [
            "heroes", "activities", "events", "commands", "decisions", "provider_tokens",
            "channels",
        ])
    func damagedRow(table: String) async throws {
        try raw("UPDATE \(table) SET json = json || ' '")
        let store = try await SQLiteStore.open(path: folder.file)
        _ = try await store.takeOwnership()
        #expect(try await !store.check().isEmpty)
        await store.close()
    }

    @Test("the schemas before are brought up to date too", arguments: 1..<OldSchema.steps.count)
    func older(version: Int) async throws {
        let folder = try TemporaryFolder()
        let old = try Database(path: folder.file, access: .readWrite)
        try OldSchema.complete(old, upTo: version)
        try old.execute("UPDATE ownership SET epoch = 41")
        let store = try await SQLiteStore.open(path: folder.file)
        #expect(try await store.takeOwnership().number == 42)
        #expect(try await store.check().isEmpty)
        await store.close()
    }
}
