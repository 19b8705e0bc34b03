package import PartyStore

/// A disk in memory that fails, fills up and loses power as its dice and its faults say.
///
/// What a sync has not made durable is lost or kept at a loss of power: a sector of 512 bytes is as
/// a prefix of its writes made it; a change of a file's size has happened or not; of the changes
/// of names (creations, renamings, deletions) a prefix has.
package final class SimulatedDisk: @unchecked Sendable {
    // Safe to share: only its scheduler's thread uses it.

    /// What the disk does wrong from now on.
    package var fault = DiskFaults()
    /// Writes and changes of sizes; syncs; deaths within one of them.
    package private(set) var writes = 0
    package private(set) var syncs = 0
    package private(set) var cuts = 0

    private var names: [String: MemoryFile] = [:]
    /// What undoes the changes of names that no sync has made durable.
    private var nameChanges: [[(name: String, before: MemoryFile?)]] = []
    private var open: [ObjectIdentifier: OpenFile] = [:]
    var descriptors = Descriptors()
    /// The name of the data file.
    var dataName: String?
    private var fileCount: UInt64 = 0
    private var dice: Dice
    private var randomness: Dice
    private var dead: Set<LifeID> = []
    private var death: (left: Int, onDeath: () -> Void)?
    private var owedMilliseconds: Int64 = 0

    package init(dice: Dice) {
        self.dice = dice
        randomness = Dice(seed: self.dice.next())
    }

    deinit { for file in open.values { file.orphan() } }

    /// What a store is opened on.
    package var disk: PartyStore.Disk { Disk(vfs: Self.vfsName, calls: SimulatedFiles(disk: self)) }

    /// The bytes that are taken.
    package var usedBytes: Int64 { names.values.reduce(0) { $0 + Int64($1.bytes.count) } }

    /// The bytes for which there is room.
    package var freeBytes: Int64 { (fault.fullAt ?? 1 << 40) - usedBytes }

    /// Returns how long the disk has worked since the last call, in milliseconds: a call of C cannot
    /// wait, so the next job of the lane does.
    package func takeDelay() -> Int64 {
        defer { owedMilliseconds = 0 }
        return owedMilliseconds
    }

    func owe(milliseconds: Int64) { owedMilliseconds += milliseconds }

    func randomBits() -> UInt64 { randomness.next() }
}

// MARK: Death

extension SimulatedDisk {
    /// Ends the life that makes the `number`-th write or sync from now: nothing of it happens, and
    /// nothing that the life does afterwards.
    package func die(inWrite number: Int, _ onDeath: @escaping () -> Void) {
        death = (number, onDeath)
    }

    /// Takes back `die`.
    package func live() { death = nil }

    /// Hands the files of the dead to the next life, as they are in the system's cache, or as a loss
    /// of power has left them.
    package func afterDeath(powerLost: Bool) {
        for (key, file) in open where powerLost || isDead(file.life) {
            file.orphan()
            open[key] = nil
        }
        death = nil
        dead = []
        guard powerLost else { return }
        undoNames(keeping: dice.below(nameChanges.count + 1))
        for name in names.keys.sorted() { names[name]?.losePower(&dice) }
    }

    /// Whether somebody has a file open.
    package var isInUse: Bool { !open.isEmpty }

    func isDead(_ life: LifeID) -> Bool {
        if !dead.isEmpty, dead.contains(life) { return true }
        return Scheduler.ofThread?.isDead(life) ?? false
    }

    /// Whose work is done on this thread.
    static var life: LifeID { Scheduler.ofThread?.life ?? 0 }

    /// Returns whether a write or sync still happens.
    private func happens() -> Bool {
        guard !isDead(Self.life) else { return false }
        guard let death else { return true }
        self.death?.left -= 1
        guard death.left <= 1 else { return true }
        self.death = nil
        cuts += 1
        dead.insert(Self.life)
        death.onDeath()
        return false
    }
}

// MARK: Bytes

extension SimulatedDisk {
    enum RunOutcome {
        case done, full, failed
    }

    func write(
        _ file: OpenFile, _ source: UnsafeRawPointer, count: Int, at place: Int
    ) -> RunOutcome {
        writes += 1
        guard file.isUsable, happens(), !take(\.failNextWrite) else { return .failed }
        let room = room(for: place + count, in: file.file)
        file.file.write(source, count: min(count, room - place), at: place)
        return room < place + count ? .full : .done
    }

    /// Returns how far a file can grow, up to the wanted size.
    private func room(for size: Int, in file: MemoryFile) -> Int {
        guard fault.fullAt != nil, size > file.bytes.count else { return size }
        return min(size, file.bytes.count + max(0, Int(freeBytes)))
    }

    func resize(_ file: OpenFile, to size: Int) -> RunOutcome {
        writes += 1
        guard file.isUsable, happens(), !take(\.failNextWrite) else { return .failed }
        guard room(for: size, in: file.file) == size else { return .full }
        file.file.resize(to: size)
        return .done
    }

    func sync(_ file: OpenFile) -> RunOutcome {
        syncs += 1
        guard file.isUsable, happens() else { return .failed }
        owedMilliseconds += fault.slowSyncMilliseconds
        if take(\.failNextSync) {
            file.file.failSync(&dice)
            return .failed
        }
        guard !fault.lies else { return .done }
        file.file.sync()
        if file.syncsFolder {
            file.syncsFolder = false
            nameChanges = []
        }
        return .done
    }

