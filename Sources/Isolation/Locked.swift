internal import Glibc

/// A value behind a lock: the one lock type of the project.
///
/// It is a `pthread_mutex_t`, because the thread sanitizer understands that one and reports
/// false races for `Synchronization.Mutex`. It guards one-line state: nothing in `body` may
/// block or call out.
package final class Locked<Value>: @unchecked Sendable {
    // Safe to share: `value` is touched only between lock and unlock of `mutex`, so nobody can have
    // it twice either: who asks again while he has it waits for himself.
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

    /// Runs `body` alone with the value; returns what it returns. Inlined, because it is called
    /// several times a push.
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
