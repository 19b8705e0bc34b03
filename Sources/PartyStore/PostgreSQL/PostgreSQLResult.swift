internal import CPostgreSQL

/// The answer to one statement, whole, in libpq's memory.
final class PostgreSQLResult {
    // PG_DIAG_SEVERITY_NONLOCALIZED, PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY: macros that do
    // not import.
    private static let severityField = Int32(UInt8(ascii: "V"))
    private static let stateField = Int32(UInt8(ascii: "C"))
    private static let messageField = Int32(UInt8(ascii: "M"))

    fileprivate let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    /// Why the statement failed; `nil`: it did not. It has no values of the rows.
    var failure: SQLFailure? {
        switch PQresultStatus(handle) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_SYNC, PGRES_EMPTY_QUERY:
            nil
        case PGRES_PIPELINE_ABORTED:
            SQLFailure(state: "25P02", message: "an earlier statement failed")
        default:
            SQLFailure(
                state: Self.field(Self.stateField, of: handle) ?? "08006",
                message: Self.field(Self.messageField, of: handle) ?? "the connection was lost"
            )
        }
    }

    /// Returns the text of a warning; `nil`: it is a mere notice. The result stays libpq's.
    static func warning(of notice: OpaquePointer?) -> String? {
        guard let notice, field(severityField, of: notice) == "WARNING" else { return nil }
        return field(messageField, of: notice)
    }

    private static func field(_ code: Int32, of result: OpaquePointer) -> String? {
        PQresultErrorField(result, code).map { String(cString: $0) }
    }

    var rowCount: Int32 { PQntuples(handle) }

    /// How many rows were changed.
    var changes: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    /// What was done, as in "COMMIT".
    var tag: String { String(cString: PQcmdStatus(handle)) }

    var rows: [PostgreSQLRow] { (0..<rowCount).map(row) }

    func row(_ index: Int32) -> PostgreSQLRow { PostgreSQLRow(answer: self, index: index) }
}

/// A row of an answer, which it keeps.
struct PostgreSQLRow: SQLRow {
    let answer: PostgreSQLResult
    let index: Int32

    /// Returns a whole number of any width, as PostgreSQL sends it: the highest byte first.
    func integer(_ column: Int32) -> Int64 {
        withBytes(column) { bytes in
            guard let first = bytes.first else { return 0 }
            let sign: Int64 = first >= 0x80 && bytes.count > 1 ? -1 : 0
            return bytes.reduce(sign) { $0 << 8 | Int64($1) }
        }
    }

    func withBytes<Result, Failure: Error>(
        _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let count = Int(PQgetlength(answer.handle, index, column))
        return try withExtendedLifetime(answer) { () throws(Failure) -> Result in
            try body(
                UnsafeRawBufferPointer(
                    start: PQgetvalue(answer.handle, index, column), count: count))
        }
    }

    func isNull(_ column: Int32) -> Bool { PQgetisnull(answer.handle, index, column) == 1 }
}
