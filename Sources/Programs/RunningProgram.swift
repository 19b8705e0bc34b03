internal import Glibc
internal import Isolation

/// A program that was started. Its number is its own until its end has been noticed here, so a
/// signal never meets another program.
package final class RunningProgram: Sendable {
    /// The kernel's number of it.
    package let id: Int32
    private let end = Locked<End?>(nil)

    /// What the kernel says of a program that has ended.
    package struct End: Hashable, Sendable {
        /// The exit code, or the number of the signal that ended it; `nil`: nobody knows, for
        /// somebody else has noticed the end: the kernel, where SIGCHLD is ignored.
        package let code: Int32?
        /// User and system time, its ended children's included.
        package let cpuSeconds: Double
    }

    init(id: Int32) { self.id = id }

    /// Whether it has not ended.
    package var isRunning: Bool { noticedEnd() == nil }

    /// Sends a signal, unless it has ended.
    package func send(_ signal: Int32) {
        end.withLock { end in
            if Self.notice(id, &end) == nil { kill(id, signal) }
        }
    }

    /// Blocks until it ends.
    @discardableResult
    package func waitForEnd() -> End {
        while true {
            if let end = noticedEnd() { return end }
            // Waits without taking the end away from who looks meanwhile.
            var information = siginfo_t()
            waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT)
        }
    }

    private func noticedEnd() -> End? {
        end.withLock { Self.notice(id, &$0) }
    }

    private static func notice(_ id: Int32, _ end: inout End?) -> End? {
        var (status, usage) = (Int32(0), rusage())
        guard end == nil else { return end }
        let noticed = wait4(id, &status, WNOHANG, &usage)
        if noticed < 0, errno == ECHILD { end = End(code: nil, cpuSeconds: 0) }
        guard noticed == id else { return end }
        let signal = status & 0x7F
        end = End(
            code: signal == 0 ? (status >> 8) & 0xFF : signal,
            cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime))
        return end
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}
