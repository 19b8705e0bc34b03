/// A row of schema 6 that is a JSON text under a key, with numbers beside it.
struct OldRow: Sendable {
    let table: String
    let keys: [String]
    let numbers: [Int64]
    let json: [UInt8]
    private let storedChecksum: Int64

    /// Reads a row of `keyCount` texts, then `numberCount` integers, then JSON and checksum.
    init(_ row: any SQLRow, table: String, keyCount: Int32, numberCount: Int32 = 0) {
        self.table = table
        keys = (0..<keyCount).map { row.text($0) }
        numbers = (0..<numberCount).map { row.integer(keyCount + $0) }
        json = row.bytes(keyCount + numberCount)
        storedChecksum = row.integer(keyCount + numberCount + 1)
    }

    private var isSound: Bool {
        var checksum = Checksum()
        checksum.add(table)
        for key in keys { checksum.add(key) }
        for number in numbers { checksum.add(number) }
        checksum.add(json)
        return checksum.value == storedChecksum
    }

    /// Returns the value; `nil` when the row is not what was written.
    func decode<Value>(_ read: ([UInt8]) throws -> Value) -> Value? {
        isSound ? try? read(json) : nil
    }

    /// Returns the values to bind for the value's new row; `nil` when this row is damaged.
    func converted<Value>(
        _ read: ([UInt8]) throws -> Value, _ row: (Value) -> DataRow
    ) -> [SQLValue]? {
        decode(read).map { row($0).values }
    }

    /// Returns the values to bind for a row that stays damaged: the JSON as it was.
    func damaged(keys: [String], numbers: [Int64] = []) -> [SQLValue] {
        DataRow(table: table, keys: keys, numbers: numbers, data: json).damagedValues
    }
}
