import Content
import GameLogic
import PushPolicy

@testable import PartyStore

/// Tests with a folder of their own, a file in it and an empty database.
protocol MoveSuite {
    var scene: MoveScene { get }
}

extension MoveSuite {
    var folder: TemporaryFolder { scene.folder }
    var file: GamePlace { scene.file }
    var database: GamePlace { scene.database }
    /// Another file, for the way back.
    var back: GamePlace { .file(folder.file + ".back") }

    static var interruption: StoreError { .unavailable("interrupted by the test") }

    @discardableResult
    func move(
        _ source: GamePlace, _ target: GamePlace, damaged: GameMove.Damaged = .refused,
        onNote: @escaping @Sendable (GameMove.Note) throws(StoreError) -> Void = { _ in }
    ) async throws -> GameMove.Report? {
        try await GameMove().run(from: source, to: target, damaged: damaged, onNote: onNote)
    }

    /// Returns why a server cannot use a game; `nil`: it can.
    func refusal(of place: GamePlace) async -> String? {
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
            if case .database(let address) = place {
                try Self.run("DELETE FROM node", on: address)
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Changes a database behind the back of a move.
    static func run(_ script: String, on address: PostgreSQLAddress) throws(StoreError) {
        do throws(SQLFailure) {
            try PostgreSQLLink(address).run(script: script)
        } catch {
            throw error.storeError
        }
    }
}

struct MoveScene {
    let folder: TemporaryFolder
    let file: GamePlace
    let database: GamePlace

    init() throws {
        folder = try TemporaryFolder()
        file = .file(folder.file)
        database = .database(try folder.schema())
    }
}

/// A game with a row in every table, for moves.
enum MovedGame {
    /// How many changes the journal has beyond the first three.
    static let changes = 150

    /// Plays in a new store, and closes it.
    static func make(_ kind: StoreKind, in folder: TemporaryFolder) async throws {
        let store = try await kind.open(in: folder)
        let epoch = try await store.takeOwnership()
        let joined = try await Fixture.party("p", in: store, epoch: epoch)
        var last = try Fixture.next(joined, .start(seed: 7, EmbeddedPacks.classic, Departure()))
        try await store.commit(last, epoch: epoch)
        for second in 1...changes {
            last = Fixture.advanced(
                last, to: GameTime(milliseconds: Int64(second) * 1000),
                when: Fixture.noon.adding(seconds: Int64(second)))
            try await store.commit(last, epoch: epoch)
        }
        let cut = Fixture.noon.adding(seconds: 100)
        _ = try await store.foldJournal(before: cut, rows: 1000, epoch: epoch)
        let watched = Fixture.touched(
            last, activities: [Fixture.activity("activity-1", party: "p")])
        try await store.commit(watched, epoch: epoch)
        let letter = PartyLetter(
            to: PartyID("p"), ActivityID("activity-1"), .isInState(.stale), number: 1)
        try await store.send([letter], keeping: nil, epoch: epoch)
        // All rows of the log are removed: their numbers must not come back.
        for _ in 0..<3 { try await store.append([call], epoch: epoch) }
        _ = try await store.trimAudit(
            before: Fixture.noon.adding(seconds: 3600), rows: 10, epoch: epoch)
        for table in try MovedTable.all() {
            _ = try await store.asOwner(epoch) { session in
                guard let session = session as? any MoveSession else { return 0 }
                if try session.reader(of: table)(1).isEmpty {
                    try session.insert([row(table)], into: table, from: 1)
                }
                return 0
            }
        }
        await store.close()
        if kind == .postgreSQL { try stopServers(of: folder.schema()) }
    }

    /// Ends the leases of servers that were not stopped in order.
    static func stopServers(of address: PostgreSQLAddress) throws {
        try MoveTests.run("DELETE FROM node", on: address)
    }

    /// Lets the leases of servers last, however slow the machine is.
    static func keepLeases(of address: PostgreSQLAddress) throws {
        try MoveTests.run("UPDATE node SET until = until + 3600000", on: address)
    }

    static let call = AuditRecord(
        caller: nil, action: "GET /v1/admin/audit", target: nil, status: 200,
        at: Fixture.noon)

    /// Returns a row that refers to the player or the hero that there is.
    private static func row(_ table: MovedTable) -> MovedRow {
        if table.name == "start_devices" {
            return MovedRow(values: StartDeviceRow(Fixture.device()).values)
        }
        var values = table.columns.map { column -> SQLValue in
            switch column.kind {
            case .number: .integer(1)
            case .text: .text(column.name == "hero" ? "hero-1" : "player-1")
            case .bytes: .blob([UInt8](repeating: 7, count: 32))
            }
        }
        guard table.columns.last?.name == "crc" else { return MovedRow(values: values) }
        let hashed = table.columns.filter { $0.name != "id" || table.name != DataRow.audit }
        values[values.count - 1] = .integer(
            DataRow(
                table: table.name,
                keys: hashed.filter { $0.kind == .text }.map { _ in "player-1" },
                numbers: hashed.filter { $0.kind == .number }.dropLast().map { _ in 1 },
                data: [UInt8](repeating: 7, count: 32)
            ).checksumValue)
        return MovedRow(values: values)
    }

    /// Returns all rows of a game as text, in an order that does not depend on the store.
    static func rows(_ place: GamePlace) throws -> [String] {
        let session: any MoveSession =
            switch place {
            case .file(let path): try Database(path: path, access: .untouched)
            case .database(let address): try PostgreSQLSession(address)
            }
        var texts: [String] = []
        try session.reading {
            for table in try MovedTable.all() {
                try session.eachBlock(of: table) { rows in
                    texts += rows.map { "\(table.name): \($0.values)" }
                }
            }
        }
        return texts.sorted()
    }
}
