/// Rows of one table, column by column, as both databases take them.
struct RowBlock: Sendable {
    /// About how many bytes a block has at most: it may end with one row more.
    static let bytesMax = 1 << 20
    static let rowsMax = 4000

    /// The values of one column.
    struct Values: Sendable {
        var numbers: [Int64] = []
        /// All values one after another, behind a byte that gives an empty one an address.
        var bytes: [UInt8] = [0]
        var ends = [1]
        var nulls: Set<Int> = []

        func range(_ row: Int) -> Range<Int> { ends[row]..<ends[row + 1] }

        mutating func append(_ row: any SQLRow, _ column: Int32, of kind: MovedTable.Kind) {
            if row.isNull(column) { nulls.insert(kind == .number ? numbers.count : ends.count - 1) }
            switch kind {
            case .number: numbers.append(row.integer(column))
            case .text, .bytes:
                row.withBytes(column) { bytes.append(contentsOf: $0) }
                ends.append(bytes.count)
            }
        }
    }

    let table: MovedTable
    /// What the reader continues after.
    let key: [MovedTable.Column]
    /// Those of the table's columns, then those of the key.
    private(set) var values: [Values]
    private(set) var count = 0
    private(set) var byteCount = 0

    init(of table: MovedTable, key: [MovedTable.Column]) {
        self.table = table
        self.key = key
        values = (table.columns + key).map { _ in Values() }
    }

    /// Whether there is no room for more.
    var isFull: Bool { count >= Self.rowsMax || byteCount >= Self.bytesMax }

    /// Appends a row with the values of the columns, then of the key.
    mutating func append(_ row: any SQLRow) {
        for (index, column) in (table.columns + key).enumerated() {
            values[index].append(row, Int32(index), of: column.kind)
        }
        count += 1
        byteCount = values.reduce(0) { $0 + $1.bytes.count + 8 * $1.numbers.count }
    }

    /// The key of the last row.
    var position: [SQLValue] { keyValues(of: count - 1) }

    /// Returns the first row whose key is not behind that of the row before it, if any; `last` has
    /// the rows before the block. Keys are compared byte by byte, as both databases compare them.
    func firstOutOfOrder(after last: RowBlock?) -> Int? {
        (0..<count).first { row in
            guard row > 0 else { return last.map { !isBehind(0, $0, $0.count - 1) } ?? false }
            return !isBehind(row, self, row - 1)
        }
    }

    /// Whether the key of a row is greater than that of another.
    private func isBehind(_ row: Int, _ other: RowBlock, _ otherRow: Int) -> Bool {
        for index in table.columns.count..<values.count {
            let (own, before) = (values[index], other.values[index])
            if key[index - table.columns.count].kind == .number {
                let (number, numberBefore) = (own.numbers[row], before.numbers[otherRow])
                if number != numberBefore { return number > numberBefore }
            } else {
                let (bytes, bytesBefore) = (
                    own.bytes[own.range(row)], before.bytes[before.range(otherRow)]
                )
                if bytesBefore.lexicographicallyPrecedes(bytes) { return true }
                if bytes != bytesBefore { return false }
            }
        }
        return false
    }

    /// Returns the key of a row in words.
    func name(of row: Int) -> String {
        keyValues(of: row).map { value in
            switch value {
            case .null: "null"
            case .integer(let number): "\(number)"
            case .text(let text): text
            case .blob: "bytes"
            }
        }.joined(separator: " ")
    }

    private func keyValues(of row: Int) -> [SQLValue] {
        key.indices.map { index in
            let column = values[table.columns.count + index]
            return switch key[index].kind {
            case .number: .integer(column.numbers[row])
            case .text: .text(String(decoding: column.bytes[column.range(row)], as: UTF8.self))
            case .bytes: .blob(Array(column.bytes[column.range(row)]))
            }
        }
    }

    /// Returns these rows alone.
    func part(_ rows: Range<Int>) -> RowBlock {
        var part = RowBlock(of: table, key: key)
        let columns = Array((table.columns + key).indices)
        for row in rows { part.append(BlockRow(block: self, row: row, columns: columns)) }
        return part
    }
}

/// A row of a block, with the columns that a reader wants, in its order.
struct BlockRow: SQLRow {
    let block: RowBlock
    let row: Int
    let columns: [Int]

    func integer(_ column: Int32) -> Int64 {
        let values = block.values[columns[Int(column)]]
        return values.numbers.isEmpty ? 0 : values.numbers[row]
    }

    func withBytes<Result, Failure: Error>(
        _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let values = block.values[columns[Int(column)]]
        let range = values.range(row)
        return try values.bytes.withUnsafeBufferPointer { bytes throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[range]))
        }
    }

    func isNull(_ column: Int32) -> Bool {
        block.values[columns[Int(column)]].nulls.contains(row)
    }
}
