internal import FoundationEssentials
internal import Glibc
package import PushPolicy

extension ServerClock {
    /// Returns a clock that continues the wall clock of its start by the time since the machine's
    /// start: a step of the wall clock (PR12) moves no party.
    package static func system() -> ServerClock {
        let started = WallTime.system
        let origin = sinceBoot()
        let bootID = bootID()
        let now: @Sendable () -> WallTime = {
            started.adding(milliseconds: (sinceBoot() - origin) / 1_000_000)
        }
        return ServerClock(
            now: now, uptime: { (sinceBoot() - origin) / 1000 },
            machine: Machine(
                bootID: bootID, sinceBoot: { sinceBoot() / 1_000_000 }, wall: { .system }),
            sleep: { until, _ in
                let wait = until.milliseconds - now().milliseconds
                guard wait > 0 else { return }
                // Only cancellation throws, and an early return is then correct.
                try? await Task.sleep(for: .milliseconds(wait), tolerance: .zero)
            })
    }

    /// The time since the machine's start, in nanoseconds, times in suspension included.
    private static func sinceBoot() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The name that the kernel gave to the machine's start; empty: it cannot be read.
    private static func bootID() -> String {
        let path = "/proc/sys/kernel/random/boot_id"
        return String(decoding: readableBytes(of: path), as: UTF8.self)
            .filter { !$0.isWhitespace }
    }

    private static func readableBytes(of path: String) -> [UInt8] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }
}

extension WallTime {
    /// The system's own clock, which may step: for provider tokens and logs.
    package static var system: WallTime {
        WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }
}
