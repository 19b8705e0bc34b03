internal import Glibc
internal import Isolation
internal import Simulation

/// What happened in a small world, in order.
final class Diary: @unchecked Sendable {
    // Safe to share: used by one thread.
    private(set) var entries: [Int] = []

    func note(_ entry: Int) { entries.append(entry) }
}

/// An actor with a lane of its own.
actor LaneWorker {
    private let executor: QueueExecutor
    private let diary: Diary
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ label: String, _ diary: Diary) {
        executor = QueueExecutor(label: label)
        self.diary = diary
    }

    func work(_ number: Int) { diary.note(number) }

    /// Notes how long the world has run, shifted by what tells workers apart.
    func noteTime(_ worker: Int) {
        diary.note(Int(Scheduler.current.now - Scheduler.start) + worker * 1000)
    }

    /// Works later, a job a number.
    func leave(_ numbers: Range<Int>) {
        for number in numbers {
            // Nothing waits for it but the end of the run.
            Task { work(number) }
        }
    }
}

/// A thread that is nobody's.
final class PlainThread: @unchecked Sendable {
    // Safe to share: `thread` is set in `init` only.
    private var thread = pthread_t()

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    init(_ run: @escaping @Sendable () -> Void) {
        let body = Unmanaged.passRetained(Body(run)).toOpaque()
        let status = pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer else { return nil }
                Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            }, body)
        precondition(status == 0, "pthread_create returned \(status)")
    }

    func join() { pthread_join(thread, nil) }
}
