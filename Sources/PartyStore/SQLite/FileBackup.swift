internal import Glibc
internal import Isolation

extension SQLiteStore {
    /// Copies one state of a data file to a new file with mode 0600, while a server runs on it. No
    /// commit waits for it; the log grows meanwhile.
    ///
    /// - Throws: `.exists` when there is a file of this name, `.broken` when the log is damaged, so
    ///   that the copy would lack acknowledged changes.
    package static func copy(
        file path: String, to target: String, disk: Disk = .machine
    ) async throws(StoreError) {
        try await FileKeeper(disk).copy(path, to: target)
    }

    /// Puts a copy of `backup` in the place of a data file that no server uses. The old file and
    /// its log stay beside the new one. `verify` examines the copy first, and may refuse it.
    ///
    /// - Returns: The new name of the old file; `nil`: there was none.
    /// - Throws: What `verify` throws; `.unavailable` while a server uses the file.
    package static func restore(
        _ backup: String, to path: String, disk: Disk = .machine,
        verify: @Sendable (_ copy: String) async throws(StoreError) -> Void
    ) async throws(StoreError) -> String? {
        let keeper = FileKeeper(disk)
        let lock = disk.exists(path) ? try FileLock(path, .alone, on: disk) : nil
        defer { withExtendedLifetime(lock) {} }
        let copy = path + ".restoring"
        disk.removeData(copy)
        do throws(StoreError) {
            try await keeper.copy(backup, to: copy)
            try await verify(copy)
            return try await keeper.put(copy, inPlaceOf: path)
        } catch {
            disk.removeData(copy)
            throw error
        }
    }

    /// Gives a verified copy its final name, and removes what reading it has left beside it.
    package static func rename(
        _ copy: String, to target: String, disk: Disk = .machine
    ) throws(StoreError) {
        disk.removeLog(of: copy)
        do throws(FileFailure) {
            guard disk.calls.link(copy, to: target) == 0 else {
                throw FileFailure("created", target)
            }
            disk.calls.remove(copy)
            try FileCopy(on: disk).syncFolder(of: target)
        } catch {
            throw error.code == EEXIST
                ? .exists("a file \(target)") : .unavailable(error.description)
        }
    }

    /// Removes a copy that is of no use.
    package static func remove(_ copy: String, disk: Disk = .machine) {
        disk.removeData(copy)
    }
}

extension Disk {
    fileprivate func removeData(_ path: String) {
        removeLog(of: path)
        calls.remove(path)
    }

    fileprivate func removeLog(of path: String) {
        for suffix in ["-wal", "-shm"] { calls.remove(path + suffix) }
    }
}

/// Copies files on a thread of its own, because a large one takes minutes.
private actor FileKeeper {
    private let executor = QueueExecutor(label: "PartyStore backup")
    private let disk: Disk

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(_ disk: Disk) { self.disk = disk }

    func copy(_ path: String, to target: String) throws(StoreError) {
        let source = SQLiteFile(
            path: path, checkedBytesMax: -1, access: .untouched, disk: disk)
        let database = try source.open()
        do {
            try source.checkOrigin(of: database)
            try source.checkSchema(of: database)
            try requireSoundLog(of: path)
            try create(target)
            do {
                try Database(copyAt: target, vfs: disk.vfs).copyAll(of: database)
                try sync(target)
            } catch {
                disk.removeData(target)
                throw error
            }
        } catch let failure as SQLFailure {
            throw source.explain(failure)
        } catch let failure as FileFailure {
            throw .unavailable(failure.description)
        } catch let error as StoreError {
            throw error
        } catch {
            throw .unavailable("\(path) could not be copied")
        }
    }

    /// Creates the copy's file, readable by this user only.
    private func create(_ target: String) throws {
        let descriptor = disk.calls.open(
            target, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode: 0o600)
        guard descriptor >= 0 else {
            let failure = FileFailure("created", target)
            throw failure.code == EEXIST
                ? StoreError.exists("a file \(target)") : failure as any Error
        }
        disk.calls.close(descriptor)
    }

    private func sync(_ path: String) throws(FileFailure) {
        let descriptor = disk.calls.open(path, O_RDONLY | O_CLOEXEC, mode: 0)
        guard descriptor >= 0 else { throw FileFailure("opened", path) }
        defer { disk.calls.close(descriptor) }
        guard disk.calls.sync(descriptor) == 0 else { throw FileFailure("written", path) }
    }

    /// How often a log is examined that a running server may restart at any moment.
    private static let walks = 3

    /// Refuses a damaged log. A restart of the log during the check looks like damage, but not
    /// twice in the same place.
    private func requireSoundLog(of path: String) throws {
        let log = LogFile(path: path + "-wal", disk: disk)
        guard let first = try log.damage() else { return }
        for _ in 1..<Self.walks { guard try log.damage() == first else { return } }
        throw StoreError.broken(
            "the write-ahead log \(log.path) is damaged: a copy would lack acknowledged changes")
    }

    // MARK: The place of a data file

    /// Swaps the files. A stop at any point leaves one of the two states under the file's name.
    func put(_ copy: String, inPlaceOf path: String) throws(StoreError) -> String? {
        do {
            let epoch = disk.exists(path) ? foldLog(of: path) : 0
            try raiseEpoch(of: copy, above: epoch)
            try sync(copy)
            let old = disk.exists(path) ? try keep(path) : nil
            disk.removeLog(of: path)
            guard disk.calls.rename(copy, to: path) == 0 else {
                throw FileFailure("replaced", path)
            }
            try FileCopy(on: disk).syncFolder(of: path)
            return old
        } catch let failure as FileFailure {
            throw .unavailable(failure.description)
        } catch let failure as SQLFailure {
            throw SQLiteFile(path: copy, disk: disk).explain(failure)
        } catch {
            throw .unavailable("\(path) could not be replaced: \(error)")
        }
    }

    /// Copies the old file's log into it, so that the file alone is its newest state. Returns its
    /// epoch. A damaged file stays as it is.
    private func foldLog(of path: String) -> Int64 {
        do {
            guard try LogFile(path: path + "-wal", disk: disk).damage() == nil else { return 0 }
            let database = try Database(path: path, access: .readWrite, vfs: disk.vfs)
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return try database.epoch()
        } catch {
            return 0
        }
    }

    /// A server that still has the old file open can then write nothing to the new one.
    private func raiseEpoch(of copy: String, above epoch: Int64) throws {
        let database = try Database(path: copy, access: .readWrite, vfs: disk.vfs)
        try database.begin()
        try database.run(
            "UPDATE ownership SET epoch = max(epoch, ?1) + 1 WHERE id = 1", [.integer(epoch)])
        try database.commit()
    }

    /// Gives the old file a second name, which it keeps.
    private func keep(_ path: String) throws -> String {
        var number = 1
        while true {
            let name = path + ".before-restore" + (number == 1 ? "" : "-\(number)")
            if disk.calls.link(path, to: name) == 0 {
                if disk.exists(path + "-wal"),
                    disk.calls.link(path + "-wal", to: name + "-wal") != 0
                {
                    throw FileFailure("kept", path + "-wal")
                }
                try FileCopy(on: disk).syncFolder(of: path)
                return name
            }
            let failure = FileFailure("kept as \(name)", path)
            guard failure.code == EEXIST else { throw failure }
            number += 1
        }
    }
}
