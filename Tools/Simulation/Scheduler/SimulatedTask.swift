internal import Isolation

extension Scheduler {
    /// Runs `body` as the world, with the task-local values of the caller; blocks its thread.
    ///
    /// - Throws: What `body` throws, or `NeverEnded` if it waits for what never happens.
    package static func perform(
        seed: UInt64, mode: Mode = .uniform, _ body: @escaping @Sendable () async throws -> Void
    ) throws {
        let (entrance, end) = (Entrance(), Locked<Result<Void, any Error>?>(nil))
        // The world waits for it.
        Task(executorPreference: entrance, priority: .medium) {
            let result: Result<Void, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            end.withLock { $0 = result }
        }
        perform(seed: seed, mode: mode) { scheduler in
            entrance.open(to: scheduler)
            scheduler.run { end.withLock { $0 != nil } }
        }
        guard let end = end.withLock({ $0 }) else { throw NeverEnded() }
        try end.get()
    }

    /// A task waits for what never happens: nothing is left to do.
    package struct NeverEnded: Error, CustomStringConvertible {
        package let description = "nothing is left to do, and the test has not ended"
    }

    /// Takes a task from its caller's thread to that of the world.
    private final class Entrance: TaskExecutor {
        private let waiting = Locked<[UnownedJob]>([])

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            if let scheduler = SimulatedExecutors.current {
                scheduler.add(job)
            } else {
                waiting.withLock { $0.append(job) }
            }
        }

        func open(to scheduler: Scheduler) {
            for job in waiting.withLock({ $0 }) { scheduler.add(job) }
        }
    }
}
