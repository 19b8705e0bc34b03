/// A row of `journal` as it is read; `Batch` encodes the same.
struct JournalRow: Sendable {
    let party: Int64
    let version: Int64
    let at: Int64
    let data: [UInt8]
    private let storedChecksum: Int64

    /// Reads the columns party, version, at, data, crc.
    init(_ row: any SQLRow) {
        party = row.integer(0)
        version = row.integer(1)
        at = row.integer(2)
        data = row.bytes(3)
        storedChecksum = row.integer(4)
    }

    /// Creates a row to write.
    init(party: Int64, version: Int64, at: Int64, data: [UInt8]) {
        self.party = party
        self.version = version
        self.at = at
        self.data = data
        storedChecksum = 0
    }

    private var checksum: Checksum {
        var checksum = Checksum()
        checksum.add(party)
        checksum.add(version)
        checksum.add(at)
        data.withUnsafeBytes { checksum.mix($0) }
        return checksum
    }

    /// The values to bind, in the order of the columns.
    var values: [SQLValue] {
        [
            .integer(party), .integer(version), .integer(at), .blob(data),
            .integer(checksum.value),
        ]
    }

    private var name: String { "\(party) \(version)" }

    /// Throws unless the row is exactly what was written.
    func check() throws(RowFault) {
        try RowFault.check(storedChecksum, checksum, table: "journal", key: name)
    }

    /// Returns the content of this change, if the row is exactly what was written.
    func decode(packs: any PackSource) throws(RowFault) -> JournalEntry {
        try check()
        do {
            return try data.withUnsafeBytes { try JournalEntry.read($0, packs: packs) }
        } catch {
            throw RowFault(table: "journal", key: name, detail: "\(error)")
        }
    }
}
