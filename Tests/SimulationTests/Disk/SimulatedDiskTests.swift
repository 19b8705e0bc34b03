internal import Glibc
internal import Simulation
internal import Testing

@testable internal import PartyStore

@Suite struct SimulatedDiskTests {
    private static let seeds = 0..<200 as Range<UInt64>

    /// What a file is after a loss of power, with each of many dice; `nil`: it is missing.
    private func outcomes(
        _ path: String = "/data/file", _ body: (SimulatedDisk, any FileCalls) -> Void
    ) -> Set<[UInt8]?> {
        Set(
            Self.seeds.map { seed in
                let disk = SimulatedDisk(dice: Dice(seed: seed))
                body(disk, disk.disk.calls)
                disk.afterDeath(powerLost: true)
                return disk.bytes(of: path)
            })
    }

    private func write(
        _ calls: any FileCalls, _ bytes: [UInt8], to path: String = "/data/file",
        syncs: Bool = false
    ) {
        let descriptor = calls.open(path, O_RDWR | O_CREAT, mode: 0o600)
        _ = bytes.withUnsafeBytes { calls.write(descriptor, $0) }
        if syncs {
            _ = calls.sync(descriptor)
            _ = calls.sync(calls.open("/data/", O_RDONLY | O_DIRECTORY, mode: 0))
        }
        calls.close(descriptor)
    }

    private func bytes(_ value: UInt8, _ count: Int) -> [UInt8] {
        [UInt8](repeating: value, count: count)
    }

    @Test("What was synced is kept")
    func synced() {
        let found = outcomes { write($1, bytes(1, 3000), syncs: true) }
        #expect(found == [bytes(1, 3000)])
    }

    @Test("A sector is as a prefix of its unsynced writes made it, never torn")
    func prefixes() {
        let found = outcomes { _, calls in
            write(calls, bytes(1, 512), syncs: true)
            for value in 2...3 as ClosedRange<UInt8> { write(calls, bytes(value, 512)) }
        }
        #expect(found == [bytes(1, 512), bytes(2, 512), bytes(3, 512)])
    }

    @Test("Sectors are kept each by itself")
    func sectors() {
        let found = outcomes { _, calls in
            write(calls, bytes(1, 1024), syncs: true)
            write(calls, bytes(2, 1024))
        }
        let (old, new) = (bytes(1, 512), bytes(2, 512))
        #expect(found == [old + old, old + new, new + old, new + new])
    }

    @Test("A write that ends within a sector leaves the sector's rest")
    func partOfASector() {
        let found = outcomes { _, calls in
            write(calls, bytes(1, 700), syncs: true)
            write(calls, bytes(2, 600))
        }
        let whole = bytes(2, 600) + bytes(1, 100)
        let first = bytes(2, 512) + bytes(1, 188)
        let second = bytes(1, 512) + bytes(2, 88) + bytes(1, 100)
        #expect(found == [bytes(1, 700), whole, first, second])
    }

    @Test("A truncation has happened or not")
    func truncation() {
        let found = outcomes { _, calls in
            write(calls, bytes(1, 2000), syncs: true)
            _ = calls.truncate("/data/file", to: 100)
        }
        #expect(found == [bytes(1, 2000), bytes(1, 100)])
    }

    @Test("A deletion, a creation and a renaming have happened or not until the folder is synced")
    func names() {
        let deleted = outcomes { _, calls in
            write(calls, bytes(1, 9), syncs: true)
            _ = calls.remove("/data/file")
        }
        #expect(deleted == [bytes(1, 9), nil])
        let created = outcomes { _, calls in
            let descriptor = calls.open("/data/file", O_RDWR | O_CREAT, mode: 0o600)
            _ = bytes(1, 9).withUnsafeBytes { calls.write(descriptor, $0) }
            _ = calls.sync(descriptor)
        }
        #expect(created == [bytes(1, 9), nil])
        let renamed = outcomes { _, calls in
            write(calls, bytes(1, 9), syncs: true)
            write(calls, bytes(2, 9), to: "/data/new", syncs: true)
            _ = calls.rename("/data/new", to: "/data/file")
        }
        #expect(renamed == [bytes(1, 9), bytes(2, 9)])
    }

    @Test("What a failed sync has dropped is not made durable by a later one, but is read")
    func failedSync() {
        let found = outcomes { disk, calls in
            write(calls, bytes(1, 512), syncs: true)
            write(calls, bytes(2, 512))
            disk.fault.failNextSync = true
            let descriptor = calls.open("/data/file", O_RDWR, mode: 0)
            #expect(calls.sync(descriptor) == -1)
            #expect(calls.sync(descriptor) == 0)
            #expect(disk.bytes(of: "/data/file") == bytes(2, 512))
        }
        #expect(found == [bytes(1, 512), bytes(2, 512)])
    }

    @Test("What a failed sync has dropped is durable once it was written again and synced")
    func healedSync() {
        let found = outcomes { disk, calls in
            write(calls, bytes(1, 512), syncs: true)
            write(calls, bytes(2, 512))
            disk.fault.failNextSync = true
            _ = calls.sync(calls.open("/data/file", O_RDWR, mode: 0))
            write(calls, bytes(3, 100), syncs: true)
        }
        #expect(found == [bytes(3, 100) + bytes(2, 412)])
    }

    @Test("A full disk takes what fits, and room comes back with a deletion")
    func full() {
        let disk = SimulatedDisk(dice: Dice(seed: 1))
        let calls = disk.disk.calls
        write(calls, bytes(1, 1000), to: "/data/other")
        disk.fault.fullAt = 1600
        #expect(calls.freeBytes(in: "/data/") == 600)
        write(calls, bytes(2, 1000))
        #expect(disk.bytes(of: "/data/file") == bytes(2, 600))
        #expect(calls.allocate(calls.open("/data/file", O_RDWR, mode: 0), bytes: 700) == ENOSPC)
        _ = calls.remove("/data/other")
        #expect(calls.allocate(calls.open("/data/file", O_RDWR, mode: 0), bytes: 700) == 0)
        #expect(disk.bytes(of: "/data/file") == bytes(2, 600) + bytes(0, 100))
    }

    @Test("A slow sync is reported once, to who waits for it")
    func slowSync() {
        let disk = SimulatedDisk(dice: Dice(seed: 1))
        disk.fault.slowSyncMilliseconds = 300
        let descriptor = disk.disk.calls.open("/data/file", O_RDWR | O_CREAT, mode: 0o600)
        _ = disk.disk.calls.sync(descriptor)
        #expect(disk.takeDelay() == 300)
        #expect(disk.takeDelay() == 0)
    }

    @Test("After a death the files of the dead are of no use, and their locks are free")
    func orphans() throws {
        let disk = SimulatedDisk(dice: Dice(seed: 1))
        let calls = disk.disk.calls
        let dead = calls.open("/data/file", O_RDWR | O_CREAT, mode: 0o600)
        #expect(calls.lock(dead, LOCK_EX | LOCK_NB) == 0)
        let next = calls.open("/data/file", O_RDWR, mode: 0)
        #expect(calls.lock(next, LOCK_SH | LOCK_NB) == -1)
        disk.die(inWrite: 1) {}
        #expect(calls.sync(next) == -1)
        #expect(calls.open("/data/file", O_RDWR, mode: 0) == -1)
        disk.afterDeath(powerLost: false)
        #expect(bytes(1, 9).withUnsafeBytes { calls.write(dead, $0) } == -1)
        let new = calls.open("/data/file", O_RDWR, mode: 0)
        #expect(calls.lock(new, LOCK_EX | LOCK_NB) == 0)
    }
}
