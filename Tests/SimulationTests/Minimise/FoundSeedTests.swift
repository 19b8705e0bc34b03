import Foundation
import Testing

@testable import Simulation

/// Plans that once failed. To keep one, add what it found to the file that `simulate` has written,
/// with the invariant, in this folder.
@Suite("Plans that once failed hold")
struct FoundSeedTests {
    static let files: [URL] = {
        let folder = Bundle.module.resourceURL?.appending(path: "FoundSeeds")
        let files = folder.flatMap {
            try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
        }
        return (files ?? []).filter { $0.pathExtension == "json" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }()

    @Test("every invariant holds now", arguments: files)
    func holds(_ file: URL) throws {
        try Scheduler.install()
        let found = try FoundSeed(json: [UInt8](Data(contentsOf: file)))
        #expect(!found.found.isEmpty)
        #expect(Run(found.plan).play().violations == [])
    }

    @Test("a plan is the same when it was written and read")
    func json() throws {
        let plan = Swarm.plan(seed: 3, size: .usual)
        let kept = FoundSeed(found: "nothing", invariant: .IN6, plan: plan)
        let read = try FoundSeed(json: kept.json)
        #expect(read.plan == plan)
        #expect(read.invariant == .IN6)
    }
}
