internal import Foundation
internal import PushLoad

/// What one run of the heart came to, or one of its reference in C: a line of JSON between two
/// processes.
package struct HeartSample: Hashable, Sendable, Codable {
    package var parties: Int
    package var activitiesPerParty: Int
    /// Durable changes of a party; actions where actions were measured.
    package var ticks: Int
    /// That were encoded and handed to the sender.
    package var pushes: Int
    /// Without what was prepared before, as the CPU times.
    package var wallSeconds: Double
    /// User and system time of the whole process.
    package var cpuSeconds: Double
    /// Of the thread alone that writes.
    package var writerCPUSeconds: Double
    /// At the end, with all parties in memory.
    package var residentBytes: Int
    /// Changes that shared a commit, on average.
    package var batchSize: Double
    /// Events that were committed.
    package var events: Int?
    /// By how much the file grew meanwhile.
    package var fileBytesGrown: Int?
    /// From the process's start to the first due party's tick; only of a start after a crash.
    package var firstTickSeconds: Double?
    /// To the last one's.
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

    /// Reads the last line of what a process printed.
    init(output: String) throws(BenchError) {
        let line = output.split(separator: "\n").last.map(String.init) ?? ""
        guard let sample = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)),
            sample.ticks > 0 || sample.residentBytes > 0
        else { throw BenchError("a run of the heart did not print its result: \(output)") }
        self = sample
    }

    /// As `init(output:)` reads it.
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
