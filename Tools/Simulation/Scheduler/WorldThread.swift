internal import Glibc

/// The thread that a world runs on.
enum WorldThread {
    private final class Work {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Runs `body` on this thread, or, where a task runs, on another one meanwhile.
    static func run<Result>(_ body: () -> Result) -> Result {
        guard withUnsafeCurrentTask(body: { $0 != nil }) else { return body() }
        var result: Result?
        withoutActuallyEscaping(body) { body in
            join(start(Work { result = body() }))
        }
        guard let result else { preconditionFailure("the thread of a world ended without it") }
        return result
    }

    private static func start(_ work: Work) -> pthread_t {
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer else { return nil }
                Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(work).toOpaque())
        precondition(status == 0, "pthread_create returned \(status)")
        return thread
    }

    private static func join(_ thread: pthread_t) {
        let status = pthread_join(thread, nil)
        precondition(status == 0, "pthread_join returned \(status)")
    }
}
