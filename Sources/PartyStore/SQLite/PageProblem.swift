/// A line of `PRAGMA integrity_check`, grouped by what mends it.
enum PageProblem: Hashable {
    /// An index does not match its table: rebuilding it mends it.
    case index(String)
    /// Only a row's values: its checksum decides whether it is served.
    case row(String)
    /// Anything else: only a backup helps.
    case page(String)

    /// Returns `nil` for the line that says that all is well.
    init?(_ line: String) {
        guard line != "ok" else { return nil }
        if Self.ofIndices.contains(where: { line.contains($0) }) {
            self = .index(line)
        } else if Self.ofRows.contains(where: { line.hasPrefix($0) }) {
            self = .row(line)
        } else {
            self = .page(line)
        }
    }

    private static let ofIndices = [
        " missing from index ", "wrong # of entries in index ", "non-unique entry in index ",
        " values differ from index ", "rowid not at end-of-record for row ",
    ]
    private static let ofRows = [
        "non-", "NULL value in", "NUMERIC value in", "CHECK constraint failed", "TEXT value in",
    ]
}

extension Database {
    /// Checks all pages and indices. Lists the first hundred problems.
    func pageProblems() throws(SQLFailure) -> [PageProblem] {
        try rows("PRAGMA integrity_check(100)") { $0.text(0) }.compactMap(PageProblem.init)
    }
}
