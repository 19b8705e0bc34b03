internal import Dispatch
internal import Glibc

/// SIGTERM and Ctrl-C as something to wait for. The second signal ends the process at once.
///
/// The handler writes to a pipe, one of the few operations that a handler may perform, and a thread
/// reads it. Dispatch's signal sources are unsuitable: they miss signals in a process whose parent
/// had blocked them.
package final class StopSignals: Sendable {
    /// The read end and the write end, made before any handler can run.
    private static let pipe: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        let status = Glibc.pipe(&ends)
        precondition(status == 0, "no pipe for signals: \(String(cString: strerror(errno)))")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }()

    private let arrivals: AsyncStream<Void>

    /// Unblocks all signals that the parent process had blocked. Call it before there is another
    /// thread.
    package static func unblockAll() {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
    }

    /// What stops the process besides signals.
    package enum Reasons {
        case only
        /// Also the end of standard input: it closes when the parent process dies.
        case andEndOfInput
    }

    package init(_ reasons: Reasons = .only) {
        let (arrivals, continuation) = AsyncStream<Void>.makeStream()
        self.arrivals = arrivals
        let pipe = Self.pipe
        Self.onOwnThread {
            var byte: UInt8 = 0
            while read(pipe.reading, &byte, 1) == 1 { continuation.yield() }
        }
        if case .andEndOfInput = reasons {
            Self.onOwnThread {
                var byte: UInt8 = 0
                while read(STDIN_FILENO, &byte, 1) > 0 {}
                continuation.yield()
            }
        }
        for number in [SIGTERM, SIGINT] {
            signal(number) { number in
                // From now on the default: the next signal ends the process.
                signal(number, SIG_DFL)
                var byte: UInt8 = 1
                _ = write(StopSignals.pipe.writing, &byte, 1)
            }
        }
    }

    /// A queue of its own has a thread of its own while `body` blocks.
    private static func onOwnThread(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "signals").async(execute: body)
    }

    /// Returns when the first signal has arrived, or the task is cancelled.
    package func wait() async {
        for await _ in arrivals { return }
    }
}
