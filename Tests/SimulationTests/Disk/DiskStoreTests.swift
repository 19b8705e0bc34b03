internal import GameLogic
internal import Isolation
internal import PartyStore
internal import Simulation
internal import Testing

/// How the next read goes wrong.
enum WrongRead: CaseIterable, Sendable {
    case flipped, failed

    var fault: DiskFaults {
        var fault = DiskFaults()
        switch self {
        case .flipped: fault.flipNextRead = true
        case .failed: fault.failNextRead = true
        }
        return fault
    }
}

@Suite struct DiskStoreTests {
    init() throws { try Scheduler.install() }

    @Test("PR9: a full disk gives the store's own error, and writing resumes with new room")
    func fullDisk() throws {
        try DiskStore.play(1) { scheduler, disk in
            let result = DiskStore.live(scheduler) {
                let store = try await DiskStore.open()
                for _ in 0..<20 { try await store.commit() }
                disk.fault.fullAt = disk.usedBytes
                await #expect(throws: StoreError.self) {
                    for _ in 0..<200 { try await store.commit() }
                }
                let stopped = try await store.version()
                disk.fault.fullAt = nil
                await scheduler.wait(until: scheduler.now + 5000)
                try await store.commit()
                #expect(try await store.version() == stopped.map { $0 + 1 })
                await store.store.close()
                return store.events.withLock { $0 }
            }
            let events = try #require(try result?.get())
            #expect(events.count == 2)
            #expect(events.last == .writingResumed)
            guard case .writingStopped(let words) = events.first else {
                Issue.record("\(events)")
                return
            }
            #expect(words.contains("full"))
        }
    }

    @Test("PR9: the ballast gives a full disk room, and is made again")
    func ballast() throws {
        try DiskStore.play(2) { scheduler, disk in
            let result = DiskStore.live(scheduler) {
                let store = try await DiskStore.open(ballastBytes: 4 << 20)
                try await store.commit()
                disk.fault.fullAt = disk.usedBytes
                for _ in 0..<200 { try await store.commit() }
                disk.fault.fullAt = nil
                for _ in 0..<40 { try await store.commit() }
                await store.store.close()
                return store.events.withLock { $0 }
            }
            let events = try result?.get()
            #expect(events == [.ballastMade, .ballastFreed, .ballastMade])
        }
    }

    @Test("PR10: a flipped bit of the data file is found, or changes nothing that is read")
    func flippedBits() throws {
        try DiskStore.play(3) { scheduler, disk in
            let before = DiskStore.live(scheduler) {
                let store = try await DiskStore.open()
                for _ in 0..<30 { try await store.commit() }
                let party = try await store.store.party(PartyID("party-1"))
                await store.store.close()
                return String(describing: party)
            }
            let whole = try #require(try before?.get())
            var found = 0
            for number in 0..<300 {
                let dice = scheduler.dice("flip", "\(number)")
                #expect(disk.flipBit(of: .data, dice: dice) != nil)
                let result = DiskStore.live(scheduler) {
                    let store = try await DiskStore.open()
                    let problems = try await store.store.check()
                    let party = try await store.store.party(PartyID("party-1"))
                    await store.store.close()
                    return (problems, String(describing: party))
                }
                switch result {
                case .success(([], let party)): #expect(party == whole, "flip \(number)")
                default: found += 1
                }
                disk.flipBit(of: .data, dice: dice)
            }
            #expect(found > 15)
        }
    }

    @Test("PR10: a flipped bit of the log is found, or costs the last commit at most")
    func flippedLog() throws {
        var found = 0
        for seed in 0..<100 as Range<UInt64> {
            try DiskStore.play(seed) { scheduler, disk in
                let before = DiskStore.live(scheduler) {
                    let store = try await DiskStore.open()
                    for _ in 0..<30 { try await store.commit() }
                    return store
                }
                // It is still open when the power is lost.
                let store = try #require(try before?.get())
                disk.afterDeath(powerLost: true)
                #expect(disk.flipBit(of: .log, dice: scheduler.dice("flip", "log")) != nil)
                let after = DiskStore.live(scheduler) {
                    let store = try await DiskStore.open()
                    let version = try await store.version()
                    await store.store.close()
                    return version
                }
                switch after {
                case .success(let left):
                    #expect([29, 30].contains(left ?? 0), "seed \(seed)")
                default: found += 1
                }
                withExtendedLifetime(store) {}
            }
        }
        #expect(found > 50)
    }

    @Test(
        "PR10: a page that is read wrongly is found, or changes nothing, and the next start is sound",
        arguments: WrongRead.allCases)
    func wrongReads(_ read: WrongRead) throws {
        var found = 0
        for seed in 0..<60 as Range<UInt64> {
            try DiskStore.play(seed) { scheduler, disk in
                let before = DiskStore.live(scheduler) {
                    let store = try await DiskStore.open()
                    for _ in 0..<30 { try await store.commit() }
                    await store.store.close()
                }
                _ = try #require(try before?.get())
                let spoilt = DiskStore.live(scheduler) {
                    let store = try await DiskStore.open()
                    disk.fault = read.fault
                    let problems = try await store.store.check()
                    let version = try await store.version()
                    await store.store.close()
                    return (problems, version)
                }
                switch spoilt {
                case .success(([], let version)): #expect(version == 30, "seed \(seed)")
                default: found += 1
                }
                disk.fault = DiskFaults()
                let after = DiskStore.live(scheduler) {
                    let store = try await DiskStore.open()
                    let problems = try await store.store.check()
                    await store.store.close()
                    return problems
                }
                let problems = try after?.get()
                #expect(problems == [], "seed \(seed)")
            }
        }
        #expect(found > 0)
    }

    @Test("PR11: a store waits for another program's lock in the world's time, then says so")
    func foreignLock() throws {
        try DiskStore.play(4) { scheduler, disk in
            let result = DiskStore.live(scheduler) {
                let store = try await DiskStore.open()
                try await store.commit()
                disk.fault.foreignLock = true
                await #expect(throws: StoreError.self) { try await store.commit() }
                #expect(disk.takeDelay() >= 4000)
                disk.fault.foreignLock = false
                try await store.commit()
                await store.store.close()
                return true
            }
            let isDone = try result?.get()
            #expect(isDone == true)
        }
    }
}
