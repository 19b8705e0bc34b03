/// The calls of POSIX that a store makes beside SQLite. Each returns what POSIX returns, and sets
/// `errno` where it fails.
package protocol FileCalls: Sendable {
    /// `open` with these flags, and the mode of a new file.
    func open(_ path: String, _ flags: Int32, mode: UInt32) -> Int32
    func close(_ descriptor: Int32)
    /// `pread`.
    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at: Int64) -> Int
    /// `write`, behind what was written before.
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
    /// `fsync`, also of a folder.
    func sync(_ descriptor: Int32) -> Int32
    /// `ftruncate`.
    func truncate(_ descriptor: Int32, to bytes: Int64) -> Int32
    /// `truncate`.
    func truncate(_ path: String, to bytes: Int64) -> Int32
    /// `posix_fallocate` from the file's start. Returns the error's number.
    func allocate(_ descriptor: Int32, bytes: Int64) -> Int32
    /// `flock`.
    func lock(_ descriptor: Int32, _ operation: Int32) -> Int32
    /// `fstat`; `nil` if it fails.
    func status(_ descriptor: Int32) -> FileStatus?
    /// `stat`; `nil` if it fails.
    func status(of path: String) -> FileStatus?
    /// `statvfs`: the bytes that this user can still write in a folder; `nil`: unknown.
    func freeBytes(in folder: String) -> Int64?
    /// `unlink`.
    @discardableResult
    func remove(_ path: String) -> Int32
    func rename(_ path: String, to target: String) -> Int32
    /// Gives a file a second name.
    func link(_ path: String, to target: String) -> Int32
}

/// What a store asks of a file.
package struct FileStatus: Sendable {
    package enum Kind: Sendable {
        case file, folder, other
    }

    let kind: Kind
    let bytes: Int64
    /// Of the file itself, whatever its name is.
    let identity: Identity

    package struct Identity: Hashable, Sendable {
        let device: UInt64
        let number: UInt64

        package init(device: UInt64, number: UInt64) {
            self.device = device
            self.number = number
        }
    }

    package init(kind: Kind, bytes: Int64, identity: Identity) {
        self.kind = kind
        self.bytes = bytes
        self.identity = identity
    }
}
