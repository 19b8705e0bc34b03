internal import CSQLite

/// A prepared statement: bind, step, read columns, reset. Confined to its connection's executor.
final class Statement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer

    /// Tells SQLite to copy what is bound (`SQLITE_TRANSIENT`, a cast that does not import).
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(_ sql: String, on connection: OpaquePointer) throws(SQLiteFailure) {
        var prepared: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(connection, sql, -1, flags, &prepared, nil)
        guard code == SQLITE_OK, let prepared else {
            throw Self.failure(code, on: connection)
        }
        handle = prepared
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// Binds to the parameters ?1, ?2 … in order.
    func bind(_ values: [SQLiteValue]) throws(SQLiteFailure) {
        for (offset, value) in values.enumerated() {
            let code = bind(value, at: Int32(offset + 1))
            guard code == SQLITE_OK else { throw Self.failure(code, on: connection) }
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .null:
            return sqlite3_bind_null(handle, index)
        case .integer(let number):
            return sqlite3_bind_int64(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bindText($0, at: index) }
        case .utf8(let bytes):
            return bytes.withUnsafeBufferPointer { bindText($0, at: index) }
        case .blob(let bytes):
            return bytes.withUnsafeBytes { buffer in
                guard let base = buffer.baseAddress else {
                    return sqlite3_bind_zeroblob(handle, index, 0)
                }
                return sqlite3_bind_blob64(
                    handle, index, base, UInt64(buffer.count), Self.copied)
            }
        }
    }

    private func bindText(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int32) -> Int32 {
        guard let base = bytes.baseAddress, !bytes.isEmpty else {
            return sqlite3_bind_text(handle, index, "", 0, Self.copied)
        }
        return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { characters in
            sqlite3_bind_text64(
                handle, index, characters, UInt64(bytes.count), Self.copied, UInt8(SQLITE_UTF8))
        }
    }

    /// Whether there is a row to read.
    func step() throws(SQLiteFailure) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw Self.failure(code, on: connection)
        }
    }

    /// Ends the read or write, so that it holds no lock and no value any more.
    func reset() {
        // The code repeats what `step` has reported already.
        _ = sqlite3_reset(handle)
        _ = sqlite3_clear_bindings(handle)
    }

    // MARK: Columns of the current row

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func optionalInteger(_ column: Int32) -> Int64? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : integer(column)
    }

    /// A damaged text is repaired here; the row's checksum then finds it out.
    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    func optionalText(_ column: Int32) -> String? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : text(column)
    }

    /// The bytes of a text or a blob.
    func bytes(_ column: Int32) -> [UInt8] {
        guard let base = sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, column))
        return [UInt8](UnsafeRawBufferPointer(start: base, count: count))
    }

    static func failure(_ code: Int32, on connection: OpaquePointer) -> SQLiteFailure {
        let extended = sqlite3_extended_errcode(connection)
        let sameKind = extended & 0xff == code & 0xff
        return SQLiteFailure(
            code: sameKind ? extended : code, message: String(cString: sqlite3_errmsg(connection)))
    }
}
