/// A row that a statement has found, until the next one is read.
protocol SQLRow {
    func integer(_ column: Int32) -> Int64
    /// Lends a text's or a blob's bytes in the database's memory while `body` runs.
    func withBytes<Result, Failure: Error>(
        _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result
    func isNull(_ column: Int32) -> Bool
}

extension SQLRow {
    func optionalInteger(_ column: Int32) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    /// Returns a text, repaired if damaged; the row's checksum then detects the damage.
    func text(_ column: Int32) -> String {
        withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// Returns a copy of a text's or a blob's bytes.
    func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { [UInt8]($0) } }
}
