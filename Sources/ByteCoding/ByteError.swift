/// Why bytes are not what was written. It quotes none of them: they may hold a token.
package enum ByteError: Error, Hashable, Sendable {
    /// The bytes end before the value does.
    case tooShort
    /// A number is spelled with more bytes than it needs, or does not fit.
    case overlongNumber
    /// A length or count is above what there can be.
    case tooLarge(limit: Int)
    case notUTF8
    /// Bytes are left behind the last field.
    case trailingBytes(Int)
    /// Nobody has ever written this format, or a newer program has.
    case unknownFormat(UInt8)
    /// A case of an enum, by a number that was never given.
    case unknownNumber(UInt64, of: String)
    /// A value that breaks a rule which the program relies on.
    case invalid(String)
}

extension ByteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooShort: "its bytes end too early"
        case .overlongNumber: "a number is too long"
        case .tooLarge(let limit): "a length or count is above \(limit)"
        case .notUTF8: "a text is not UTF-8"
        case .trailingBytes(let count): "\(count) bytes follow its last field"
        case .unknownFormat(let format): "its format is \(format): a newer server wrote it"
        case .unknownNumber(let number, let type): "there is no \(type) \(number)"
        case .invalid(let reason): reason
        }
    }
}
