import Foundation
import GameLogic
import Isolation
import PushPolicy
import Testing

@testable import PartyStore

/// `rangers migrate`: a game moves from a file to a database and back.
@Suite("Moving a game")
struct MoveTests: MoveSuite {
    let scene: MoveScene

    init() throws { scene = try MoveScene() }

    // MARK: What arrives

    @Test("PR1: both ways, each row of each table arrives byte by byte")
    func bothWays() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        let rows = try MovedGame.rows(file)
        let names = Set(rows.map { String($0.prefix { $0 != ":" }) })
        let tables = Set(try MovedTable.all().map(\.name))
        #expect(names == tables)
        #expect(tables.count >= 40)
        let report = try #require(try await move(file, database))
        #expect(report.tables.reduce(0) { $0 + $1.rows } == Int64(rows.count))
        #expect(report.faultCount == 0)
        #expect(try MovedGame.rows(database) == rows)
        try await move(database, back)
        #expect(try MovedGame.rows(back) == rows)
        let check = try await SQLiteStore.report(onFile: folder.file + ".back")
        // Some rows are not those of a game that was played.
        #expect(!check.problems.contains { $0.contains("checksum") || $0.contains("missing") })
    }

    @Test("numbers that a store gives by itself go on in the other")
    func numbers() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        let before = try Database(path: folder.file, access: .untouched).epoch()
        let played = try await SQLiteStore.openReadOnly(path: folder.file)
        let last = try await played.clockRecord().newest
        await played.close()
        #expect(last != nil)
        try await move(file, database)
        let store = try await StoreKind.postgreSQL.open(in: folder)
        var epoch = try await store.takeOwnership()
        #expect(epoch.number > before)
        try await store.append([MovedGame.call], epoch: epoch)
        #expect(try await store.auditLog(before: nil, limit: 9).calls.map(\.number) == [4])
        let newest = try await store.clockRecord().newest
        #expect(newest == last)
        let player = PlayerID("player-2")
        for number in 1...3 { try await store.keep(request(number, of: player), epoch: epoch) }
        await store.close()
        try MovedGame.stopServers(of: folder.schema())

        try await move(database, back)
        let path = folder.file + ".back"
        let again = try await SQLiteStore.open(path: path)
        let later = try await again.takeOwnership()
        #expect(later > epoch)
        epoch = later
        try await again.append([MovedGame.call], epoch: epoch)
        #expect(try await again.auditLog(before: nil, limit: 9).calls.map(\.number) == [5, 4])
        #expect(try await again.clockRecord().newest == newest)
        await again.close()
        let requests = try Database(path: path, access: .untouched).rows(
            "SELECT key FROM requests WHERE player = 'player-2' ORDER BY id"
        ) { $0.text(0) }
        #expect(requests == ["key-1", "key-2", "key-3"])
    }

    private func request(_ number: Int, of player: PlayerID) -> KeptRequest {
        KeptRequest(
            key: RequestKey(player: player, key: "key-\(number)", request: "r"), status: 200,
            object: .nothing, at: Fixture.noon)
    }

    // MARK: Interruptions

    @Test(
        "PR1: interrupted at every block and repeated, a move loses nothing, and never are both served",
        arguments: StoreKind.allCases)
    func interrupted(kind: StoreKind) async throws {
        try await MovedGame.make(kind, in: folder)
        let (source, target) = kind == .sqlite ? (file, database) : (database, back)
        let rows = try MovedGame.rows(source)
        var (attempts, steps) = (0, Set<GameMove.Note.Step>())
        while let step = try await interrupted(source, target, after: attempts) {
            // Of the many blocks of one step, each tenth is looked at.
            if steps.insert(step).inserted || attempts.isMultiple(of: 10) {
                #expect((await refusal(of: source) == nil) == (step != .finishing))
                #expect(await refusal(of: target)?.contains("unfinished target") == true)
            }
            attempts += 1
        }
        #expect(steps.count == 5)
        #expect(attempts > 80)
        #expect(try MovedGame.rows(target) == rows)
        #expect(await refusal(of: source)?.contains("was moved to") == true)
        #expect(await refusal(of: target) == nil)
        #expect(try await move(source, target) == nil)
    }

    /// Interrupts a move after some notes. Returns the step; `nil`: the move came to its end.
    private func interrupted(
        _ source: GamePlace, _ target: GamePlace, after notes: Int
    ) async throws -> GameMove.Note.Step? {
        let (left, last) = (Locked(notes), Locked<GameMove.Note.Step?>(nil))
        do {
            try await move(source, target) { note throws(StoreError) in
                last.withLock { $0 = note.step }
                let isOver = left.withLock { left in
                    left -= 1
                    return left < 0
                }
                if isOver { throw Self.interruption }
            }
            return nil
        } catch let error as StoreError {
            try #require("\(error)".contains("interrupted by the test"))
            let step = last.withLock { $0 }
            #expect("\(error)".contains("is marked as moved") == (step == .finishing))
            return step
        }
    }

    @Test("a source that was played since an interrupted move is moved as it is now")
    func playedSince() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        await #expect(throws: Self.interruption) {
            try await move(file, database) { note throws(StoreError) in
                if note.step == .comparing { throw Self.interruption }
            }
        }
        let store = try await SQLiteStore.open(path: folder.file)
        let epoch = try await store.takeOwnership()
        try await store.commit(Fixture.newParty("q"), epoch: epoch)
        await store.close()
        let rows = try MovedGame.rows(file)
        try await move(file, database)
        #expect(try MovedGame.rows(database) == rows)
    }

    @Test(
        "PR1: a target that differs from its source is found, and neither is lost",
        arguments: [
            ("UPDATE parties SET crc = crc + 1", "parties has other rows there"),
            ("DELETE FROM journal", "rows, and 0 there"),
        ])
    func differs(change: String, words: String) async throws {
        try await MovedGame.make(.sqlite, in: folder)
        let address = try folder.schema()
        let error = await #expect(throws: StoreError.self) {
            try await move(file, database) { note throws(StoreError) in
                guard note.step == .comparing, note.table == nil else { return }
                try Self.run(change, on: address)
            }
        }
        #expect(error.map { "\($0)".contains(words) } == true, "\(error as Any)")
        #expect(await refusal(of: database) != nil)
        #expect(await refusal(of: file) == nil)
    }

    @Test("a copy is opened only by the run that made it")
    func otherRun() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        try await move(file, database)
        let mark = MoveMark(role: .target, other: "\(file)", run: 1)
        try mark.write(to: try PostgreSQLSession(folder.schema()))
        let error = await #expect(throws: StoreError.self) { try await move(file, database) }
        #expect(error.map { "\($0)".contains("was moved to") } == true)
        #expect(await refusal(of: database)?.contains("unfinished target") == true)
    }

    @Test("a run that copies ends when a later one takes its target, and writes nothing more there")
    func laterRun() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        let address = try folder.schema()
        let error = await #expect(throws: StoreError.self) {
            try await move(file, database) { note throws(StoreError) in
                guard note.table == "players" else { return }
                try Self.run("UPDATE store_move SET run = 1", on: address)
            }
        }
        #expect(error.map { "\($0)".contains("another `rangers migrate` has taken over") } == true)
        let tables = Set(try MovedGame.rows(database).map { $0.prefix { $0 != ":" } })
        #expect(tables == ["players"])
    }

    // MARK: Servers

    @Test("a source or a target with a server is refused, and both are as before")
    func served() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        let store = try await SQLiteStore.open(path: folder.file)
        await #expect(throws: StoreError.unavailable("a server uses \(folder.file): stop it first"))
        {
            try await move(file, database)
        }
        await store.close()
        try await move(file, database)

        let server = try await StoreKind.postgreSQL.open(in: folder)
        let epoch = try await server.takeOwnership()
        try MovedGame.keepLeases(of: folder.schema())
        let error = await #expect(throws: StoreError.self) { try await move(database, back) }
        #expect(error.map { "\($0)".contains("servers use the database (1)") } == true)
        try await server.commit(Fixture.newParty("late"), epoch: epoch)
        await server.close()
    }

    @Test("no server begins on a source while it is moved", arguments: StoreKind.allCases)
    func locked(kind: StoreKind) async throws {
        try await MovedGame.make(kind, in: folder)
        let (source, target) = kind == .sqlite ? (file, database) : (database, back)
        let (address, path) = (try folder.schema(), folder.file)
        try await move(source, target) { note throws(StoreError) in
            guard note.table == nil else { return }
            switch (kind, note.step) {
            case (_, .finishing): return
            case (.sqlite, _):
                #expect(throws: StoreError.self) { try FileLock(path, .shared) }
            case (.postgreSQL, _):
                #expect(throws: SQLFailure.self) {
                    try PostgreSQLLink(address).run(
                        script: "SELECT epoch FROM cluster WHERE id = 1 FOR UPDATE NOWAIT")
                }
            }
        }
    }

    @Test("a server whose lease had ended writes nothing more to a database that was moved")
    func fenced() async throws {
        try await MovedGame.make(.postgreSQL, in: folder)
        let store = try await StoreKind.postgreSQL.open(in: folder)
        let epoch = try await store.takeOwnership()
        try Self.run("UPDATE node SET until = 0", on: folder.schema())
        try await move(database, back)
        await #expect(throws: StoreError.notTheOwner) {
            try await store.commit(Fixture.newParty("late"), epoch: epoch)
        }
        await store.close()
    }

    @Test("a game that was moved away is served again when the move is taken back")
    func cancelled() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        #expect(try await GameMove().cancel(file) == nil)
        try await move(file, database)
        #expect(await refusal(of: file)?.contains("was moved to") == true)
        #expect(try await GameMove().cancel(file) == "\(database)")
        #expect(await refusal(of: file) == nil)
        try await move(database, back)
        #expect(try await GameMove().cancel(database) == "\(back)")
        #expect(await refusal(of: database) == nil)
    }
}
