extension SQLiteStore {
    /// Checks every page, index and row of the file. Returns the faults, in words.
    ///
    /// On a large file it takes seconds, and one of the reading connections: it is for operators.
    package func check() async throws(StoreError) -> [String] {
        var problems = try await readFile { database in
            try database.rows("PRAGMA integrity_check(100)") { $0.text(0) }
        }.filter { $0 != "ok" }
        problems += try await readFile { database in
            try database.rows("PRAGMA foreign_key_check") {
                "\($0.text(0)) row \($0.integer(1)) refers to a row of \($0.text(2)) that is missing"
            }
        }
        problems += try await readFile { database in
            var check = RowCheck()
            var faults: [String] = []
            while let found = try check.next(on: database) {
                faults += found.prefix(FileChecker.problemsMax - faults.count).map(\.description)
            }
            return faults
        }
        return problems
    }
}
