/// How many rows a table has, and a sum over them that does not depend on their order.
struct TableDigest: Hashable, Sendable {
    private(set) var rows: Int64 = 0
    private(set) var sum: UInt64 = 0

    /// Adds the rows of a block, by the columns that both databases have.
    mutating func add(_ block: RowBlock) {
        for row in 0..<block.count {
            var checksum = Checksum()
            for (index, column) in block.table.columns.enumerated() {
                let values = block.values[index]
                checksum.add(values.nulls.contains(row) ? 0 : 1 as Int64)
                switch column.kind {
                case .number: checksum.add(values.numbers[row])
                case .text, .bytes:
                    values.bytes.withUnsafeBytes {
                        checksum.add(UnsafeRawBufferPointer(rebasing: $0[values.range(row)]))
                    }
                }
            }
            sum &+= Self.spread(checksum.value)
        }
        rows += Int64(block.count)
    }

    /// Spreads a checksum over all bits (SplitMix64), so that a sum of two says nothing of others.
    private static func spread(_ checksum: Int64) -> UInt64 {
        var bits = UInt64(bitPattern: checksum) &+ 0x9e37_79b9_7f4a_7c15
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
    }
}
