internal import CLinux
internal import Glibc
internal import Isolation

/// Wakes a sleeping event loop from any thread. The eventfd cannot be signalled after it is closed,
/// because a lock protects both.
final class Wakeup: Sendable {
    /// `nil` once closed.
    private let descriptor: Locked<Int32?>

    /// Creates the eventfd. Throws when the process has no descriptor left.
    init() throws(LoopError) {
        let made = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard made >= 0 else { throw LoopError(call: "eventfd", code: errno) }
        descriptor = Locked(made)
    }

    /// The descriptor to watch for reading.
    var watched: Int32 { descriptor.withLock { $0 } ?? -1 }

    /// Makes the descriptor readable. Has no effect once closed.
    func signal() {
        descriptor.withLock { descriptor in
            guard let descriptor else { return }
            // Fails only when the counter is full, and then the loop is already awake.
            _ = eventfd_write(descriptor, 1)
        }
    }

    /// Makes the descriptor unreadable again.
    func clear() {
        descriptor.withLock { descriptor in
            guard let descriptor else { return }
            var count: eventfd_t = 0
            _ = eventfd_read(descriptor, &count)
        }
    }

    /// Closes the descriptor; later signals have no effect.
    func close() {
        descriptor.withLock { descriptor in
            if let open = descriptor { _ = Glibc.close(open) }
            descriptor = nil
        }
    }
}

/// A failed system call that the event loop requires.
package struct LoopError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(call: String, code: Int32) {
        description = "\(call) failed: \(String(cString: strerror(code)))"
    }
}
