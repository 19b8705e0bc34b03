/// What is bound to a parameter of a statement.
enum SQLiteValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    /// UTF-8 bytes that are stored as TEXT, such as JSON.
    case utf8([UInt8])
    case blob([UInt8])

    static func optional(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
    static func optional(_ number: Int64?) -> SQLiteValue { number.map { .integer($0) } ?? .null }
}
