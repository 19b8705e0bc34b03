internal import Dispatch
internal import Glibc
internal import Isolation

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

    private let latch = Latch()

    /// Unblocks all signals that the parent process had blocked. Call it before there is another
    /// thread.
    package static func unblockAll() {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
    }

    /// Lets a write to a closed pipe or socket fail with EPIPE instead of ending the process: the
    /// reader of the log may go away.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// What stops the process besides signals.
    package enum Reasons {
        case only
        /// Also the end of standard input: it closes when the parent process dies.
        case andEndOfInput
    }

    package init(_ reasons: Reasons = .only) {
        let (pipe, latch) = (Self.pipe, latch)
        Self.onOwnThread {
            var byte: UInt8 = 0
            while read(pipe.reading, &byte, 1) == 1 { latch.open() }
        }
        if case .andEndOfInput = reasons {
            Self.onOwnThread {
                var byte: UInt8 = 0
                while read(STDIN_FILENO, &byte, 1) > 0 {}
                latch.open()
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
    package func wait() async { await latch.wait() }
}

/// Something that opens once. Any number of tasks may wait for it, at any time.
final class Latch: Sendable {
    private struct State {
        var isOpen = false
        /// A stream for each waiting task, because a cancelled task ends its stream for all.
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Locked(State())

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.finish() }
    }

    /// Returns when the latch is open, or the task is cancelled.
    func wait() async {
        let (opened, continuation) = AsyncStream<Void>.makeStream()
        let isOpen = state.withLock { state in
            if !state.isOpen { state.waiting.append(continuation) }
            return state.isOpen
        }
        guard !isOpen else { return }
        for await _ in opened {}
    }
}
