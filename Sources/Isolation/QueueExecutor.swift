internal import Dispatch

/// A serial executor with its own dispatch queue, for actors whose work blocks (SQLite, files): it
/// keeps that work off the cooperative pool, which has one thread per core.
package final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
