internal import CSQLite

/// An open file of a life. After the life's death nothing can be done with it.
final class OpenFile {
    let file: MemoryFile
    unowned let disk: SimulatedDisk
    let life: LifeID
    /// Where the next `write` of POSIX goes.
    var position = 0
    /// SQLite's lock on a database file (`FileLocks`).
    var level = SQLITE_LOCK_NONE
    /// SQLite's locks in the shared memory.
    var sharedMask: UInt16 = 0
    var exclusiveMask: UInt16 = 0
    /// Kept after its locks are gone: SQLite has addresses in it until it closes the file.
    private(set) var shared: SharedMemory?
    private var isMapped = false
    /// Whether the first sync also makes the folder's names durable, as SQLite does for a log that
    /// it may create.
    var syncsFolder = false
    /// Whether its life is over, so that the next one has the file.
    private(set) var isOrphan = false

    init(_ file: MemoryFile, on disk: SimulatedDisk, life: LifeID) {
        self.file = file
        self.disk = disk
        self.life = life
    }

    /// Whether something can still be done with it.
    var isUsable: Bool { !isOrphan && !disk.isDead(life) }

    /// What SQLite may rely on (`SQLITE_IOCAP`).
    var characteristics: Int32 {
        let real = DiskTraits.ofMachine.characteristics
        return disk.fault.padsCommits ? real & ~SQLITE_IOCAP_POWERSAFE_OVERWRITE : real
    }

    /// Lets go of all locks.
    func release() {
        file.locks.unlock(self, to: SQLITE_LOCK_NONE)
        unmap()
        file.programLocks[ObjectIdentifier(self)] = nil
    }

    /// Takes the file from its life.
    func orphan() {
        release()
        isOrphan = true
    }

    /// Returns the memory that the connections of the database share.
    func mapped() -> SharedMemory {
        if isMapped, let shared { return shared }
        let memory = file.shared ?? SharedMemory()
        file.shared = memory
        memory.users += 1
        shared = memory
        isMapped = true
        return memory
    }

    func unmap() {
        guard isMapped, let memory = shared else { return }
        memory.unlock(self, .max)
        memory.users -= 1
        // The first that opens the database again does not trust what is left.
        if memory.users == 0, file.shared === memory { file.shared = nil }
        isMapped = false
    }
}
