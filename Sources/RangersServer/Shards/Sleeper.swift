internal import Isolation
package import PushPolicy

/// A sleep that others can interrupt. One task sleeps at a time.
package final class Sleeper: Sendable {
    private enum State {
        case awake
        /// Woken before the sleep began: the next sleep returns at once.
        case woken
        case asleep(until: WallTime, Task<Void, Never>)
        /// Waits only for `wake`; the clock is not involved.
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let clock: ServerClock
    private let state = Locked(State.awake)

    package init(_ clock: ServerClock) { self.clock = clock }

    /// Sleeps until that time or until `wake`, including one just before the call.
    package func sleep(until time: WallTime, _ rest: ServerClock.Rest = .done) async {
        let clock = clock
        let task = state.withLock { state -> Task<Void, Never>? in
            if case .woken = state {
                state = .awake
                return nil
            }
            // Awaited below; unstructured so that `wake` can cancel it.
            let task = Task { await clock.sleep(time, rest) }
            state = .asleep(until: time, task)
            return task
        }
        guard let task else { return }
        await task.value
        state.withLock { $0 = .awake }
    }

    /// Waits until `wake`, including one just before the call, without a time limit.
    package func untilWoken() async {
        await withCheckedContinuation { continuation in
            let isWoken = state.withLock { state -> Bool in
                if case .woken = state {
                    state = .awake
                    return true
                }
                state = .waiting(continuation)
                return false
            }
            if isWoken { continuation.resume() }
        }
    }

    /// Ends the sleep if it would last beyond that time.
    package func wake(by time: WallTime = WallTime(milliseconds: .min)) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            switch state {
            case .awake, .woken:
                state = .woken
            case .asleep(let until, let task):
                if time < until { task.cancel() }
            case .waiting(let continuation):
                state = .awake
                return continuation
            }
            return nil
        }
        waiting?.resume()
    }
}
