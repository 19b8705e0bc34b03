internal import CSQLite

/// The locks of a database file among its connections, as those of SQLite's VFS for Unix.
final class FileLocks {
    private var sharedCount = 0
    private weak var reserved: OpenFile?
    private weak var pending: OpenFile?
    private weak var exclusive: OpenFile?

    func isReserved() -> Bool { reserved != nil || exclusive != nil }

    /// Raises the lock of a connection. Returns SQLite's code.
    func lock(_ file: OpenFile, to level: Int32) -> Int32 {
        guard file.level < level else { return SQLITE_OK }
        switch level {
        case SQLITE_LOCK_SHARED:
            guard pending == nil, exclusive == nil else { return SQLITE_BUSY }
            sharedCount += 1
        case SQLITE_LOCK_RESERVED:
            guard reserved == nil, pending == nil else { return SQLITE_BUSY }
            reserved = file
        case SQLITE_LOCK_EXCLUSIVE:
            guard pending == nil || pending === file, reserved == nil || reserved === file else {
                return SQLITE_BUSY
            }
            pending = file
            guard sharedCount <= 1 else {
                file.level = SQLITE_LOCK_PENDING
                return SQLITE_BUSY
            }
            exclusive = file
        default: break
        }
        file.level = level
        return SQLITE_OK
    }

    func unlock(_ file: OpenFile, to level: Int32) {
        guard file.level > level else { return }
        if exclusive === file { exclusive = nil }
        if pending === file { pending = nil }
        if reserved === file { reserved = nil }
        if level == SQLITE_LOCK_NONE { sharedCount -= 1 }
        file.level = level
    }
}

/// The memory that connections of a database in WAL mode share: the index of the log, and locks.
final class SharedMemory {
    private var regions: [UnsafeMutableRawPointer] = []
    private var sharedCounts = [Int](repeating: 0, count: Int(SQLITE_SHM_NLOCK))
    private var exclusive: UInt16 = 0
    /// How many connections use it.
    var users = 0

    deinit { for region in regions { region.deallocate() } }

    func region(_ number: Int, bytes: Int, extends: Bool) -> UnsafeMutableRawPointer? {
        while regions.count <= number, extends {
            let region = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
            region.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
            regions.append(region)
        }
        return number < regions.count ? regions[number] : nil
    }

    /// Takes locks, one bit each.
    func lock(_ file: OpenFile, _ mask: UInt16, isShared: Bool) -> Int32 {
        if isShared {
            let new = mask & ~file.sharedMask
            guard exclusive & new == 0 else { return SQLITE_BUSY }
            change(new, by: 1)
            file.sharedMask |= new
        } else {
            let new = mask & ~file.exclusiveMask
            guard exclusive & new == 0, !hasShared(new) else { return SQLITE_BUSY }
            exclusive |= new
            file.exclusiveMask |= new
        }
        return SQLITE_OK
    }

    func unlock(_ file: OpenFile, _ mask: UInt16) {
        change(mask & file.sharedMask, by: -1)
        file.sharedMask &= ~mask
        exclusive &= ~(mask & file.exclusiveMask)
        file.exclusiveMask &= ~mask
    }

    private func change(_ mask: UInt16, by count: Int) {
        guard mask != 0 else { return }
        for bit in sharedCounts.indices where mask & 1 << UInt16(bit) != 0 {
            sharedCounts[bit] += count
        }
    }

    private func hasShared(_ mask: UInt16) -> Bool {
        sharedCounts.indices.contains { mask & 1 << UInt16($0) != 0 && sharedCounts[$0] > 0 }
    }
}
