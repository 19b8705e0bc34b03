internal import Glibc
internal import Isolation
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

/// The executors of the process: on a thread that runs a world they are its scheduler, on all other
/// threads those of the platform.
///
/// The only file that uses the experimental interface of executors.
enum SimulatedExecutors {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        precondition(status == 0, "pthread_key_create returned \(status)")
        return key
    }()
    private static let pool = Pool()
    private static let installed: Void = _createExecutors(factory: Factory.self)
    private static let foreign = Locked<[String]>([])

    /// The scheduler of the current thread.
    static var current: Scheduler? {
        pthread_getspecific(key).map {
            Unmanaged<Scheduler>.fromOpaque($0).takeUnretainedValue()
        }
    }

    static func install() { installed }

    static func run<Result>(_ scheduler: Scheduler, _ body: () -> Result) -> Result {
        precondition(current == nil, "a world runs within another")
        install()
        pthread_setspecific(key, Unmanaged.passUnretained(scheduler).toOpaque())
        defer { pthread_setspecific(key, nil) }
        return withExtendedLifetime(scheduler) { body() }
    }

    @inline(__always)
    static func run(_ job: UnownedJob, on executor: UnownedSerialExecutor?) {
        if let executor {
            job.runSynchronously(on: executor)
        } else {
            job.runSynchronously(on: pool.asUnownedTaskExecutor())
        }
    }

    /// Another thread added a job to a lane of a world, where its place is not drawn.
    static func noteForeign(_ job: UnownedJob, lane: String) {
        foreign.withLock { $0.append("\(job) for the lane \(lane)") }
    }

    static var foreignCount: Int { foreign.withLock { $0.count } }

    /// The jobs that other threads added to lanes since the last call.
    static func takeForeign() -> [String] {
        foreign.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
    }

    /// The default executor.
    private final class Pool: TaskExecutor, SchedulingExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            if let scheduler = SimulatedExecutors.current {
                scheduler.add(UnownedJob(job))
            } else {
                PlatformExecutorFactory.defaultExecutor.enqueue(job)
            }
        }

        // `Task.sleep` reads the machine's clock: it ends at once, and the run fails.
        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?,
            clock: C
        ) {
            if let scheduler = SimulatedExecutors.current {
                scheduler.trip("Task.sleep")
                scheduler.add(UnownedJob(job))
            } else {
                (PlatformExecutorFactory.defaultExecutor as? any SchedulingExecutor)?.enqueue(
                    job, after: delay, tolerance: tolerance, clock: clock)
            }
        }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
        ) {
            if let scheduler = SimulatedExecutors.current {
                scheduler.trip("Task.sleep")
                scheduler.add(UnownedJob(job))
            } else {
                (PlatformExecutorFactory.defaultExecutor as? any SchedulingExecutor)?.enqueue(
                    job, at: instant, tolerance: tolerance, clock: clock)
            }
        }
    }

    private struct Factory: ExecutorFactory {
        static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
        static var defaultExecutor: any TaskExecutor { pool }
    }
}
