/// A value bound to a parameter of a statement off the hot path.
enum SQLiteValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    static func optional(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
}
