internal import Dispatch

/// A serial executor over a dispatch queue of its own, for actors whose work blocks (SQLite,
/// files): it keeps that work off the cooperative pool, which has one thread a core.
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
