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

    /// Moves a game, and closes both ends.
    @discardableResult
    private func move(
        _ source: GamePlace, _ target: GamePlace, damaged: GameMove.Damaged = .refused,
        onNote: @escaping @Sendable (GameMove.Note) throws(StoreError) -> Void = { _ in }
    ) async throws -> GameMove.Report {
        let move = try GameMove(from: source, to: target, damaged: damaged, onNote: onNote)
        let report = try await move.copy()
        try await move.finish()
        return report
    }

    private var back: GamePlace { .file(folder.file + ".back") }

    /// Returns why a server cannot use a game; `nil`: it can.
    private func refusal(of place: GamePlace) async -> String? {
        do throws(StoreError) {
            let store: any Store =
                switch place {
                case .file(let path): try await SQLiteStore.open(path: path)
                case .database(let address): try await PostgreSQLStore.open(address)
                }
            let owned: Result<Epoch, StoreError>
            do throws(StoreError) {
                owned = .success(try await store.takeOwnership())
            } catch {
                owned = .failure(error)
            }
            await store.close()
            _ = try owned.get()
            return nil
        } catch {
            return "\(error)"
        }
    }

    // MARK: What arrives

    @Test("PR1: both ways, each row of each table arrives byte by byte")
    func bothWays() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        let rows = try MovedGame.rows(file)
        let names = Set(rows.map { String($0.prefix { $0 != ":" }) })
        #expect(names == Set(try MovedTable.all().map(\.name)))
        let report = try await move(file, database)
        #expect(report.tables.reduce(0) { $0 + $1.rows } == Int64(rows.count))
        #expect(report.faultCount == 0)
        #expect(try MovedGame.rows(database) == rows)
        try await move(database, back)
        #expect(try MovedGame.rows(back) == rows)
        let check = try await SQLiteStore.report(onFile: folder.file + ".back")
        // Some rows are not those of a game that was played.
        #expect(!check.problems.contains { $0.contains("checksum") || $0.contains("missing") })
    }

    @Test("each table with a checksum has a check, and there are many")
    func checks() throws {
        let tables = try MovedTable.all()
        let sums = tables.filter { $0.index(of: "crc") != nil }
        #expect(sums.count >= 19)
        #expect(sums.allSatisfy { RowChecks($0).hasChecksums })
        #expect(tables.count >= 40)
        #expect(tables.allSatisfy { !$0.key.isEmpty })
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

    private static let interruption = StoreError.unavailable("interrupted by the test")

    @Test(
        "PR1: interrupted at every point and repeated, a move loses nothing, and never are both served",
        arguments: StoreKind.allCases)
    func interrupted(kind: StoreKind) async throws {
        try await MovedGame.make(kind, in: folder)
        let (source, target) = kind == .sqlite ? (file, database) : (database, back)
        let rows = try MovedGame.rows(source)
        var (attempts, steps) = (0, Set<GameMove.Note.Step>())
        while true {
            let (left, last) = (Locked(attempts), Locked(GameMove.Note.Step.checking))
            do {
                try await move(source, target) { note throws(StoreError) in
                    last.withLock { $0 = note.step }
                    let isOver = left.withLock { left in
                        left -= 1
                        return left < 0
                    }
                    if isOver { throw Self.interruption }
                }
                break
            } catch let error as StoreError {
                try #require("\(error)".contains("interrupted by the test"))
            }
            let step = last.withLock { $0 }
            // Of the many points within one step, each tenth is looked at.
            if steps.insert(step).inserted || attempts.isMultiple(of: 10) {
                if step >= .copying { #expect(await refusal(of: target) != nil) }
                if step == .finishing || kind == .postgreSQL {
                    #expect(await refusal(of: source) != nil)
                }
            }
            attempts += 1
        }
        #expect(steps.count == 5)
        #expect(attempts > 100)
        #expect(try MovedGame.rows(target) == rows)
        #expect(await refusal(of: source)?.contains("was moved to") == true)
        #expect(await refusal(of: target) == nil)
    }

    @Test("a source that was played since an interrupted move is moved from the beginning")
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

    @Test("PR1: a target that differs from its source is found, and neither is lost")
    func differs() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        let address = try folder.schema()
        for change in [
            "UPDATE parties SET crc = crc + 1", "DELETE FROM journal",
        ] {
            let error = await #expect(throws: StoreError.self) {
                try await move(file, database) { note throws(StoreError) in
                    guard note.step == .comparing, note.table == "players", note.rows == 0 else {
                        return
                    }
                    do {
                        try PostgreSQLLink(address).run(script: change)
                    } catch {
                        Issue.record(error)
                    }
                }
            }
            #expect(error.map { "\($0)".contains("the copy differs from") } == true)
            #expect(await refusal(of: database) != nil)
        }
        #expect(await refusal(of: file) == nil)
    }

    @Test("of two runs to one target, the earlier one ends")
    func twoRuns() async throws {
        try await MovedGame.make(.postgreSQL, in: folder)
        let address = try folder.schema()
        let source = try DatabaseSource(address, target: "elsewhere", run: 1)
        try source.claim()
        try DatabaseSource(address, target: "elsewhere", run: 2).claim()
        #expect(throws: MoveMark.takenOver) { try source.leave(for: "elsewhere") }
        try source.release()
        #expect(await refusal(of: database)?.contains("is being moved to elsewhere") == true)
    }

    @Test("a run that copies ends when a later one takes its target, and writes nothing more there")
    func laterRun() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        let (address, source) = (try folder.schema(), "\(file)")
        await #expect(throws: MoveMark.takenOver) {
            try await move(file, database) { note throws(StoreError) in
                guard note.step == .copying, note.table == "players", note.rows == 0 else { return }
                do {
                    // The game was played meanwhile: what is there is removed.
                    let later = try DatabaseTarget(address, run: .max)
                    _ = try later.claim(from: source, game: 1)
                } catch {
                    Issue.record(error)
                }
            }
        }
        #expect(try MovedGame.rows(database).isEmpty)
    }

    // MARK: What is refused

    @Test("a source with a server is not moved, nor one whose target has a game")
    func refused() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        let store = try await SQLiteStore.open(path: folder.file)
        await #expect(throws: StoreError.unavailable("a server uses \(folder.file): stop it first"))
        {
            try await move(file, database)
        }
        await store.close()
        // A server has been here, even if nobody has played.
        let other = try await StoreKind.postgreSQL.open(in: folder)
        _ = try await other.takeOwnership()
        await other.close()
        let error = await #expect(throws: StoreError.self) { try await move(file, database) }
        #expect(error.map { "\($0)".contains("has a game already") } == true)
        #expect(await refusal(of: database) == nil)
        #expect(await refusal(of: file) == nil)
    }

    @Test("an unfinished target takes no other game")
    func otherGame() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        await #expect(throws: Self.interruption) {
            try await move(file, database) { note throws(StoreError) in
                if note.step == .comparing { throw Self.interruption }
            }
        }
        let stranger = try TemporaryFolder()
        try await MovedGame.make(.sqlite, in: stranger)
        let error = await #expect(throws: StoreError.self) {
            try await move(.file(stranger.file), database)
        }
        #expect(error.map { "\($0)".contains("unfinished target") } == true)
    }

    @Test(
        "the running server of a database that is moved writes nothing more, and cannot join again")
    func fenced() async throws {
        try await MovedGame.make(.postgreSQL, in: folder)
        let store = try await StoreKind.postgreSQL.open(in: folder)
        let epoch = try await store.takeOwnership()
        let move = try GameMove(
            from: database, to: back, damaged: .refused
        ) { _ throws(StoreError) in }
        _ = try await move.copy()
        await #expect(throws: StoreError.notTheOwner) {
            try await store.commit(Fixture.newParty("late"), epoch: epoch)
        }
        let refusal = await #expect(throws: StoreError.self) {
            _ = try await store.takeOwnership()
        }
        #expect(refusal.map { "\($0)".contains("is being moved to") } == true)
        // The move is given up: the server may go on.
        try await move.release()
        _ = try await store.takeOwnership()
        await store.close()
    }

    @Test("a game that was moved away is served again when the move is given up")
    func cancelled() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        #expect(try await GameMove.cancel(file) == nil)
        try await move(file, database)
        let refusal = await refusal(of: file)
        #expect(refusal?.contains("was moved to") == true)
        #expect(try await GameMove.cancel(file) == "\(database)")
        #expect(await self.refusal(of: file) == nil)
        try await move(database, back)
        #expect(try await GameMove.cancel(database) == "\(back)")
        #expect(await self.refusal(of: database) == nil)
    }

    // MARK: Damage

    @Test(
        "PR10: a damaged row stops the move and is named, or moves as it is",
        arguments: StoreKind.allCases)
    func damaged(kind: StoreKind) async throws {
        try await MovedGame.make(kind, in: folder)
        let (source, target) = kind == .sqlite ? (file, database) : (database, back)
        switch kind {
        case .sqlite:
            try Database(path: folder.file, access: .readWrite)
                .execute("UPDATE parties SET crc = crc + 1")
        case .postgreSQL:
            try PostgreSQLLink(folder.schema())
                .run(script: "UPDATE parties SET crc = crc + 1")
        }
        let rows = try MovedGame.rows(source)
        let move = try GameMove(
            from: source, to: target, damaged: .refused
        ) { _ throws(StoreError) in }
        let error = await #expect(throws: StoreError.self) { _ = try await move.copy() }
        #expect(error.map { "\($0)".contains("parties p: its checksum") } == true)
        try await move.release()
        #expect(await refusal(of: source) == nil)
        let report = try await self.move(source, target, damaged: .kept)
        #expect(report.faultCount == 1)
        #expect(try MovedGame.rows(target) == rows)
        let store = try await target.openReadOnly()
        let refusal = await #expect(throws: StoreError.self) {
            _ = try await store.party(PartyID("p"))
        }
        guard case .corrupt(PartyID("p"), _)? = refusal else {
            Issue.record("the damaged row is served: \(String(describing: refusal))")
            return await store.close()
        }
        await store.close()
    }

    @Test("PR10: a text that PostgreSQL cannot have is named, and nothing is written")
    func text() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        try Database(path: folder.file, access: .readWrite)
            .execute("INSERT INTO banned_names (folded, name, at) VALUES ('a' || char(0), 'a', 1)")
        let error = await #expect(throws: StoreError.self) {
            try await move(file, database, damaged: .kept)
        }
        #expect(error.map { "\($0)".contains("of banned_names cannot be moved") } == true)
        #expect(await refusal(of: file) == nil)
        #expect(await refusal(of: database)?.contains("unfinished target") == true)
    }
}
