internal import CSQLite

/// What SQLite's VFS for Unix says of this machine's disks: the log's form depends on it.
struct DiskTraits {
    let sectorBytes: Int32
    let characteristics: Int32

    /// Asked once, of a temporary file.
    static let ofMachine = {
        let usual = DiskTraits(
            sectorBytes: 4096, characteristics: SQLITE_IOCAP_POWERSAFE_OVERWRITE)
        guard let vfs = sqlite3_vfs_find("unix") else { return usual }
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: Int(vfs.pointee.szOsFile), alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(
            as: UInt8.self, repeating: 0, count: Int(vfs.pointee.szOsFile))
        let file = memory.assumingMemoryBound(to: sqlite3_file.self)
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXCLUSIVE
            | SQLITE_OPEN_DELETEONCLOSE | SQLITE_OPEN_TEMP_DB
        guard vfs.pointee.xOpen(vfs, nil, file, flags, nil) == SQLITE_OK,
            let methods = file.pointee.pMethods
        else { return usual }
        defer { _ = methods.pointee.xClose(file) }
        return DiskTraits(
            sectorBytes: methods.pointee.xSectorSize(file),
            characteristics: methods.pointee.xDeviceCharacteristics(file))
    }()
}
