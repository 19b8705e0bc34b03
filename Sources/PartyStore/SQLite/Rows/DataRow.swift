/// A row that is a blob under a key: heroes, activities, outcomes, provider tokens, channels,
/// snapshots. Its checksum is over the table's name, the key and the blob.
struct DataRow: Sendable {
    let table: String
    /// In the order of the table's key columns.
    let keys: [String]
    /// Numbers behind them: a party's key, a version.
    let numbers: [Int64]
    let data: [UInt8]
    private let storedChecksum: Int64

    init(table: String, keys: [String] = [], numbers: [Int64] = [], data: [UInt8]) {
        self.table = table
        self.keys = keys
        self.numbers = numbers
        self.data = data
        storedChecksum = 0
    }

    /// Reads a row of `keyCount` texts, then `numberCount` integers, then blob and checksum.
    init(_ row: Statement, table: String, keyCount: Int32 = 0, numberCount: Int32 = 0) {
        self.table = table
        keys = (0..<keyCount).map { row.text($0) }
        numbers = (0..<numberCount).map { row.integer(keyCount + $0) }
        data = row.bytes(keyCount + numberCount)
        storedChecksum = row.integer(keyCount + numberCount + 1)
    }

    private var checksum: Checksum {
        var checksum = Checksum()
        checksum.add(table)
        for key in keys { checksum.add(key) }
        for number in numbers { checksum.add(number) }
        checksum.add(data)
        return checksum
    }

    /// What is bound: keys, numbers, blob, checksum.
    var values: [SQLiteValue] {
        keys.map { .text($0) } + numbers.map { .integer($0) }
            + [.blob(data), .integer(checksum.value)]
    }

    /// What is bound for a row that reads as damaged, for ever.
    var damagedValues: [SQLiteValue] { values.dropLast() + [.integer(Checksum.damaged)] }

    /// How a report names the row.
    var name: String { (keys + numbers.map(String.init)).joined(separator: " ") }

    /// The value, if the row is exactly what was written.
    func decode<Value>(
        _ read: (UnsafeRawBufferPointer) throws -> Value
    ) throws(RowFault) -> Value {
        try RowFault.check(storedChecksum, checksum, table: table, key: name)
        do {
            return try data.withUnsafeBytes(read)
        } catch {
            throw RowFault(table: table, key: name, detail: "\(error)")
        }
    }
}
