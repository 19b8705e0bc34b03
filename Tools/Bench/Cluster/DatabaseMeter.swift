internal import Foundation
internal import Glibc
internal import Programs
internal import PushLoad

/// What a PostgreSQL has used so far: the CPU time of all its processes, and the bytes of its log.
struct DatabaseMeter: Sendable {
    struct Reading: Hashable, Sendable {
        let cpuSeconds: Double
        let logBytes: Double
    }

    /// The process that starts all others.
    private static let attemptsMax = 1000

    private let postmaster: pid_t
    private let address: String

    init(_ postmaster: pid_t, _ address: String) {
        self.postmaster = postmaster
        self.address = address
    }

    /// Reads the log first, so that the CPU time of that does not count.
    func before() async throws -> Reading {
        let bytes = try await logBytes()
        return Reading(cpuSeconds: try cpuSeconds(), logBytes: bytes)
    }

    /// Reads the log last.
    func after() async throws -> Reading {
        let seconds = try cpuSeconds()
        return Reading(cpuSeconds: seconds, logBytes: try await logBytes())
    }

    private func logBytes() async throws -> Double {
        let text = try await PostgreSQLServer.query(
            "SELECT pg_current_wal_insert_lsn() - '0/0'", at: address)
        guard let bytes = Double(text.filter { !$0.isWhitespace }) else {
            throw BenchError("PostgreSQL printed '\(text)' as the end of its log")
        }
        return bytes
    }

    private func cpuSeconds() throws(BenchError) -> Double {
        for _ in 0..<Self.attemptsMax {
            let before = try own()
            let children = Self.children(of: postmaster).map(\.ticks).reduce(0, +)
            let after = try own()
            // A child that ended meanwhile may count twice, or not at all.
            guard before.childTicks == after.childTicks else { continue }
            return (after.ticks + after.childTicks + children) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
        throw BenchError("PostgreSQL's processes end all the time")
    }

    private func own() throws(BenchError) -> ProcessStat {
        guard let own = KernelFile.text("/proc/\(postmaster)/stat").flatMap(ProcessStat.init) else {
            throw BenchError("PostgreSQL's process \(postmaster) is gone")
        }
        return own
    }

    /// Returns the postmaster's processes.
    static func children(of postmaster: pid_t) -> [ProcessStat] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.compactMap {
            KernelFile.text("/proc/\($0)/stat").flatMap(ProcessStat.init)
        }.filter { $0.parent == postmaster }
    }
}

/// A process, from its `/proc/PID/stat`; times in clock ticks.
struct ProcessStat: Hashable, Sendable {
    let id: pid_t
    let parent: pid_t
    let ticks: Double
    /// Those of its ended children.
    let childTicks: Double

    init?(_ text: String) {
        // The name may contain anything; fields are counted after its closing parenthesis.
        guard let end = text.lastIndex(of: ")"),
            let id = text.split(separator: " ").first.flatMap({ Int32($0) })
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 14, let parent = Int32(fields[1]) else { return nil }
        let times = fields[11...14].compactMap { Double($0) }
        guard times.count == 4 else { return nil }
        self.id = id
        self.parent = parent
        ticks = times[0] + times[1]
        childTicks = times[2] + times[3]
    }
}

extension HeartSample {
    /// Adds what the database has used meanwhile, if it was measured.
    mutating func note(_ before: DatabaseMeter.Reading?, _ after: DatabaseMeter.Reading?) {
        guard let before, let after else { return }
        databaseCPUSeconds = after.cpuSeconds - before.cpuSeconds
        logBytes = after.logBytes - before.logBytes
    }

    var databaseMicroseconds: Double? { databaseCPUSeconds.map { $0 / Double(ticks) * 1e6 } }
    /// `nil` if payloads were not counted.
    var bytesPerPayload: Double? {
        guard let payloadBytes, pushes > 0 else { return nil }
        return Double(payloadBytes) / Double(pushes)
    }

    var logBytesPerTick: Double? { logBytes.map { $0 / Double(ticks) } }
}
