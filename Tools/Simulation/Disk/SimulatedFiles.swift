internal import Glibc
internal import PartyStore

/// The calls of POSIX on the simulated disk, for what a store does beside SQLite.
struct SimulatedFiles: FileCalls {
    let disk: SimulatedDisk

    private static let folderDescriptor: Int32 = 1_000_000

    func open(_ path: String, _ flags: Int32, mode: UInt32) -> Int32 {
        guard !disk.isDead(SimulatedDisk.life) else { return fail(EIO) }
        if flags & O_DIRECTORY != 0 { return Self.folderDescriptor }
        var file = disk.file(named: path)
        if file != nil, flags & O_EXCL != 0 { return fail(EEXIST) }
        if file == nil {
            guard flags & O_CREAT != 0 else { return fail(ENOENT) }
            file = disk.create(path)
        }
        let opened = disk.openFile(file)
        if flags & O_TRUNC != 0, disk.resize(opened, to: 0) != .done {
            disk.close(opened)
            return fail(EIO)
        }
        return disk.descriptors.add(opened)
    }

    func close(_ descriptor: Int32) {
        if let file = disk.descriptors.remove(descriptor) { disk.close(file) }
    }

    func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at position: Int64
    ) -> Int {
        guard let base = buffer.baseAddress else { return 0 }
        let file = disk.descriptors[descriptor]
        return file.flatMap {
            disk.read($0, base, count: buffer.count, at: Int(position))
        } ?? Int(fail(EIO))
    }

    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        guard let file = disk.descriptors[descriptor], let base = bytes.baseAddress else {
            return Int(fail(EBADF))
        }
        switch disk.write(file, base, count: bytes.count, at: file.position) {
        case .done:
            file.position += bytes.count
            return bytes.count
        case .full: return Int(fail(ENOSPC))
        case .failed: return Int(fail(EIO))
        }
    }

    func sync(_ descriptor: Int32) -> Int32 {
        if descriptor == Self.folderDescriptor { return result(of: disk.syncNames()) }
        guard let file = disk.descriptors[descriptor] else { return fail(EBADF) }
        return result(of: disk.sync(file))
    }

    func truncate(_ descriptor: Int32, to bytes: Int64) -> Int32 {
        guard let file = disk.descriptors[descriptor] else { return fail(EBADF) }
        return result(of: disk.resize(file, to: Int(bytes)))
    }

    func truncate(_ path: String, to bytes: Int64) -> Int32 {
        let descriptor = open(path, O_WRONLY, mode: 0)
        guard descriptor >= 0 else { return -1 }
        defer { close(descriptor) }
        return truncate(descriptor, to: bytes)
    }

    func allocate(_ descriptor: Int32, bytes: Int64) -> Int32 {
        guard let file = disk.descriptors[descriptor] else { return EBADF }
        guard file.file.bytes.count < Int(bytes) else { return 0 }
        return switch disk.resize(file, to: Int(bytes)) {
        case .done: 0
        case .full: ENOSPC
        case .failed: EIO
        }
    }

    func lock(_ descriptor: Int32, _ operation: Int32) -> Int32 {
        guard let file = disk.descriptors[descriptor], file.isUsable else { return fail(EBADF) }
        let key = ObjectIdentifier(file)
        let others = file.file.programLocks.filter { $0.key != key }.values
        let isAlone = operation & LOCK_EX != 0
        guard !others.contains(.alone), !isAlone || others.isEmpty else {
            return fail(EWOULDBLOCK)
        }
        file.file.programLocks[key] = isAlone ? .alone : .shared
        return 0
    }

    func status(_ descriptor: Int32) -> FileStatus? {
        disk.descriptors[descriptor].map { status(of: $0.file) }
    }

    func status(of path: String) -> FileStatus? {
        if let file = disk.file(named: path) { return status(of: file) }
        guard path.hasSuffix("/") || path == "." else {
            errno = ENOENT
            return nil
        }
        return FileStatus(kind: .folder, bytes: 0, identity: .init(device: 0, number: 0))
    }

    private func status(of file: MemoryFile) -> FileStatus {
        FileStatus(
            kind: .file, bytes: Int64(file.bytes.count),
            identity: .init(device: 1, number: file.number))
    }

    func freeBytes(in folder: String) -> Int64? { max(0, disk.freeBytes) }

    func remove(_ path: String) -> Int32 {
        guard disk.file(named: path) != nil else { return fail(ENOENT) }
        return disk.change([(path, nil)]) ? 0 : fail(EIO)
    }

    func rename(_ path: String, to target: String) -> Int32 {
        guard let file = disk.file(named: path) else { return fail(ENOENT) }
        return disk.change([(path, nil), (target, file)]) ? 0 : fail(EIO)
    }

    func link(_ path: String, to target: String) -> Int32 {
        guard let file = disk.file(named: path) else { return fail(ENOENT) }
        guard disk.file(named: target) == nil else { return fail(EEXIST) }
        return disk.change([(target, file)]) ? 0 : fail(EIO)
    }

    private func result(of outcome: SimulatedDisk.RunOutcome) -> Int32 {
        switch outcome {
        case .done: 0
        case .full: fail(ENOSPC)
        case .failed: fail(EIO)
        }
    }

    private func fail(_ number: Int32) -> Int32 {
        errno = number
        return -1
    }
}

/// The open files of POSIX, by numbers that are used once.
struct Descriptors {
    private var files: [Int32: OpenFile] = [:]
    private var last: Int32 = 2

    subscript(_ descriptor: Int32) -> OpenFile? { files[descriptor] }

    mutating func add(_ file: OpenFile) -> Int32 {
        last += 1
        files[last] = file
        return last
    }

    mutating func remove(_ descriptor: Int32) -> OpenFile? {
        files.removeValue(forKey: descriptor)
    }
}
