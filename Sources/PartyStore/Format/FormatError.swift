internal import ByteCoding

/// Why a row's bytes are not the value that was written: the row is damaged, or a newer server
/// wrote it. It freezes its party alone.
typealias FormatError = ByteError

/// The numbers of the formats: the first byte of every row.
///
/// To change a row's content, append fields, raise the number, and let readers keep
/// `if format >= n`: the golden bytes of each number are tests for ever.
enum RowFormat {
    static let newest: UInt8 = 1

    static func write(_ format: UInt8 = newest, to bytes: inout ByteWriter) {
        bytes.append(byte: format)
    }

    /// Returns the format of the row, if this program supports it.
    @discardableResult
    static func read(
        _ bytes: inout ByteReader, newest: UInt8 = newest
    ) throws(FormatError) -> UInt8 {
        let format = try bytes.byte()
        guard (1...newest).contains(format) else { throw .unknownFormat(format) }
        return format
    }
}
