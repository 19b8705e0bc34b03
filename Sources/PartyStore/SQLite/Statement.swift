internal import CSQLite

/// A prepared statement: bind, step, read columns, reset. Confined to its connection's executor.
final class Statement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer

    /// Makes SQLite copy what is bound (`SQLITE_TRANSIENT`, a cast that does not import).
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    convenience init(_ sql: StaticString, on connection: OpaquePointer) throws(SQLFailure) {
        try self.init(
            UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self), on: connection)
    }

    /// Prepares a text that ends with a zero byte.
    init(_ sql: UnsafePointer<CChar>, on connection: OpaquePointer) throws(SQLFailure) {
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

    /// Steps. Returns whether there is a row to read.
    func step() throws(SQLFailure) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw Self.failure(code, on: connection)
        }
    }

    /// Ends the read or write and its lock; keeps the bindings.
    func reset() {
        // The code repeats what `step` has already reported.
        _ = sqlite3_reset(handle)
    }

    /// Clears the bindings.
    func clear() { _ = sqlite3_clear_bindings(handle) }

    static func failure(_ code: Int32, on connection: OpaquePointer) -> SQLFailure {
        let extended = sqlite3_extended_errcode(connection)
        let sameKind = extended & 0xff == code & 0xff
        return SQLFailure(
            code: sameKind ? extended : code, message: String(cString: sqlite3_errmsg(connection)))
    }
}

// MARK: Binding

extension Statement {
    /// Binds to the parameters ?1, ?2 … in order; SQLite copies the values.
    func bind(_ values: [SQLValue]) throws(SQLFailure) { try bind(values, from: 1) }

    /// Binds to the parameters from `first` on.
    func bind(_ values: [SQLValue], from first: Int32) throws(SQLFailure) {
        for (offset, value) in values.enumerated() {
            try check(bind(value, at: first + Int32(offset)))
        }
    }

    func bind(_ number: Int64, at index: Int32) throws(SQLFailure) {
        try check(sqlite3_bind_int64(handle, index, number))
    }

    /// Binds a blob without a copy: the bytes must live until the statement has been stepped.
    func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32) throws(SQLFailure) {
        try check(
            sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil))
    }

    /// Binds UTF-8 without a copy: the bytes must live until the statement has been stepped.
    func bind(text bytes: UnsafeRawBufferPointer, at index: Int32) throws(SQLFailure) {
        let characters = bytes.assumingMemoryBound(to: CChar.self).baseAddress
        try check(
            sqlite3_bind_text64(
                handle, index, characters, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8)))
    }

    private func check(_ code: Int32) throws(SQLFailure) {
        guard code == SQLITE_OK else { throw Self.failure(code, on: connection) }
    }

    private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
        switch value {
        case .null:
            return sqlite3_bind_null(handle, index)
        case .integer(let number):
            return sqlite3_bind_int64(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bindText($0, at: index) }
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
}

// MARK: Columns of the current row

extension Statement: SQLRow {
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// Lends a text's or a blob's bytes in SQLite's memory while `body` runs.
    func withBytes<Result, Failure: Error>(
        _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let base = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        return try body(UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : count))
    }

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }
}
