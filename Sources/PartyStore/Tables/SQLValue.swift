/// A value bound to a parameter of a statement off the hot path.
enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }

    static func limit(_ rows: Int) -> SQLValue { .integer(Int64(rows)) }
}
