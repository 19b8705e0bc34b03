internal import CSQLite
internal import Glibc

/// SQLite's view of the simulated disk of the thread: files, names, time and random numbers.
extension SimulatedDisk {
    /// The name under which SQLite knows it.
    package static let vfsName = "simulated"

    /// Makes the disks known to SQLite, once a process; any thread may then use its own.
    package static func register() { precondition(registration == SQLITE_OK, "no VFS") }

    private static let registration: Int32 = {
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: sqlite3_vfs())
        vfs.pointee.iVersion = 2
        vfs.pointee.szOsFile = Int32(MemoryLayout<SimulatedFile>.size)
        vfs.pointee.mxPathname = 512
        vfs.pointee.zName = UnsafePointer(strdup(vfsName))
        addNames(to: &vfs.pointee)
        addTime(to: &vfs.pointee)
        return sqlite3_vfs_register(vfs, 0)
    }()

    private static var ofThread: SimulatedDisk? { Scheduler.ofThread?.disk }

    /// That of the thread, if its life may still use it.
    private static var usable: SimulatedDisk? {
        ofThread.flatMap { $0.isDead(life) ? nil : $0 }
    }

    private static func addNames(to vfs: inout sqlite3_vfs) {
        vfs.xOpen = { _, path, file, flags, result in
            guard let file else { return SQLITE_MISUSE }
            file.pointee.pMethods = nil
            guard let disk = SimulatedDisk.usable else { return SQLITE_CANTOPEN }
            var memory = path.flatMap { disk.file(named: String(cString: $0)) }
            if let path, memory == nil {
                guard flags & SQLITE_OPEN_CREATE != 0 else { return SQLITE_CANTOPEN }
                memory =
                    flags & SQLITE_OPEN_DELETEONCLOSE != 0
                    ? nil : disk.create(String(cString: path))
            }
            let opened = disk.openFile(memory)
            let logs = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL
            if let path, flags & SQLITE_OPEN_MAIN_DB != 0 {
                disk.dataName = String(cString: path)
            }
            opened.syncsFolder = flags & SQLITE_OPEN_CREATE != 0 && flags & logs != 0
            SimulatedFile.initialize(file, opened)
            result?.pointee = flags
            return SQLITE_OK
        }
        vfs.xDelete = { _, path, syncs in
            guard let disk = SimulatedDisk.usable, let path else { return IOError.delete }
            let name = String(cString: path)
            guard disk.file(named: name) != nil else { return IOError.deleteMissing }
            guard disk.change([(name, nil)]) else { return IOError.delete }
            guard syncs != 0, disk.syncNames() != .done else { return SQLITE_OK }
            return IOError.syncFolder
        }
        vfs.xAccess = { _, path, _, result in
            guard let disk = SimulatedDisk.usable, let path else { return IOError.access }
            let file = disk.file(named: String(cString: path))
            // An empty journal is none, as for the VFS for Unix.
            result?.pointee = (file?.bytes.count ?? 0) > 0 ? 1 : 0
            return SQLITE_OK
        }
        vfs.xFullPathname = { _, path, count, result in
            guard let path, let result, strlen(path) < Int(count) else { return SQLITE_CANTOPEN }
            strcpy(result, path)
            return SQLITE_OK
        }
    }

    private static func addTime(to vfs: inout sqlite3_vfs) {
        vfs.xRandomness = { _, count, result in
            guard let result else { return 0 }
            SimulatedDisk.fill(result, Int(count)) { SimulatedDisk.ofThread?.randomBits() ?? 0 }
            return count
        }
        vfs.xSleep = { _, microseconds in
            SimulatedDisk.ofThread?.owe(milliseconds: Int64(microseconds) / 1000)
            return microseconds
        }
        vfs.xCurrentTimeInt64 = { _, result in
            result?.pointee = SimulatedDisk.julianMilliseconds
            return SQLITE_OK
        }
        vfs.xCurrentTime = { _, result in
            result?.pointee = Double(SimulatedDisk.julianMilliseconds) / 86_400_000
            return SQLITE_OK
        }
        vfs.xGetLastError = { _, _, _ in 0 }
    }

    /// The world's time as SQLite counts it, in milliseconds; 1970 is the number.
    private static var julianMilliseconds: Int64 {
        210_866_760_000_000 + (Scheduler.ofThread?.now ?? 0)
    }

    /// Fills memory with random bytes.
    static func fill(_ target: UnsafeMutableRawPointer, _ count: Int, _ bits: () -> UInt64) {
        for start in stride(from: 0, to: count, by: 8) {
            withUnsafeBytes(of: bits()) {
                (target + start).copyMemory(
                    from: $0.baseAddress ?? UnsafeRawPointer(target),
                    byteCount: min(8, count - start))
            }
        }
    }
}

/// SQLite draws random numbers from one state a process, so that simulations on several threads
/// would change each other's. The dynamic linker finds this function before SQLite's, also for
/// SQLite's own calls: a simulation's thread draws from its disk's dice.
@_cdecl("sqlite3_randomness")
public func drawForSQLite(_ count: Int32, _ target: UnsafeMutableRawPointer?) {
    guard let disk = Scheduler.ofThread?.disk else { return SQLiteRandomness.own(count, target) }
    guard let target else { return }
    SimulatedDisk.fill(target, Int(count)) { disk.randomBits() }
}

/// The function that ours stands before.
private enum SQLiteRandomness {
    typealias Function = @convention(c) (Int32, UnsafeMutableRawPointer?) -> Void

    /// SQLite's function.
    static let own: Function = {
        guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "sqlite3_randomness")
        else { preconditionFailure("SQLite has no sqlite3_randomness") }
        return unsafeBitCast(symbol, to: Function.self)
    }()
}
