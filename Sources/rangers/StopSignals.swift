internal import Foundation
internal import Glibc

/// SIGTERM and Ctrl-C as something to wait for. The second one ends the process at once, for
/// whoever is in a hurry.
///
/// A handler writes into a pipe, which is one of the few things a handler may do, and a thread
/// reads it. Dispatch's signal sources do not serve here: they miss signals in a process whose
/// parent had blocked them.
final class StopSignals: Sendable {
    /// Read end and write end; made before any handler can run.
    private static let pipe: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        let status = Glibc.pipe(&ends)
        precondition(status == 0, "no pipe for signals: \(String(cString: strerror(errno)))")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }()

    private let arrivals: AsyncStream<Void>

    /// What stops the process besides signals.
    enum Reasons {
        case only
        /// A parent that dies closes its child's standard input.
        case andEndOfInput
    }

    init(_ reasons: Reasons = .only) {
        let (arrivals, continuation) = AsyncStream<Void>.makeStream()
        self.arrivals = arrivals
        let pipe = Self.pipe
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while read(pipe.reading, &byte, 1) == 1 { continuation.yield() }
        }
        if case .andEndOfInput = reasons {
            Thread.detachNewThread {
                var byte: UInt8 = 0
                while read(STDIN_FILENO, &byte, 1) > 0 {}
                continuation.yield()
            }
        }
        for number in [SIGTERM, SIGINT] {
            signal(number) { number in
                // From now on the default: the next one ends the process.
                signal(number, SIG_DFL)
                var byte: UInt8 = 1
                _ = write(StopSignals.pipe.writing, &byte, 1)
            }
        }
    }

    /// Returns when the first signal has come, or the task is cancelled.
    func wait() async {
        for await _ in arrivals { return }
    }
}
