internal import CSQLite
internal import Glibc

/// SQLite's handle of an open file: SQLite allocates it, and takes its first field for its own.
struct SimulatedFile {
    private var base: sqlite3_file
    fileprivate var opened: Unmanaged<OpenFile>

    typealias Pointer = UnsafeMutablePointer<sqlite3_file>

    static func initialize(_ file: Pointer, _ opened: OpenFile) {
        UnsafeMutableRawPointer(file).initializeMemory(
            as: SimulatedFile.self,
            to: SimulatedFile(
                base: sqlite3_file(pMethods: methods), opened: .passRetained(opened)))
    }

    // Safe to share: nobody changes it.
    nonisolated(unsafe) private static let methods: UnsafePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        methods.pointee.iVersion = 2
        addBytes(to: &methods.pointee)
        addLocks(to: &methods.pointee)
        addSharedMemory(to: &methods.pointee)
        return UnsafePointer(methods)
    }()

    private static func addBytes(to methods: inout sqlite3_io_methods) {
        methods.xClose = { file in
            guard let handle = file.handle else { return SQLITE_MISUSE }
            let opened = handle.pointee.opened.takeRetainedValue()
            if !opened.isOrphan { opened.disk.close(opened) }
            return SQLITE_OK
        }
        methods.xRead = { file, target, count, place in
            file.with { opened in
                guard let target,
                    let length = opened.disk.read(
                        opened, target, count: Int(count), at: Int(place))
                else { return IOError.read }
                guard length < count else { return SQLITE_OK }
                memset(target + length, 0, Int(count) - length)
                return IOError.shortRead
            }
        }
        methods.xWrite = { file, source, count, place in
            file.with { opened in
                guard let source else { return SQLITE_MISUSE }
                return
                    switch opened.disk.write(
                        opened, source, count: Int(count), at: Int(place))
                {
                case .done: SQLITE_OK
                case .full: SQLITE_FULL
                case .failed: IOError.write
                }
            }
        }
        methods.xTruncate = { file, size in
            file.with {
                $0.disk.resize($0, to: Int(size)) == .done ? SQLITE_OK : IOError.truncate
            }
        }
        methods.xSync = { file, _ in
            file.with { $0.disk.sync($0) == .done ? SQLITE_OK : IOError.sync }
        }
        methods.xFileSize = { file, size in
            file.with {
                size?.pointee = sqlite3_int64($0.file.bytes.count)
                return SQLITE_OK
            }
        }
        methods.xFileControl = { file, operation, value in
            guard operation == SQLITE_FCNTL_POWERSAFE_OVERWRITE, let value else {
                return SQLITE_NOTFOUND
            }
            return file.with {
                let isSafe = $0.characteristics & SQLITE_IOCAP_POWERSAFE_OVERWRITE != 0
                value.storeBytes(of: isSafe ? 1 : 0, as: Int32.self)
                return SQLITE_OK
            }
        }
        methods.xSectorSize = { _ in DiskTraits.ofMachine.sectorBytes }
        methods.xDeviceCharacteristics = { file in file.with { $0.characteristics } }
    }

    private static func addLocks(to methods: inout sqlite3_io_methods) {
        methods.xLock = { file, level in file.with { $0.file.locks.lock($0, to: level) } }
        methods.xUnlock = { file, level in
            file.with {
                $0.file.locks.unlock($0, to: level)
                return SQLITE_OK
            }
        }
        methods.xCheckReservedLock = { file, result in
            file.with {
                result?.pointee = $0.file.locks.isReserved() ? 1 : 0
                return SQLITE_OK
            }
        }
    }

    private static func addSharedMemory(to methods: inout sqlite3_io_methods) {
        methods.xShmMap = { file, number, bytes, extends, result in
            file.with {
                let region = $0.mapped().region(
                    Int(number), bytes: Int(bytes), extends: extends != 0)
                result?.pointee = UnsafeMutableRawPointer(region).map { .init($0) }
                return SQLITE_OK
            }
        }
        methods.xShmLock = { file, first, count, flags in
            file.with {
                let mask = UInt16(((1 << count) - 1) << first)
                guard let shared = $0.shared else { return IOError.lockShared }
                if flags & SQLITE_SHM_UNLOCK != 0 {
                    shared.unlock($0, mask)
                    return SQLITE_OK
                }
                let isShared = flags & SQLITE_SHM_SHARED != 0
                // The lock of who writes is the first.
                if !isShared, first == 0, $0.disk.fault.foreignLock { return SQLITE_BUSY }
                return shared.lock($0, mask, isShared: isShared)
            }
        }
        methods.xShmBarrier = { _ in }
        methods.xShmUnmap = { file, _ in
            file.with {
                $0.unmap()
                return SQLITE_OK
            }
        }
    }
}

extension Optional where Wrapped == SimulatedFile.Pointer {
    fileprivate var handle: UnsafeMutablePointer<SimulatedFile>? {
        UnsafeMutableRawPointer(self)?.assumingMemoryBound(to: SimulatedFile.self)
    }

    /// Calls `body` with the file if something can still be done with it.
    @inline(__always)
    fileprivate func with(_ body: (OpenFile) -> Int32) -> Int32 {
        guard let handle else { return SQLITE_MISUSE }
        return handle.pointee.opened._withUnsafeGuaranteedRef { opened in
            opened.isUsable ? body(opened) : SQLITE_IOERR
        }
    }
}
