internal import Isolation
package import PushPolicy

/// A sleep that others can cut short. One task sleeps at a time.
package final class Sleeper: Sendable {
    private struct State {
        var until: WallTime?
        var task: Task<Void, Never>?
        var wasWoken = false
    }

    private let clock: ServerClock
    private let state = Locked(State())

    package init(_ clock: ServerClock) { self.clock = clock }

    /// Sleeps until that time, or until somebody wakes it: also if that was just before.
    package func sleep(until time: WallTime) async {
        let clock = clock
        let task: Task<Void, Never>? = state.withLock { state in
            if state.wasWoken {
                state.wasWoken = false
                return nil
            }
            // Awaited below; unstructured so that `wake` can cancel it.
            let task = Task { await clock.sleep(time) }
            state.until = time
            state.task = task
            return task
        }
        await task?.value
        state.withLock { $0 = State() }
    }

    /// Ends the sleep if it would last beyond that time.
    package func wake(by time: WallTime = WallTime(milliseconds: .min)) {
        state.withLock { state in
            guard let until = state.until, let task = state.task else {
                state.wasWoken = true
                return
            }
            guard time < until else { return }
            task.cancel()
        }
    }
}
