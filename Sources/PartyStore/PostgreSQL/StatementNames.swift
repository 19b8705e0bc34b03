internal import CPostgreSQL

/// The names under which PostgreSQL keeps statements of one connection, parsed and, after some runs,
/// planned.
///
/// A statement with an array has none. Its plan may join the array with a whole table while that is
/// small, and would stay when the table has grown.
struct StatementNames {
    enum Use {
        /// A pooler may give each transaction another connection, which does not know the names.
        case never
        case whereOnePlanFitsAll
    }

    struct Name {
        let text: String
        /// Whether PostgreSQL has yet to be told what it stands for.
        let isNew: Bool
        fileprivate let key: Key
    }

    /// The same text has another name for parameters of other types, as when one is null.
    fileprivate struct Key: Hashable {
        let sql: [CChar]
        let types: [Oid]
    }

    var use = Use.never
    private var numbers: [Key: Int] = [:]
    private var last = 0

    /// Whether the statement will get a name with its next run.
    func isNew(_ sql: [CChar], _ parameters: PostgreSQLParameters) -> Bool {
        hasName(parameters) && numbers[Key(sql: sql, types: parameters.types)] == nil
    }

    /// Returns the statement's name, which it keeps; `nil`: it has none.
    mutating func name(of sql: [CChar], _ parameters: PostgreSQLParameters) -> Name? {
        guard hasName(parameters) else { return nil }
        let key = Key(sql: sql, types: parameters.types)
        if let number = numbers[key] {
            return Name(text: "rangers_\(number)", isNew: false, key: key)
        }
        last += 1
        numbers[key] = last
        return Name(text: "rangers_\(last)", isNew: true, key: key)
    }

    /// Takes a name back that PostgreSQL has refused.
    mutating func forget(_ name: Name) { numbers[name.key] = nil }

    private func hasName(_ parameters: PostgreSQLParameters) -> Bool {
        use == .whereOnePlanFitsAll && !parameters.types.isEmpty && !parameters.hasArrays
    }
}
