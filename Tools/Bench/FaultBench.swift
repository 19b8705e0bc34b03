internal import Foundation

/// `Scripts/bench faults`: the cost of faults at APNs, compared with the undisturbed client.
package struct FaultBench: RunnableBench {
    /// The durations and repetitions.
    package struct Settings: Hashable, Sendable {
        package var rounds = 3
        /// The length of each phase: before, during and after a fault.
        package var seconds = 5

        package init() {}
    }

    private let settings: Settings
    private let say: @Sendable (String) -> Void

    /// Creates a bench that reports its progress to `say`.
    package init(_ settings: Settings, say: @escaping @Sendable (String) -> Void) {
        self.settings = settings
        self.say = say
    }

    /// Its client and its simulator are in this process, and end with it.
    package func abandon() {}

    /// Plays every fault in every round. Cancelling ends it between two batches of pushes.
    package func run() async throws -> BenchReport {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("rangers-bench-\(UUID().uuidString)")
        defer {
            // A leftover temporary folder is harmless.
            try? FileManager.default.removeItem(at: folder)
        }
        var findings = FaultFindings(machine: .own)
        for round in 1...settings.rounds {
            for fault in BenchFault.allCases {
                let testbed = try FaultTestbed(fault, folder: folder.path)
                let sample = try await testbed.play(seconds: Double(settings.seconds))
                findings.add(sample)
                say("round \(round), \(fault.title): \(sample)")
            }
        }
        return findings.report(settings)
    }
}
