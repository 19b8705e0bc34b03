package import HTTP2

/// Decides when each slot of a pool may connect. Pure: time and random numbers are parameters.
///
/// Each slot has its own pauses (`ReconnectBackoff`). Replacements of connections lost recently
/// also keep a distance from each other, a share of the slots' shortest pause, so that connections
/// lost together do not return in one burst and one is always being opened.
package struct ConnectSchedule: Sendable {
    private struct Slot {
        var backoff: ReconnectBackoff
        /// The time by the slot's own pauses, drawn once for each connect.
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

    /// Returns the earliest time of the slot's next connect, as far as known: another slot may come
    /// first. `dice` is any random number.
    package mutating func nextConnect(of slot: Int, at now: Int64, dice: UInt64) -> Int64 {
        let due = slots[slot].due ?? slots[slot].backoff.nextConnect(dice: dice)
        slots[slot].due = due
        guard isReplacement(slot, at: now), let lastReplacement else { return due }
        return max(due, lastReplacement + gapMilliseconds)
    }

    /// Records that the slot starts to connect.
    package mutating func connects(_ slot: Int, at now: Int64) {
        if isReplacement(slot, at: now) { lastReplacement = now }
        slots[slot].due = nil
        slots[slot].backoff.connects(at: now)
    }

    /// Records that the slot's connection has ended.
    package mutating func ended(
        _ slot: Int, at now: Int64, usefulness: ReconnectBackoff.Usefulness
    ) {
        slots[slot].lostAt = now
        slots[slot].backoff.ended(at: now, usefulness: usefulness)
    }

    /// Returns whether a connect replaces a recent loss. After a longer time than any pause it does
    /// not: work starts anew and needs all slots.
    private func isReplacement(_ slot: Int, at now: Int64) -> Bool {
        slots[slot].lostAt.map { now - $0 <= limits.maxMilliseconds } ?? false
    }
}
