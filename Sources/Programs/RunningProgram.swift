internal import Glibc
internal import Isolation

/// A program that was started. Its number is its own until its end has been noticed here, so a
/// signal never meets another program.
package final class RunningProgram: Sendable {
    /// The kernel's number of it.
    package let id: Int32
    /// The exit code, the number of the signal that ended it, or -1 where nobody knows; `nil`: no
    /// end was noticed.
    private let end = Locked<Int32?>(nil)

    init(id: Int32) { self.id = id }

    /// Whether it has not ended.
    package var isRunning: Bool { noticedEnd() == nil }

    /// Sends a signal, unless it has ended.
    package func send(_ signal: Int32) {
        end.withLock { end in
            if Self.notice(id, &end) == nil { kill(id, signal) }
        }
    }

    /// Blocks until it ends; returns its exit code, or the number of the signal that ended it.
    package func waitForEnd() -> Int32 {
        while true {
            if let end = noticedEnd() { return end }
            // Waits without taking the end away from who looks meanwhile.
            var information = siginfo_t()
            waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT)
        }
    }

    /// Somebody else has noticed its end: the kernel, where SIGCHLD is ignored.
    private static let unknownEnd: Int32 = -1

    private func noticedEnd() -> Int32? {
        end.withLock { Self.notice(id, &$0) }
    }

    private static func notice(_ id: Int32, _ end: inout Int32?) -> Int32? {
        var status: Int32 = 0
        guard end == nil else { return end }
        let noticed = waitpid(id, &status, WNOHANG)
        if noticed < 0, errno == ECHILD { end = unknownEnd }
        guard noticed == id else { return end }
        let signal = status & 0x7F
        end = signal == 0 ? (status >> 8) & 0xFF : signal
        return end
    }
}
