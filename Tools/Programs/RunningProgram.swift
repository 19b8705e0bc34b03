internal import Glibc
internal import Isolation

/// A started program. Its id stays reserved until its end is noticed here, so a signal never
/// reaches another program.
package final class RunningProgram: Sendable {
    /// The process id.
    package let id: Int32
    private let end = Locked<End?>(nil)

    /// How a program ended, from the kernel.
    package struct End: Hashable, Sendable {
        /// The exit code, or the number of the signal that ended it; `nil`: unknown, because the
        /// end was collected elsewhere: by the kernel, if SIGCHLD is ignored.
        package let code: Int32?
        /// User and system time, with that of its ended children.
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
            // Waits without reaping the process, which a concurrent caller may do.
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
