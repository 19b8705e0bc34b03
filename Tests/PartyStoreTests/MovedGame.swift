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
    static let changes = 300

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
        // All rows of the log are removed: their numbers must not come back.
        for _ in 0..<3 { try await store.append([call], epoch: epoch) }
        _ = try await store.trimAudit(
            before: Fixture.noon.adding(seconds: 3600), rows: 10, epoch: epoch)
        for table in try MovedTable.all() {
            _ = try await store.asOwner(epoch) { session in
                guard let session = session as? any MoveSession else { return 0 }
                if try !session.hasRow(in: table) { try session.insert(row(table)) }
                return 0
            }
        }
        await store.close()
    }

    static let call = AuditRecord(
        caller: nil, action: "GET /v1/admin/audit", target: nil, status: 200,
        at: Fixture.noon)

    /// Returns a row that refers to the player or the hero that there is.
    private static func row(_ table: MovedTable) -> RowBlock {
        var block = RowBlock(of: table, key: [MovedTable.Column(name: "rowid", kind: .number)])
        let values = table.columns.map { column -> SQLValue in
            switch column.kind {
            case .number: .integer(1)
            case .text: .text(column.name == "hero" ? "hero-1" : "player-1")
            case .bytes: .blob([UInt8](repeating: 7, count: 32))
            }
        }
        let hashed = table.columns.filter { $0.name != "id" || table.name != DataRow.audit }
        var row = values
        if table.columns.last?.name == "crc" {
            let texts = hashed.count { $0.kind == .text }
            let numbers = hashed.count { $0.kind == .number } - 1
            row[values.count - 1] = .integer(
                DataRow(
                    table: table.name, keys: Array(repeating: "player-1", count: texts),
                    numbers: Array(repeating: 1, count: numbers),
                    data: [UInt8](repeating: 7, count: 32)
                ).checksumValue)
        }
        if table.name == "start_devices" { row = StartDeviceRow(Fixture.device()).values }
        block.append(ValueRow(values: row + [.integer(1)]))
        return block
    }

    private struct ValueRow: SQLRow {
        let values: [SQLValue]

        func integer(_ column: Int32) -> Int64 {
            if case .integer(let number) = values[Int(column)] { number } else { 0 }
        }

        func withBytes<Result, Failure: Error>(
            _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            let bytes: [UInt8] =
                switch values[Int(column)] {
                case .text(let text): Array(text.utf8)
                case .blob(let blob): blob
                case .integer, .null: []
                }
            return try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
                try body(UnsafeRawBufferPointer(bytes))
            }
        }

        func isNull(_ column: Int32) -> Bool {
            if case .null = values[Int(column)] { true } else { false }
        }
    }

    /// Returns all rows of a game as text, in an order that does not depend on the store.
    static func rows(_ place: GamePlace) throws -> [String] {
        let session: any MoveSession =
            switch place {
            case .file(let path): try Database(path: path, access: .untouched)
            case .database(let address): try PostgreSQLSession(address)
            }
        var rows: [String] = []
        for table in try MovedTable.all() {
            try session.eachBlock(of: table, after: nil) { block in
                for row in 0..<block.count {
                    let values = table.columns.indices.map { index in
                        let column = block.values[index]
                        if column.nulls.contains(row) { return "null" }
                        return table.columns[index].kind == .number
                            ? "\(column.numbers[row])" : "\(column.bytes[column.range(row)])"
                    }
                    rows.append("\(table.name): \(values.joined(separator: " "))")
                }
            }
        }
        return rows.sorted()
    }
}
