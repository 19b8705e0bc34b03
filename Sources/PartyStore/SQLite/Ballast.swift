internal import Glibc
internal import Isolation

/// A file that only takes up space, so that the server can free some when the disk is full (PR9).
final class Ballast: Sendable {
    /// What remains after the ballast is freed, in bytes: a start on a full disk needs a little.
    static let reserveBytes: Int64 = 1024 * 1024

    let path: String
    /// Its full size in bytes; 0: there is none.
    let bytes: Int64
    private let state = Locked(false)

    /// Whether it has its full size, as far as is known.
    var isWhole: Bool { state.withLock { $0 } }

    /// The ballast of a data file.
    init(of file: String, bytes: Int64) {
        path = file + "-ballast"
        self.bytes = bytes
    }

    /// The result of an attempt to create it.
    enum Making: Hashable {
        case isWhole, made, noRoom
    }

    /// Makes it if there is room for it twice, so that it does not fill the disk itself.
    func make() -> Making {
        if isWhole { return .isWhole }
        if size == bytes {
            state.withLock { $0 = true }
            return .isWhole
        }
        guard bytes > 0 else {
            unlink(path)
            state.withLock { $0 = true }
            return .isWhole
        }
        guard let free = DiskSpace.free(beside: path), free >= 2 * (bytes - size) else {
            return .noRoom
        }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return .noRoom }
        defer { close(descriptor) }
        guard ftruncate(descriptor, off_t(min(size, bytes))) == 0,
            posix_fallocate(descriptor, 0, off_t(bytes)) == 0
        else {
            ftruncate(descriptor, off_t(min(Self.reserveBytes, size)))
            return .noRoom
        }
        state.withLock { $0 = true }
        return .made
    }

    /// Frees it, except for the reserve. Returns whether that gave any room.
    func free() -> Bool { shrink(to: Self.reserveBytes) }

    /// Frees the reserve too, for a start on a full disk. Returns whether that gave any room.
    func freeReserve() -> Bool { shrink(to: 0) }

    private func shrink(to bytes: Int64) -> Bool {
        state.withLock { $0 = false }
        guard size > bytes else { return false }
        return truncate(path, off_t(bytes)) == 0
    }

    private var size: Int64 { DiskSpace.size(of: path) }
}

/// The free space of disks.
enum DiskSpace {
    /// Returns the size of a file in bytes; 0: there is none.
    static func size(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Returns the bytes that this user can still write beside a file; `nil`: unknown.
    static func free(beside path: String) -> Int64? {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int64(status.f_bavail) * Int64(status.f_frsize)
    }
}
