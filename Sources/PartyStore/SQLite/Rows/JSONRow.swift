/// A row that is a JSON text under a key, with numbers beside it: heroes, activities, the logs.
struct JSONRow: Sendable {
    let table: String
    /// In the order of the table's key columns.
    let keys: [String]
    /// A sequence number, a time: what is sorted and paged by.
    let numbers: [Int64]
    let json: [UInt8]
    private let storedChecksum: Int64

    init(
        table: String, keys: [String], numbers: [Int64] = [], encoding value: some Encodable
    ) throws(StoreError) {
        self.table = table
        self.keys = keys
        self.numbers = numbers
        json = try RowCoding.encode(value)
        storedChecksum = 0
    }

    /// Reads a row of `keyCount` texts, then `numberCount` integers, then JSON and checksum.
    init(_ row: Statement, table: String, keyCount: Int32, numberCount: Int32 = 0) {
        self.table = table
        keys = (0..<keyCount).map { row.text($0) }
        numbers = (0..<numberCount).map { row.integer(keyCount + $0) }
        json = row.bytes(keyCount + numberCount)
        storedChecksum = row.integer(keyCount + numberCount + 1)
    }

    var checksum: Checksum {
        var checksum = Checksum()
        checksum.add(table)
        for key in keys { checksum.add(key) }
        for number in numbers { checksum.add(number) }
        checksum.add(json)
        return checksum
    }

    /// What is bound: keys, numbers, JSON, checksum.
    var values: [SQLiteValue] {
        keys.map { .text($0) } + numbers.map { .integer($0) }
            + [.utf8(json), .integer(checksum.value)]
    }

    /// The value, if the row is exactly what was written.
    func decode<Value: Decodable>(_ type: Value.Type) throws(RowFault) -> Value {
        let key = (keys + numbers.map(String.init)).joined(separator: " ")
        try RowCoding.check(storedChecksum, checksum, table: table, key: key)
        return try RowCoding.decode(type, from: json, table: table, key: key)
    }
}
