internal import Foundation
internal import PushLoad

/// The result of one run of the heart, or of its C reference: a line of JSON between two processes.
package struct HeartSample: Hashable, Sendable, Codable {
    package var parties = 0
    package var activitiesPerParty = 0
    /// Durable changes of a party, or actions if those are measured.
    package var ticks = 0
    /// Pushes encoded and passed to the sender.
    package var pushes = 0
    /// Without the preparation, like the CPU times.
    package var wallSeconds = 0.0
    /// The whole process's user and system time.
    package var cpuSeconds = 0.0
    /// The writing thread's time alone.
    package var writerCPUSeconds = 0.0
    /// The memory at the end, with all parties loaded.
    package var residentBytes = 0
    /// The average number of changes per commit.
    package var batchSize = 0.0
    /// The bytes of the payloads of these pushes.
    package var payloadBytes: Int?
    /// Committed events.
    package var events: Int?
    /// The growth of the file meanwhile.
    package var fileBytesGrown: Int?
    /// The CPU time of all of PostgreSQL's processes, and the bytes of its log.
    package var databaseCPUSeconds: Double?
    package var logBytes: Double?
    /// From the process's start to the first due party's tick; only for a start after a crash.
    package var firstTickSeconds: Double?
    /// The same for the last one.
    package var lastTickSeconds: Double?

    package init() {}

    /// Parses the last line of a process's output.
    init(output: String) throws(BenchError) {
        let line = output.split(separator: "\n").last.map(String.init) ?? ""
        guard let sample = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)),
            sample.ticks > 0 || sample.residentBytes > 0
        else { throw BenchError("a run of the heart did not print its result: \(output)") }
        self = sample
    }

    var cpuMicroseconds: Double { cpuSeconds / Double(ticks) * 1e6 }
    var writerMicroseconds: Double { writerCPUSeconds / Double(ticks) * 1e6 }
    var rate: Double { Double(ticks) / wallSeconds }
    var activities: Int { parties * activitiesPerParty }
    var pushesPerTick: Double { Double(pushes) / Double(ticks) }

    /// `nil` if events were not counted.
    var bytesPerEvent: Double? {
        guard let events, let fileBytesGrown, events > 0 else { return nil }
        return Double(fileBytesGrown) / Double(events)
    }
}
