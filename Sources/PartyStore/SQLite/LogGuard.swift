/// Refuses a file whose write-ahead log is damaged: SQLite would drop acknowledged changes behind
/// the damage without a word.
struct LogGuard {
    let file: SQLiteFile

    private var log: LogFile { LogFile(path: file.path + "-wal", disk: file.disk) }

    /// Examines the log before SQLite uses it. On damage it keeps a copy of the file and its log.
    /// It then throws `.broken` with instructions; or, if `loss` is `.accepted` and a whole state is
    /// left, drops what cannot be read and returns in words what that was.
    func inspect(_ loss: LossPolicy) throws(StoreError) -> String? {
        guard file.disk.exists(file.path), try damage() != nil, let damage = try confirmed() else {
            return nil
        }
        let copy = "\(file.path).damaged-\(String(damage.salts, radix: 16))"
        let lost = words(for: damage)
        do throws(FileFailure) {
            try keepCopy(copy)
        } catch {
            throw .broken("\(lost) First make room for a copy of both: \(error)")
        }
        switch loss {
        case .refused:
            throw .broken(
                """
                \(lost) A copy of both is \(copy) and \(copy)-wal. Restore the newest backup, or \
                start once with --accept-loss to continue from the state before the damage.
                """)
        case .accepted:
            switch try remains(damage) {
            case .validPart: try dropRest()
            case .file: try dropLog()
            case nil:
                throw .broken(
                    """
                    \(lost) A checkpoint was interrupted, so that the file has pages from before \
                    and from behind the damage: restore the newest backup. A copy of both is \
                    \(copy) and \(copy)-wal.
                    """)
            }
            return "\(lost) They were dropped; a copy of both is \(copy) and \(copy)-wal."
        }
    }

    private func damage() throws(StoreError) -> LogFile.Damage? {
        do throws(FileFailure) {
            return try log.damage()
        } catch {
            throw .unavailable(error.description)
        }
    }

    /// Checks the log again while nobody can restart it: another server may have done so during the
    /// first walk. A file that cannot be read without the log is served by nobody.
    private func confirmed() throws(StoreError) -> LogFile.Damage? {
        let database: Database
        do throws(SQLFailure) {
            database = try Database(
                path: file.path, access: .readWrite, keepsLog: true, vfs: file.disk.vfs)
            try database.begin()
        } catch {
            guard error.isCorruption else { throw file.explain(error) }
            return try damage()
        }
        defer { database.rollBack() }
        return try damage()
    }

    private func remains(_ damage: LogFile.Damage) throws(StoreError) -> LogRemains.State? {
        do throws(FileFailure) {
            return try log.remains(of: file.path, damage)
        } catch {
            throw .unavailable(error.description)
        }
    }

    /// A checkpoint has copied all up to a commit behind the damage into the file.
    private func dropLog() throws(StoreError) {
        do throws(FileFailure) {
            try log.empty()
        } catch {
            throw .unavailable(error.description)
        }
    }

    private func words(for damage: LogFile.Damage) -> String {
        let place = damage.frame == 0 ? "its header" : "frame \(damage.frame)"
        // A proof of damage need not be the end of a transaction.
        let count =
            switch damage.transactions {
            case 0: ""
            case 1: ", at least one transaction,"
            default: ", at least \(damage.transactions) transactions,"
            }
        return """
            The write-ahead log \(log.path) of the data file \(file.path) is damaged: \(place) is \
            not what was written, and acknowledged changes behind it\(count) cannot be used.
            """
    }

    /// Copies the file and its log, once for each damaged log, however often the start is tried.
    private func keepCopy(_ copy: String) throws(FileFailure) {
        for suffix in ["-wal", ""] where !file.disk.exists(copy + suffix) {
            try FileCopy(on: file.disk).copy(file.path + suffix, to: copy + suffix)
        }
    }

    /// Copies the valid part of the log into the file and empties the log: what is behind the
    /// damage must not look like damage again.
    private func dropRest() throws(StoreError) {
        let database = try file.reopen(.readWrite)
        do throws(SQLFailure) {
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        } catch {
            throw file.explain(error)
        }
        guard try damage() == nil else {
            throw .unavailable("another program uses \(file.path): stop it, then start again")
        }
    }
}

/// What to do with a file whose acknowledged changes can no longer be read.
package enum LossPolicy: Sendable {
    /// Refuse to open it.
    case refused
    /// Continue without them.
    case accepted
}
