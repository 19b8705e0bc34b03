internal import Isolation
package import PushPolicy
package import RangersServer

/// A clock that only advances on request, so that a whole server runs an adventure without waiting.
package final class VirtualClock: Sendable {
    private struct Sleeper {
        let until: WallTime
        let rest: ServerClock.Rest
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct Watcher {
        let sleepers: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now: WallTime
        /// How far the wall clock is ahead of `now`, in milliseconds.
        var wallOffset: Int64 = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [Watcher] = []
        var cancelled: Set<Int> = []
        var nextNumber = 0

        /// The tasks that sleep with everything done.
        var sleeping: Int { sleepers.values.count { $0.rest == .done } }
    }

    private let state: Locked<State>
    private let bootID: String

    /// Creates the clock of a machine. Two clocks of the same boot show the same time since it.
    package init(
        now: WallTime = WallTime(milliseconds: 1_685_952_000_000), bootID: String = "boot-1"
    ) {
        state = Locked(State(now: now))
        self.bootID = bootID
    }

    package var now: WallTime { state.withLock { $0.now } }

    /// The clock for the server.
    package var serverClock: ServerClock {
        ServerClock(
            now: { self.now },
            machine: ServerClock.Machine(
                bootID: bootID, sinceBoot: { self.now.milliseconds }, wall: { self.wall }),
            sleep: { await self.wait(until: $0, $1) })
    }

    /// What the wall clock shows.
    package var wall: WallTime {
        state.withLock { $0.now.adding(milliseconds: $0.wallOffset) }
    }

    /// Steps the wall clock.
    package func stepWall(bySeconds seconds: Int64) { stepWall(byMilliseconds: seconds * 1000) }

    /// Steps the wall clock, or lets it drift away.
    package func stepWall(byMilliseconds step: Int64) {
        state.withLock { $0.wallOffset += step }
    }

    /// Advances to that time and wakes the sleepers due by then, earliest first, and of the same
    /// time that first that fell asleep first.
    package func advance(to time: WallTime) {
        let woken = state.withLock { state -> [Sleeper] in
            state.now = max(state.now, time)
            let due = state.sleepers.filter { $0.value.until <= state.now }
                .sorted { ($0.value.until, $0.key) < ($1.value.until, $1.key) }
            for number in due.map(\.key) { state.sleepers[number] = nil }
            return due.map(\.value)
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// The next sleeper's time; `nil`: nothing sleeps.
    package var nextSleeper: WallTime? {
        state.withLock { $0.sleepers.values.map(\.until).min() }
    }

    /// How many tasks sleep and wait for something else too.
    package var waiting: Int { state.withLock { $0.sleepers.values.count { $0.rest == .waiting } } }

    /// Whether this many tasks sleep with everything done.
    package func isAsleep(_ count: Int) -> Bool { state.withLock { $0.sleeping >= count } }

    /// Waits until this many tasks sleep with everything done, so that none is still working.
    package func untilAsleep(_ count: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.watchers.append(Watcher(sleepers: count, continuation: continuation))
            }
            tellWatchers()
        }
    }

    /// Returns at that time, or when the task is cancelled.
    package func wait(until time: WallTime, _ rest: ServerClock.Rest = .done) async {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    let isOver = state.cancelled.remove(number) != nil || time <= state.now
                    if !isOver {
                        state.sleepers[number] = Sleeper(
                            until: time, rest: rest, continuation: continuation)
                    }
                    return isOver
                }
                if isOver { continuation.resume() }
                tellWatchers()
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: number)
                if sleeper == nil { state.cancelled.insert(number) }
                return sleeper
            }
            sleeper?.continuation.resume()
        }
    }

    private func tellWatchers() {
        let satisfied = state.withLock { state in
            let sleeping = state.sleeping
            let satisfied = state.watchers.filter { $0.sleepers <= sleeping }
            state.watchers.removeAll { $0.sleepers <= sleeping }
            return satisfied
        }
        for watcher in satisfied { watcher.continuation.resume() }
    }
}
