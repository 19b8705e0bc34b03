/// Why bytes cannot be decoded. It quotes none of them: they may contain a token.
public enum ByteError: Error, Hashable, Sendable {
    /// The bytes end before the value does.
    case tooShort
    /// A number uses more bytes than necessary, or does not fit.
    case overlongNumber
    /// A length or count is above its limit.
    case tooLarge(limit: Int)
    case notUTF8
    /// Bytes remain after the last field.
    case trailingBytes(Int)
    /// A format that this program does not read; `newest` is the newest one that it reads.
    case unknownFormat(UInt8, newest: UInt8)
    /// A number that no case of the enum has.
    case unknownNumber(UInt64, of: String)
    /// A value that violates a rule of the program.
    case invalid(String)
}

extension ByteError: CustomStringConvertible {
    /// What is wrong, as the end of a sentence.
    public var description: String {
        switch self {
        case .tooShort: "its bytes end too early"
        case .overlongNumber: "a number is too long"
        case .tooLarge(let limit): "a length or count is above \(limit)"
        case .notUTF8: "a text is not UTF-8"
        case .trailingBytes(let count): "\(count) bytes follow its last field"
        case .unknownFormat(let format, let newest):
            "its format is \(format), and this program reads formats up to \(newest): use the "
                + "program that wrote it"
        case .unknownNumber(let number, let type): "there is no \(type) \(number)"
        case .invalid(let reason): reason
        }
    }
}
