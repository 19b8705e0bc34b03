import CSQLite
import Foundation
import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

/// The rows of a file that a server of schema 6 has written: parties that met every fate.
struct Schema6 {
    private let rows: [String: [[String: [UInt8]]]]

    init() throws {
        let file = Bundle.module.url(
            forResource: "schema6", withExtension: "db", subdirectory: "Fixtures")
        // Immutable: SQLite writes nothing beside the file.
        let path = "file:\(try #require(file).path)?immutable=1"
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        try #require(
            sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
                == SQLITE_OK)
        let tables = [
            "heroes", "parties", "activities", "events", "commands", "decisions",
            "start_devices", "provider_tokens", "channels",
        ]
        rows = Dictionary(
            uniqueKeysWithValues: tables.map { ($0, Self.rows(of: $0, in: database)) })
    }

    private static func rows(
        of table: String, in database: OpaquePointer?
    ) -> [[String: [UInt8]]] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        sqlite3_prepare_v2(database, "SELECT * FROM \(table) ORDER BY 1, 2", -1, &statement, nil)
        var rows: [[String: [UInt8]]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            var row: [String: [UInt8]] = [:]
            for column in 0..<sqlite3_column_count(statement) {
                guard let name = sqlite3_column_name(statement, column),
                    let value = sqlite3_column_blob(statement, column)
                else { continue }
                row[String(cString: name)] = Array(
                    UnsafeRawBufferPointer(
                        start: value, count: Int(sqlite3_column_bytes(statement, column))))
            }
            rows.append(row)
        }
        return rows
    }

    /// The texts of a column, of all rows or of one party's.
    func texts(_ table: String, _ column: String = "json", of party: String? = nil) -> [[UInt8]] {
        (rows[table] ?? []).filter { row in
            party.map { row["party"] == Array($0.utf8) || row["id"] == Array($0.utf8) } ?? true
        }.compactMap { $0[column] }
    }

    static let parties = ["party-boss", "party-empty", "party-quest", "party-road"]
}
