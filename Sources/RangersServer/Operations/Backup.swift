internal import Isolation
package import PartyStore

/// Copies of a data file: made while the server plays, and put back. Each is verified by its
/// checksums, and by a replay of every party's commands.
package enum Backup {
    /// What a copy contains.
    package struct Report: Sendable {
        package let parties: Int
        package let events: Int
    }

    /// Why a copy is of no use.
    package struct Unsound: Error, CustomStringConvertible {
        package let description: String
    }

    /// Problems that a message lists.
    private static let problemsShown = 5

    /// Copies a data file to a new file, which has this name only once it is verified.
    ///
    /// - Throws: `Unsound` when the copy does not verify: then the data file is damaged. The copy
    ///   stays, with `.damaged` behind its name.
    package static func make(of file: String, to target: String) async throws -> Report {
        let copy = target + ".unfinished"
        SQLiteStore.remove(copy)
        try await SQLiteStore.copy(file: file, to: copy)
        do {
            let (report, problems) = try await verify(copy)
            guard problems.isEmpty else {
                let damaged = target + ".damaged"
                try SQLiteStore.rename(copy, to: damaged)
                throw Unsound(
                    description: """
                        the copy \(damaged) does not verify, so \(file) is damaged: \
                        \(list(problems))
                        """)
            }
            try SQLiteStore.rename(copy, to: target)
            return report
        } catch {
            SQLiteStore.remove(copy)
            throw error
        }
    }

    /// Puts a verified copy of a backup in the place of a data file. Returns what it contains, and
    /// the name under which the old file stays.
    ///
    /// - Throws: `StoreError.broken` when the backup does not verify, `.unavailable` while a server
    ///   uses the data file.
    package static func restore(
        _ backup: String, to file: String
    ) async throws(StoreError) -> (report: Report, old: String?) {
        let found = Locked<Report?>(nil)
        let old = try await SQLiteStore.restore(backup, to: file) { copy throws(StoreError) in
            let (report, problems) = try await verify(copy)
            guard problems.isEmpty else {
                throw .broken("the backup \(backup) does not verify: \(list(problems))")
            }
            found.withLock { $0 = report }
        }
        return (found.withLock { $0 } ?? Report(parties: 0, events: 0), old)
    }

    private static func list(_ problems: [String]) -> String {
        let more = problems.count - problemsShown
        return problems.prefix(problemsShown).joined(separator: "; ")
            + (more > 0 ? "; and \(more) more" : "")
    }

    private static func verify(
        _ file: String
    ) async throws(StoreError) -> (report: Report, problems: [String]) {
        let store = try await SQLiteStore.openReadOnly(path: file)
        let damage: Result<[String], StoreError>
        do throws(StoreError) {
            damage = .success(try await store.check())
        } catch {
            damage = .failure(error)
        }
        let replay = await Replay(store).report(party: nil)
        await store.close()
        return (
            Report(parties: replay.parties, events: replay.events),
            try damage.get() + replay.differences
        )
    }
}
