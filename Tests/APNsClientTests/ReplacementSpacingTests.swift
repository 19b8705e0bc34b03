import APNsClient
import HTTP2
import Testing

/// A pool's slots in a storm in which every connection is told to go five times a second:
/// milliseconds are a loop's rounds, and a handshake takes five.
private struct Storm {
    private struct Slot {
        var backoff = ReconnectBackoff(ReconnectBackoff.Limits())
        var isReplacement = false
        var readyAt: Int64?
        var connects: [Int64] = []
    }

    private static let period: Int64 = 200
    private static let handshake: Int64 = 5
    private var slots: [Slot]
    private var spacing: ReplacementSpacing?
    private(set) var usable = 0
    /// Connects that replaced others, in all slots together.
    private(set) var replacements: [Int64] = []

    /// `spacing` is `nil` for a pool that has none.
    init(slots count: Int, spacing: ReplacementSpacing?) {
        slots = Array(repeating: Slot(), count: count)
        self.spacing = spacing
    }

    var shortestPause: Int64? {
        slots.flatMap { slot in zip(slot.connects, slot.connects.dropFirst()).map { $1 - $0 } }
            .min()
    }

    mutating func rage(milliseconds: Int64) {
        for now in 0..<milliseconds {
            if now % Self.period == 0 { strike(at: now) }
            for index in slots.indices where slots[index].readyAt == nil { open(index, at: now) }
            if slots.contains(where: { $0.readyAt.map { $0 <= now } ?? false }) { usable += 1 }
        }
    }

    private mutating func strike(at now: Int64) {
        for index in slots.indices where slots[index].readyAt != nil {
            slots[index].readyAt = nil
            slots[index].backoff.ended(at: now, usefulness: .answered)
        }
    }

    private mutating func open(_ index: Int, at now: Int64) {
        var time = slots[index].backoff.nextConnect(dice: 0)
        if slots[index].isReplacement, let spacing { time = spacing.earliest(from: time) }
        guard time <= now else { return }
        slots[index].backoff.connects(at: now)
        slots[index].connects.append(now)
        slots[index].readyAt = now + Self.handshake
        if slots[index].isReplacement {
            spacing?.replaces(at: now)
            replacements.append(now)
        }
        slots[index].isReplacement = true
    }
}

@Suite("Connections that fell together come back one after the other")
struct ReplacementSpacingTests {
    private let limits = ReconnectBackoff.Limits()

    @Test("the first comes back when its slot may, the next a share of the slots' pause later")
    func gaps() {
        var spacing = ReplacementSpacing(limits, slots: 4)
        #expect(spacing.earliest(from: 7) == 7)
        spacing.replaces(at: 7)
        #expect(spacing.earliest(from: 8) == 257)
        #expect(spacing.earliest(from: 300) == 300)
        spacing.replaces(at: 300)
        #expect(spacing.earliest(from: 300) == 550)
    }

    @Test("one slot is not kept longer than by its own pause; no slots are no division by zero")
    func few() {
        var alone = ReplacementSpacing(limits, slots: 1)
        alone.replaces(at: 0)
        #expect(alone.earliest(from: 0) == limits.minMilliseconds)
        var none = ReplacementSpacing(limits, slots: 0)
        none.replaces(at: 0)
        #expect(none.earliest(from: 0) == limits.minMilliseconds)
    }

    @Test(
        "R7, R8: where all are told to go five times a second, eight slots leave little time without"
    )
    func storm() throws {
        let minute: Int64 = 60_000
        var storm = Storm(slots: 8, spacing: ReplacementSpacing(limits, slots: 8))
        storm.rage(milliseconds: minute)
        #expect(Double(storm.usable) / Double(minute) > 0.6)
        #expect(try #require(storm.shortestPause) >= limits.minMilliseconds)
        let gaps = zip(storm.replacements, storm.replacements.dropFirst()).map { $1 - $0 }
        #expect(try #require(gaps.min()) >= limits.minMilliseconds / 8)
        // Control: without spacing all come and go together.
        var burst = Storm(slots: 8, spacing: nil)
        burst.rage(milliseconds: minute)
        #expect(Double(burst.usable) / Double(minute) < 0.25)
    }
}
