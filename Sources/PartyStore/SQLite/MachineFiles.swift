internal import Glibc

/// The machine's own files.
struct MachineFiles: FileCalls {
    func open(_ path: String, _ flags: Int32, mode: UInt32) -> Int32 {
        Glibc.open(path, flags, mode)
    }

    func close(_ descriptor: Int32) { Glibc.close(descriptor) }

    func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at position: Int64
    ) -> Int {
        pread(descriptor, buffer.baseAddress, buffer.count, off_t(position))
    }

    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    }

    func sync(_ descriptor: Int32) -> Int32 { fsync(descriptor) }

    func truncate(_ descriptor: Int32, to bytes: Int64) -> Int32 {
        ftruncate(descriptor, off_t(bytes))
    }

    func truncate(_ path: String, to bytes: Int64) -> Int32 {
        Glibc.truncate(path, off_t(bytes))
    }

    func allocate(_ descriptor: Int32, bytes: Int64) -> Int32 {
        posix_fallocate(descriptor, 0, off_t(bytes))
    }

    func lock(_ descriptor: Int32, _ operation: Int32) -> Int32 { flock(descriptor, operation) }

    func status(_ descriptor: Int32) -> FileStatus? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? FileStatus(status) : nil
    }

    func status(of path: String) -> FileStatus? {
        var status = stat()
        return stat(path, &status) == 0 ? FileStatus(status) : nil
    }

    func freeBytes(in folder: String) -> Int64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int64(status.f_bavail) * Int64(status.f_frsize)
    }

    func remove(_ path: String) -> Int32 { unlink(path) }

    func rename(_ path: String, to target: String) -> Int32 { Glibc.rename(path, target) }

    func link(_ path: String, to target: String) -> Int32 { Glibc.link(path, target) }
}

extension FileStatus {
    fileprivate init(_ status: stat) {
        let kind: Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .other
            }
        self.init(
            kind: kind, bytes: Int64(status.st_size),
            identity: Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino)))
    }
}
