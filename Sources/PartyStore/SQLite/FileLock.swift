internal import Glibc

/// Which programs may use a data file: servers share it (the newest owns it), a repair or a restore
/// has it alone. The lock ends with the process, whatever ends it.
final class FileLock: Sendable {
    enum Kind {
        case shared, alone
    }

    private let calls: any FileCalls
    private let descriptor: Int32

    /// Locks an existing file. Throws `.unavailable` when another program has it.
    init(_ path: String, _ kind: Kind, on disk: Disk = .machine) throws(StoreError) {
        calls = disk.calls
        let descriptor = calls.open(path, O_RDONLY | O_CLOEXEC, mode: 0)
        guard descriptor >= 0 else {
            throw .broken(FileFailure("opened", path).description)
        }
        self.descriptor = descriptor
        let operation = kind == .shared ? LOCK_SH : LOCK_EX
        if calls.lock(descriptor, operation | LOCK_NB) != 0 {
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

    deinit { calls.close(descriptor) }

    /// Returns whether the name still is that of the locked file.
    private func isStill(_ path: String) -> Bool {
        guard let locked = calls.status(descriptor), let named = calls.status(of: path) else {
            return false
        }
        return locked.identity == named.identity
    }
}
