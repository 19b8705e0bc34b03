internal import Glibc

/// Detached POSIX threads.
enum DetachedThread {
    /// Carries the closure through the C function.
    private final class Start {
        let body: () -> Void

        init(body: @escaping () -> Void) {
            self.body = body
        }
    }

    /// Runs `body` on a new thread, which owns its captures from then on.
    static func start(_ body: sending @escaping () -> Void) -> Result<Void, LoopError> {
        let start = Unmanaged.passRetained(Start(body: body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { raw in
                pthread_detach(pthread_self())
                guard let raw else { return nil }
                Unmanaged<Start>.fromOpaque(raw).takeRetainedValue().body()
                return nil
            }, start.toOpaque())
        guard status == 0 else {
            start.release()
            return .failure(LoopError(call: "pthread_create", code: status))
        }
        return .success(())
    }
}