    func syncNames() -> RunOutcome {
        syncs += 1
        guard happens() else { return .failed }
        owedMilliseconds += fault.slowSyncMilliseconds
        if take(\.failNextSync) { return .failed }
        if !fault.lies { nameChanges = [] }
        return .done
    }

    /// Reads as much as there is; `nil`: the read fails.
    func read(
        _ file: OpenFile, _ target: UnsafeMutableRawPointer, count: Int, at place: Int
    ) -> Int? {
        guard file.isUsable, !take(\.failNextRead) else { return nil }
        let length = file.file.bytes.read(target, count: count, at: place)
        if length >= UnsyncedChanges.sectorBytes, take(\.flipNextRead) {
            let (byte, bit) = (dice.below(length), dice.below(8))
            let flipped = target.load(fromByteOffset: byte, as: UInt8.self) ^ 1 << UInt8(bit)
            target.storeBytes(of: flipped, toByteOffset: byte, as: UInt8.self)
        }
        return length
    }

    private func take(_ path: WritableKeyPath<DiskFaults, Bool>) -> Bool {
        guard fault[keyPath: path] else { return false }
        fault[keyPath: path] = false
        return true
    }
}

// MARK: Names

extension SimulatedDisk {
    func file(named name: String) -> MemoryFile? { names[name] }

    /// Opens a file, or a new one without a name.
    func openFile(_ file: MemoryFile?) -> OpenFile {
        fileCount += file == nil ? 1 : 0
        let opened = OpenFile(
            file ?? MemoryFile(number: fileCount), on: self, life: Self.life)
        open[ObjectIdentifier(opened)] = opened
        return opened
    }

    func close(_ file: OpenFile) {
        guard !file.isOrphan else { return }
        file.release()
        open[ObjectIdentifier(file)] = nil
    }

    /// Creates an empty file.
    func create(_ name: String) -> MemoryFile {
        fileCount += 1
        let file = MemoryFile(number: fileCount)
        set([(name, file)])
        return file
    }

    /// Changes names, all of them or none. Returns whether it happens.
    func change(_ changes: [(name: String, file: MemoryFile?)]) -> Bool {
        writes += 1
        guard happens() else { return false }
        set(changes)
        return true
    }

    private func set(_ changes: [(name: String, file: MemoryFile?)]) {
        nameChanges.append(changes.map { ($0.name, names[$0.name]) })
        for (name, file) in changes { names[name] = file }
    }

    private func undoNames(keeping count: Int) {
        for changes in nameChanges[count...].reversed() {
            for (name, file) in changes.reversed() { names[name] = file }
        }
        nameChanges = []
    }
}

// MARK: For tests and judges

extension SimulatedDisk {
    /// The names of all files.
    package var paths: [String] { names.keys.sorted() }

    package func bytes(of path: String) -> [UInt8]? {
        names[path].map { $0.bytes.bytes(0..<$0.bytes.count) }
    }

    /// Where a bit flips.
    package enum Part: CaseIterable, Sendable {
        case data, log
    }

    private static let flipTries = 8
    /// How many bytes count as the newest.
    private static let newestBytes = 16_384

    /// Flips a bit of the data file or its log where it lies, but at no place that is spared.
    /// Returns where.
    @discardableResult
    package func flipBit(
        of part: Part? = nil, dice: Dice,
        sparing isSpared: (_ name: String, _ byte: Int) -> Bool = { _, _ in false }
    ) -> (name: String, byte: Int)? {
        var dice = dice
        guard let dataName else { return nil }
        let name = (part ?? dice.pick([.data, .log, .log])) == .log ? dataName + "-wal" : dataName
        guard let file = names[name], file.bytes.count > 0 else { return nil }
        // What was written last is proved by the least behind it. Much of a file is empty: rather a
        // byte that says something.
        let end = min(file.newestEnd, file.bytes.count)
        let isNewest = end > 0 && dice.chance(0.5)
        var place: Int?
        for _ in 0..<Self.flipTries {
            let byte =
                isNewest
                ? end - 1 - dice.below(min(end, Self.newestBytes))
                : dice.below(file.bytes.count)
            guard !isSpared(name, byte) else { continue }
            place = byte
            if file.bytes.bytes(byte..<byte + 1) != [0] { break }
        }
        guard let place else { return nil }
        file.bytes.flip(bit: place * 8 + dice.below(8))
        return (name, place)
    }

    /// Of all names and bytes.
    package func hash() -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ word: UInt64) {
            hash = (hash ^ word) &* 0x100_0000_01b3
            hash ^= hash >> 29
        }
        for (name, file) in names.sorted(by: { $0.key < $1.key }) {
            for byte in name.utf8 { add(UInt64(byte)) }
            add(UInt64(file.bytes.count))
            file.bytes.withStored { bytes in
                let words = bytes.count / 8
                for word in 0..<words {
                    add(bytes.load(fromByteOffset: word * 8, as: UInt64.self))
                }
                for byte in bytes[(words * 8)...] { add(UInt64(byte)) }
            }
        }
        return hash
    }
}
