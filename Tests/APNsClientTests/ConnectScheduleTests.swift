import APNsClient
import HTTP2
import Testing

/// A pool's slots in a storm in which every connection is told to go five times a second, and a
/// handshake takes five milliseconds.
private struct Storm {
    private static let period: Int64 = 200
    private static let handshake: Int64 = 5
    /// One for all slots, or each slot its own: then they know nothing of each other.
    private var schedules: [ConnectSchedule]
    private var readyAt: [Int64?]
    private(set) var connects: [[Int64]]
    /// Milliseconds with a connection that can be used.
    private(set) var usable = 0

    init(slots: Int, sharing isShared: Bool) {
        let limits = ReconnectBackoff.Limits()
        schedules =
            isShared
            ? [ConnectSchedule(limits, slots: slots)]
            : Array(repeating: ConnectSchedule(limits, slots: 1), count: slots)
        readyAt = Array(repeating: nil, count: slots)
        connects = Array(repeating: [], count: slots)
    }

    mutating func rage(milliseconds: Int64) {
        for now in 0..<milliseconds {
            for slot in readyAt.indices {
                if now % Self.period == 0, readyAt[slot] != nil { strike(slot, at: now) }
                if readyAt[slot] == nil { open(slot, at: now) }
            }
            if readyAt.contains(where: { $0.map { $0 <= now } ?? false }) { usable += 1 }
        }
    }

    private func place(of slot: Int) -> (schedule: Int, slot: Int) {
        schedules.count == 1 ? (0, slot) : (slot, 0)
    }

    private mutating func strike(_ slot: Int, at now: Int64) {
        let place = place(of: slot)
        readyAt[slot] = nil
        schedules[place.schedule].ended(place.slot, at: now, usefulness: .responded)
    }

    private mutating func open(_ slot: Int, at now: Int64) {
        let place = place(of: slot)
        let time = schedules[place.schedule].nextConnect(of: place.slot, at: now, dice: 0)
        guard time <= now else { return }
        schedules[place.schedule].connects(place.slot, at: now)
        connects[slot].append(now)
        readyAt[slot] = now + Self.handshake
    }
}

@Suite("Connections that fell together come back one after the other")
struct ConnectScheduleTests {
    private let limits = ReconnectBackoff.Limits()

    private func gaps(_ times: [Int64]) -> [Int64] {
        zip(times, times.dropFirst()).map { $1 - $0 }
    }

    @Test("the first connects of all slots are due at once")
    func beginning() {
        var schedule = ConnectSchedule(limits, slots: 4)
        for slot in 0..<4 {
            #expect(schedule.nextConnect(of: slot, at: 0, dice: 0) <= 0)
            schedule.connects(slot, at: 0)
        }
    }

    @Test("of those that fell together the first comes back at once, the next a share later")
    func replacements() {
        var schedule = ConnectSchedule(limits, slots: 4)
        for slot in 0..<4 { schedule.connects(slot, at: 0) }
        for slot in 0..<4 { schedule.ended(slot, at: 5_000, usefulness: .responded) }
        for slot in 0..<4 {
            let time = 5_000 + 250 * Int64(slot)
            let next = schedule.nextConnect(of: slot, at: 5_000, dice: 0)
            #expect(max(next, 5_000) == time)
            schedule.connects(slot, at: time)
        }
    }

    @Test("connections that were lost long ago are opened like the first ones")
    func idle() {
        var schedule = ConnectSchedule(limits, slots: 4)
        for slot in 0..<4 { schedule.connects(slot, at: 0) }
        for slot in 0..<4 { schedule.ended(slot, at: 5_000, usefulness: .responded) }
        let later = 5_001 + limits.maxMilliseconds
        for slot in 0..<4 {
            #expect(schedule.nextConnect(of: slot, at: later, dice: 0) <= later)
            schedule.connects(slot, at: later)
        }
    }

    @Test("a pause is rolled once: to ask again does not make it longer")
    func rolledOnce() {
        var schedule = ConnectSchedule(limits, slots: 1)
        schedule.connects(0, at: 0)
        schedule.ended(0, at: 10, usefulness: .failed)
        schedule.connects(0, at: 2_000)
        schedule.ended(0, at: 2_010, usefulness: .failed)
        let first = schedule.nextConnect(of: 0, at: 2_010, dice: 0)
        #expect(schedule.nextConnect(of: 0, at: 2_010, dice: 999) == first)
        schedule.connects(0, at: first)
        schedule.ended(0, at: first + 10, usefulness: .failed)
        #expect(schedule.nextConnect(of: 0, at: first + 10, dice: 0) > first)
    }

    @Test("PR7, PR8: told to go five times a second, eight slots are seldom without a connection")
    func storm() throws {
        let minute: Int64 = 60_000
        var storm = Storm(slots: 8, sharing: true)
        storm.rage(milliseconds: minute)
        #expect(Double(storm.usable) / Double(minute) > 0.6)
        for times in storm.connects {
            #expect(try #require(gaps(times).min()) >= limits.minMilliseconds)
        }
        let replacements = storm.connects.flatMap { $0.dropFirst() }.sorted()
        #expect(try #require(gaps(replacements).min()) >= limits.minMilliseconds / 8)
        // Control: slots that know nothing of each other come and go together.
        var burst = Storm(slots: 8, sharing: false)
        burst.rage(milliseconds: minute)
        #expect(Double(burst.usable) / Double(minute) < 0.25)
    }
}
