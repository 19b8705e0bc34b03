/// A file of the simulated disk, whatever its names are.
final class MemoryFile {
    /// What programs see.
    var bytes = DiskBytes()
    private var unsynced = UnsyncedChanges()
    /// What the disk holds of sectors whose writes a failed sync has dropped: the system's cache
    /// takes them for written.
    private var lost: [Int: [UInt8]] = [:]
    let locks = FileLocks()
    /// The memory that connections of a database share; `nil`: none uses it.
    var shared: SharedMemory?
    /// Where the newest write ended.
    private(set) var newestEnd = 0
    /// Locks of whole programs (`flock`), by what is open.
    var programLocks: [ObjectIdentifier: ProgramLock] = [:]
    let number: UInt64

    enum ProgramLock {
        case shared, alone
    }

    init(number: UInt64) { self.number = number }

    func write(_ source: UnsafeRawPointer, count: Int, at place: Int) {
        guard count > 0 else { return }
        unsynced.willWrite(count, at: place, to: bytes)
        newestEnd = place + count
        bytes.write(source, count: count, at: place)
    }

    func resize(to size: Int) {
        guard size != bytes.count else { return }
        unsynced.willResize(to: size, bytes)
        bytes.resize(to: size)
    }

    func sync() {
        guard !unsynced.isEmpty else { return }
        if !lost.isEmpty { for sector in unsynced.sectors { lost[sector] = nil } }
        unsynced.removeAll()
    }

    /// A sync that fails: each sector is on the disk, or will not be until it is written again.
    func failSync(_ dice: inout Dice) {
        guard !unsynced.isEmpty else { return }
        let held = unsynced.sectorsBefore(&bytes)
        for sector in held.keys.sorted() {
            if dice.chance(0.5) {
                lost[sector] = lost[sector] ?? held[sector]
            } else {
                lost[sector] = nil
            }
        }
        unsynced.removeAll()
    }

    func losePower(_ dice: inout Dice) {
        if !unsynced.isEmpty || !lost.isEmpty {
            unsynced.losePower(&bytes, lost: lost, &dice)
            unsynced.removeAll()
            lost = [:]
        }
    }
}
