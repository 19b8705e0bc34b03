internal import Dispatch

/// A serial executor with its own dispatch queue, for actors whose work blocks (SQLite, files): it
/// keeps that work off the cooperative pool, which has one thread per core. In a simulation it is
/// a lane of its thread.
package final class QueueExecutor: SerialExecutor {
    private enum Place {
        case queue(DispatchQueue)
        case lane(Int, any SimulatedThread)
    }
    private let place: Place

    package init(label: String) {
        place =
            if let thread = SimulatedThreads.current {
                .lane(thread.makeLane(label), thread)
            } else {
                .queue(DispatchQueue(label: label))
            }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        switch place {
        case .queue(let queue): queue.async { job.runSynchronously(on: executor) }
        case .lane(let lane, let thread): thread.add(job, on: executor, toLane: lane)
        }
    }
}
