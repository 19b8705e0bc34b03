internal import ByteCoding

/// An enum whose cases are stored by fixed numbers, apart from their names.
///
/// A number is never changed and never reused. The switches are exhaustive, so that a new case does
/// not compile without its number.
protocol Numbered {
    var number: UInt8 { get }
    init?(number: UInt8)
}

extension ByteWriter {
    mutating func append(_ value: some Numbered) { append(byte: value.number) }
}

extension ByteReader {
    /// Returns the case with the next number.
    mutating func numbered<Value: Numbered>(
        _ type: Value.Type = Value.self
    ) throws(FormatError) -> Value {
        let number = try byte()
        guard let value = Value(number: number) else {
            throw .unknownNumber(UInt64(number), of: "\(type)")
        }
        return value
    }
}
