internal import CLinux
internal import Foundation
internal import Glibc
internal import RangersServer

/// A process's resource usage so far, and its heart's work.
package struct HeartUsage {
    let changes: Double
    private let batches: Double
    private let pushes: Double
    private let events: Double
    private let wall: ContinuousClock.Instant
    private let cpuSeconds: Double
    private let writerCPUSeconds: Double
    private let fileBytes: Int

    /// What several nodes in one process have used together; they share the database.
    static func now(_ stores: [HeartStore], _ hearts: [StandaloneShards]) -> HeartUsage {
        func sum(_ metric: Metric) -> Double {
            hearts.reduce(0) { $0 + $1.metrics.value(metric) }
        }
        return HeartUsage(
            changes: sum(.batchedChanges), batches: sum(.batches),
            pushes: hearts.reduce(0) { $0 + $1.pushes }, events: sum(.events), wall: .now,
            cpuSeconds: processCPUSeconds,
            writerCPUSeconds: stores.reduce(0) { $0 + $1.writerCPUSeconds },
            fileBytes: stores.first?.fileBytes ?? 0)
    }

    /// Returns what was used meanwhile, and the memory as it is now.
    func sample(since before: HeartUsage, parties: Int) throws -> HeartSample {
        let seconds = before.wall.duration(to: wall) / .seconds(1)
        var sample = HeartSample()
        (sample.parties, sample.activitiesPerParty) = (parties, HeartParties.heroes)
        (sample.ticks, sample.pushes) = (Int(changes - before.changes), Int(pushes - before.pushes))
        sample.wallSeconds = seconds
        sample.cpuSeconds = cpuSeconds - before.cpuSeconds
        sample.writerCPUSeconds = writerCPUSeconds - before.writerCPUSeconds
        sample.residentBytes = try Self.residentBytes()
        sample.batchSize = (changes - before.changes) / max(1, batches - before.batches)
        sample.events = Int(events - before.events)
        sample.fileBytesGrown = fileBytes - before.fileBytes
        return sample
    }

    static var processCPUSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Returns the second number of `/proc/self/statm`, which are pages. Unused ones do not count.
    package static func residentBytes() throws -> Int {
        malloc_trim(0)
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
