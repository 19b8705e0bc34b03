internal import Glibc

/// What a simulation puts in place of dispatch queues and of the system's random numbers, for all
/// that runs on its thread.
package protocol SimulatedThread: AnyObject, Sendable {
    /// Returns the number of a new lane: its jobs run one at a time, in order.
    func makeLane(_ label: String) -> Int
    /// Runs a job later, on its executor.
    func add(_ job: UnownedJob, on executor: UnownedSerialExecutor, toLane lane: Int)
    /// Returns 64 random bits.
    func randomBits() -> UInt64
}

/// The simulation of the current thread.
package enum SimulatedThreads {
    private final class Box {
        let thread: any SimulatedThread
        init(_ thread: any SimulatedThread) { self.thread = thread }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        precondition(status == 0, "pthread_key_create returned \(status)")
        return key
    }()

    /// `nil`, as on every thread of a server: the machine's queues and random numbers are used.
    package static var current: (any SimulatedThread)? {
        pthread_getspecific(key).map {
            Unmanaged<Box>.fromOpaque($0).takeUnretainedValue().thread
        }
    }

    /// Runs `body` on the current thread as a part of a simulation.
    package static func run<Result>(as thread: any SimulatedThread, _ body: () -> Result) -> Result
    {
        let before = pthread_getspecific(key)
        let box = Box(thread)
        pthread_setspecific(key, Unmanaged.passUnretained(box).toOpaque())
        defer { pthread_setspecific(key, before) }
        return withExtendedLifetime(box) { body() }
    }
}
