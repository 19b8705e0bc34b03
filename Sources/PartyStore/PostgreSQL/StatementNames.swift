internal import CPostgreSQL

/// The names under which PostgreSQL keeps statements of one connection, parsed and, after some runs,
/// planned.
///
/// A statement with an array has none. Its plan may join the array with a whole table while that is
/// small, and PostgreSQL would keep it until the table's next `ANALYZE`.
struct StatementNames {
    enum Use {
        /// A pooler may give each transaction another connection, which does not know the names.
        case never
        case withoutArrays
    }

    struct Name {
        let text: String
        /// Whether PostgreSQL has yet to be told what it stands for.
        let isNew: Bool
    }

    let use: Use
    /// The names that PostgreSQL knows, or is about to.
    private var known: Set<String> = []

    init(_ use: Use) { self.use = use }

    /// Whether the statement will get a name with its next run.
    func isNew(_ sql: [CChar], _ parameters: PostgreSQLParameters) -> Bool {
        hasName(parameters) && !known.contains(Self.text(of: sql, parameters.types))
    }

    /// Returns the statement's name, which it keeps; `nil`: it has none.
    mutating func name(of sql: [CChar], _ parameters: PostgreSQLParameters) -> Name? {
        guard hasName(parameters) else { return nil }
        let text = Self.text(of: sql, parameters.types)
        return Name(text: text, isNew: known.insert(text).inserted)
    }

    /// Forgets a name that PostgreSQL has refused.
    mutating func forget(_ name: Name) { known.remove(name.text) }

    private func hasName(_ parameters: PostgreSQLParameters) -> Bool {
        use == .withoutArrays && !parameters.types.isEmpty && !parameters.hasArrays
    }

    /// The same for the same text with parameters of the same types, whatever the connection, so that
    /// a name never stands for another statement. FNV-1a, of 64 bits.
    private static func text(of sql: [CChar], _ types: [Oid]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ byte: UInt64) { hash = (hash ^ byte) &* 0x100_0000_01b3 }
        for character in sql { add(UInt64(UInt8(bitPattern: character))) }
        for type in types { add(UInt64(type)) }
        return "rangers_" + String(hash, radix: 16)
    }
}
