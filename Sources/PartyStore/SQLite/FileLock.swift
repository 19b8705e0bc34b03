internal import Glibc

/// Which programs may use a data file: servers share it (the newest owns it), a repair or a restore
/// has it alone. The lock ends with the process, whatever ends it.
final class FileLock: Sendable {
    enum Kind {
        case shared, alone
    }

    private let descriptor: Int32

    /// Locks an existing file. Throws `.unavailable` when another program has it.
    init(_ path: String, _ kind: Kind) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .broken(FileFailure("opened", path).description)
        }
        self.descriptor = descriptor
        let operation = kind == .shared ? LOCK_SH : LOCK_EX
        if flock(descriptor, operation | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK else {
                // A file system without locks: a server works without, others do not risk it.
                if kind == .shared { return }
                throw .broken(FileFailure("locked", path).description)
            }
            switch kind {
            case .shared:
                throw .unavailable("another program is repairing or restoring \(path): wait for it")
            case .alone:
                throw .unavailable("a server uses \(path): stop it first")
            }
        }
        guard isStill(path) else {
            throw .unavailable("\(path) was just replaced: try again")
        }
    }

    deinit { close(descriptor) }

    /// Returns whether the name still is that of the locked file.
    private func isStill(_ path: String) -> Bool {
        var (locked, named) = (stat(), stat())
        return fstat(descriptor, &locked) == 0 && stat(path, &named) == 0
            && locked.st_ino == named.st_ino && locked.st_dev == named.st_dev
    }
}
