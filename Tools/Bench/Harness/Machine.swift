internal import Glibc
internal import PushLoad

/// The machine of the measurements, without which a table is meaningless.
struct Machine: Sendable, CustomStringConvertible {
    let processor: String
    let cores: Int
    let kernel: String
    /// The load average of the minute before the measurements.
    let load: Double

    static var own: Machine {
        var name = utsname()
        let status = uname(&name)
        let release = withUnsafeBytes(of: name.release) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return Machine(
            processor: KernelFile.text("/proc/cpuinfo").flatMap(processor(inInfo:)) ?? "unknown",
            cores: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
            kernel: status == 0 ? "Linux \(release)" : "unknown",
            load: KernelFile.text("/proc/loadavg").flatMap(load(inText:)) ?? 0)
    }

    /// Parses `model name      : AMD EPYC` from `/proc/cpuinfo`.
    static func processor(inInfo text: String) -> String? {
        for line in text.split(separator: "\n") where line.hasPrefix("model name") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            return String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        return nil
    }

    /// Parses `0.52 0.58 0.59 1/467 12345` from `/proc/loadavg`.
    static func load(inText text: String) -> Double? {
        text.split(separator: " ").first.flatMap { Double($0) }
    }

    var description: String { "\(processor), \(cores) cores, \(kernel)" }

    /// What distorts the figures, if anything.
    var disturbance: String? {
        guard load >= Self.quietLoad else { return nil }
        return "The machine was not idle (load average \(load) before the run): shares of a core "
            + "and rates are too low, and CPU seconds too high."
    }

    private static let quietLoad = 0.5
}
