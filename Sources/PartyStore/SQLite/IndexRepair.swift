internal import Isolation

/// The result of a repair of a data file's indices.
package struct IndexRepair: Hashable, Sendable {
    /// What was wrong with the indices, in words; empty: nothing, and nothing was changed.
    package let problems: [String]
    /// What is still wrong with the file's pages, in words: only a backup helps.
    package let left: [String]
}

extension SQLiteStore {
    /// Rebuilds the indices of a data file if any is damaged or missing. Rows do not change.
    ///
    /// It takes as long as reading the file, and as much free space as the indices.
    ///
    /// - Throws: `.unavailable` while a server uses the file, `.broken` when rows contradict each
    ///   other, so that no index fits them, and when the file is no data file of this schema.
    package static func repairIndices(ofFile path: String) async throws(StoreError) -> IndexRepair {
        try await IndexRepairer().repair(path)
    }
}

/// Repairs on a thread of its own, because a large file takes minutes.
private actor IndexRepairer {
    private let executor = QueueExecutor(label: "PartyStore repair")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    func repair(_ path: String) throws(StoreError) -> IndexRepair {
        // Without the check of its pages, which would refuse what is to be repaired.
        let file = SQLiteFile(path: path, checkedBytesMax: -1)
        guard file.disk.exists(path) else { throw .broken("There is no file \(path).") }
        let lock = try FileLock(path, .alone)
        defer { withExtendedLifetime(lock) {} }
        _ = try LogGuard(file: file).inspect(.refused)
        let database = try file.open()
        _ = try file.examine(database)
        do {
            return try repair(database)
        } catch let failure as SQLFailure where failure.isDuplicate {
            throw .broken(
                """
                an index of \(path) cannot be rebuilt, because rows contradict each other \
                (\(failure.message)): keep a copy of the file, and restore the newest backup
                """)
        } catch let failure as SQLFailure {
            throw file.explain(failure)
        } catch {
            throw .broken("\(path) cannot be repaired: \(error)")
        }
    }

    private func repair(_ database: Database) throws -> IndexRepair {
        let missing = try SchemaCheck().missingIndices(of: database)
        let problems =
            missing.map { "missing: \($0)" }
            + (try database.pageProblems()).compactMap {
                if case .index(let text) = $0 { text } else { nil }
            }
        if !problems.isEmpty {
            try database.begin()
            defer { database.rollBack() }
            for sql in missing { try database.execute(sql) }
            try database.execute("REINDEX")
            try database.commit()
        }
        let left = try database.pageProblems().compactMap {
            switch $0 {
            case .index(let text), .page(let text): text
            case .row: nil
            }
        }
        return IndexRepair(problems: problems, left: left)
    }
}
