package import HTTP2

/// When each slot of a pool may connect. Pure: time and dice are parameters.
///
/// Each slot has its own pauses (`ReconnectBackoff`). What replaces a connection that was lost just
/// now keeps a distance from the other replacements besides, a share of the slots' shortest pause:
/// those that fell together do not come back as one burst, and one is always on its way back.
package struct ConnectSchedule: Sendable {
    private struct Slot {
        var backoff: ReconnectBackoff
        /// By the slot's own manners; rolled once for each connect.
        var due: Int64?
        var lostAt: Int64?
    }

    private let limits: ReconnectBackoff.Limits
    private let gapMilliseconds: Int64
    private var slots: [Slot]
    private var lastReplacement: Int64?

    package init(_ limits: ReconnectBackoff.Limits, slots count: Int) {
        self.limits = limits
        gapMilliseconds = limits.minMilliseconds / Int64(max(1, count))
        slots = Array(repeating: Slot(backoff: ReconnectBackoff(limits)), count: count)
    }

    /// The earliest time of the slot's next connect, as far as is known now: another slot may
    /// come before it. `dice` is any random number.
    package mutating func nextConnect(of slot: Int, at now: Int64, dice: UInt64) -> Int64 {
        let due = slots[slot].due ?? slots[slot].backoff.nextConnect(dice: dice)
        slots[slot].due = due
        guard isReplacement(slot, at: now), let lastReplacement else { return due }
        return max(due, lastReplacement + gapMilliseconds)
    }

    /// Notes a connect of the slot that begins now.
    package mutating func connects(_ slot: Int, at now: Int64) {
        if isReplacement(slot, at: now) { lastReplacement = now }
        slots[slot].due = nil
        slots[slot].backoff.connects(at: now)
    }

    /// The slot's connection is over.
    package mutating func ended(
        _ slot: Int, at now: Int64, usefulness: ReconnectBackoff.Usefulness
    ) {
        slots[slot].lostAt = now
        slots[slot].backoff.ended(at: now, usefulness: usefulness)
    }

    /// What was lost longer ago than any pause lasts is not replaced: work begins anew, and wants
    /// all slots.
    private func isReplacement(_ slot: Int, at now: Int64) -> Bool {
        slots[slot].lostAt.map { now - $0 <= limits.maxMilliseconds } ?? false
    }
}
