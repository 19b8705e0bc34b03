internal import Glibc

/// A value protected by a lock: the project's only lock type.
///
/// It uses `pthread_mutex_t`, because the thread sanitizer supports it and reports false races for
/// `Synchronization.Mutex`. It guards one-line state: `body` must not block or call out.
///
/// Public, like all types with members inlined into other modules: the compiler inlines those of
/// public types only.
public final class Locked<Value>: @unchecked Sendable {
    // Safe to share: `value` is only accessed while `mutex` is held. The lock is not recursive:
    // acquiring it twice on one thread deadlocks.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline @exclusivity(unchecked) var value: Value

    package init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "pthread_mutex_init returned \(status)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value; returns its result. Inlined, because it is
    /// called several times per push.
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock()
        defer { unlock() }
        return try body(&value)
    }

    @usableFromInline func lock() { pthread_mutex_lock(mutex) }
    @usableFromInline func unlock() { pthread_mutex_unlock(mutex) }
}
