package import Glibc

/// The kernel's counters for a process, and a monotonic clock.
package enum Usage {
    /// User and system time of this process, all threads, in seconds.
    package static var cpuSeconds: Double {
        var usage = rusage()
        let status = getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        precondition(status == 0, "getrusage returned \(status)")
        return seconds(of: usage.ru_utime) + seconds(of: usage.ru_stime)
    }

    private static func seconds(of time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }

    /// Seconds on the monotonic clock.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// This process's peak resident memory, in MB of 10^6 bytes: `VmHWM`.
    package static var peakMegabytes: Double? {
        KernelFile.text("/proc/self/status").flatMap(peakMegabytes(inStatus:))
    }

    /// Parses `VmHWM:     14636 kB` from `/proc/PID/status`.
    package static func peakMegabytes(inStatus text: String) -> Double? {
        for line in text.split(separator: "\n") where line.hasPrefix("VmHWM:") {
            return line.split(separator: " ").dropFirst().first.flatMap { Double($0) }
                .map { $0 * 1_024 / 1e6 }
        }
        return nil
    }

    /// Returns another process's resident memory, in KiB.
    package static func residentKilobytes(of process: pid_t) -> Double? {
        let lines = KernelFile.text("/proc/\(process)/status")?.split(separator: "\n") ?? []
        let line = lines.first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }
    }

    /// Parses another process's user and system time from `/proc/PID/stat`, in clock ticks.
    package static func ticks(inStat text: String) -> Double? {
        // The name may contain anything; fields are counted after its closing parenthesis.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12])
        else { return nil }
        return user + system
    }

    /// Returns another process's CPU seconds, to a hundredth of a second.
    package static func cpuSeconds(of process: pid_t) -> Double? {
        KernelFile.text("/proc/\(process)/stat").flatMap(ticks(inStat:))
            .map { $0 / Double(sysconf(Int32(_SC_CLK_TCK))) }
    }
}

/// Files that the kernel generates when read: their size is not known in advance.
package enum KernelFile {
    package static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
        while bytes.count < bytesMax {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes.append(contentsOf: chunk[..<count])
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let bytesMax = 1 << 20
}
