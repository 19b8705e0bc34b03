internal import Foundation
internal import PushLoad

/// The result of one run of the heart, or of its C reference: a line of JSON between two processes.
package struct HeartSample: Hashable, Sendable, Codable {
    package var parties: Int
    package var activitiesPerParty: Int
    /// Durable changes of a party, or actions if those are measured.
    package var ticks: Int
    /// Pushes encoded and passed to the sender.
    package var pushes: Int
    /// Without the preparation, like the CPU times.
    package var wallSeconds: Double
    /// The whole process's user and system time.
    package var cpuSeconds: Double
    /// The writing thread's time alone.
    package var writerCPUSeconds: Double
    /// The memory at the end, with all parties loaded.
    package var residentBytes: Int
    /// The average number of changes per commit.
    package var batchSize: Double
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

    package init(
        parties: Int, activitiesPerParty: Int, ticks: Int, pushes: Int, wallSeconds: Double,
        cpuSeconds: Double, writerCPUSeconds: Double, residentBytes: Int, batchSize: Double
    ) {
        self.parties = parties
        self.activitiesPerParty = activitiesPerParty
        self.ticks = ticks
        self.pushes = pushes
        self.wallSeconds = wallSeconds
        self.cpuSeconds = cpuSeconds
        self.writerCPUSeconds = writerCPUSeconds
        self.residentBytes = residentBytes
        self.batchSize = batchSize
    }

    /// Parses the last line of a process's output.
    init(output: String) throws(BenchError) {
        let line = output.split(separator: "\n").last.map(String.init) ?? ""
        guard let sample = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)),
            sample.ticks > 0 || sample.residentBytes > 0
        else { throw BenchError("a run of the heart did not print its result: \(output)") }
        self = sample
    }

    /// The line for `init(output:)`.
    package var line: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }

    var cpuMicroseconds: Double { cpuSeconds / Double(ticks) * 1e6 }
    var writerMicroseconds: Double { writerCPUSeconds / Double(ticks) * 1e6 }
    var rate: Double { Double(ticks) / wallSeconds }
    var activities: Int { parties * activitiesPerParty }
}
