internal import Glibc
internal import Isolation

/// A file that only takes up space, so that the server can free some when the disk is full (PR9).
final class Ballast: Sendable {
    /// What remains after the ballast is freed, in bytes: a start on a full disk needs a little.
    static let reserveBytes: Int64 = 1024 * 1024

    let path: String
    /// Its full size in bytes; 0: there is none.
    let bytes: Int64
    private let disk: Disk
    private let state = Locked(false)

    /// Whether it has its full size, as far as is known.
    var isWhole: Bool { state.withLock { $0 } }

    /// The ballast of a data file.
    init(of file: String, bytes: Int64, on disk: Disk = .machine) {
        path = file + "-ballast"
        self.disk = disk
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
            disk.calls.remove(path)
            state.withLock { $0 = true }
            return .isWhole
        }
        guard let free = DiskSpace.free(beside: path, on: disk), free >= 2 * (bytes - size) else {
            return .noRoom
        }
        let calls = disk.calls
        let descriptor = calls.open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode: 0o600)
        guard descriptor >= 0 else { return .noRoom }
        defer { calls.close(descriptor) }
        guard calls.truncate(descriptor, to: min(size, bytes)) == 0,
            calls.allocate(descriptor, bytes: bytes) == 0
        else {
            _ = calls.truncate(descriptor, to: min(Self.reserveBytes, size))
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
        return disk.calls.truncate(path, to: bytes) == 0
    }

    private var size: Int64 { DiskSpace.size(of: path, on: disk) }
}

/// The free space of disks.
enum DiskSpace {
    /// Returns the size of a file in bytes; 0: there is none.
    static func size(of path: String, on disk: Disk = .machine) -> Int64 {
        disk.calls.status(of: path)?.bytes ?? 0
    }

    /// Returns the bytes that this user can still write beside a file; `nil`: unknown.
    static func free(beside path: String, on disk: Disk = .machine) -> Int64? {
        disk.calls.freeBytes(in: Disk.folder(of: path))
    }
}
