internal import ByteCoding

/// Why a row's bytes are not the value that was written: the row is damaged, or another program
/// wrote it. It freezes its party alone.
typealias FormatError = ByteError

/// The numbers of the formats: the first byte of every row. Each kind of row has its own, from 1
/// (docs/internals/migrations.md).
enum RowFormat {
    static func write(_ format: UInt8 = 1, to bytes: inout ByteWriter) {
        bytes.append(byte: format)
    }

    /// Returns the format of the row, if this program supports it.
    @discardableResult
    static func read(
        _ bytes: inout ByteReader, newest: UInt8 = 1
    ) throws(FormatError) -> UInt8 {
        let format = try bytes.byte()
        guard (1...newest).contains(format) else {
            throw .unknownFormat(format, newest: newest)
        }
        return format
    }
}
