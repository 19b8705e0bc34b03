import APNsClient
import APNsSimulator
import Foundation
import PushLoad
import PushPolicy
import RangersServer
import Testing

@testable import Bench

@Suite struct LoadTests {
    /// Those that the server in this folder has made.
    private func credentials(in folder: URL) throws -> SimulatorCredentials {
        try SimulatorCredentials(
            directory: folder.path, validity: .century, now: 1_685_952_000)
    }

    @Test(
        "all pushes of a run are accepted, by each kind of server",
        arguments: BenchServer.Kind.allCases)
    func accepted(kind: BenchServer.Kind) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = BenchServer.Settings(folder: folder.path)
        settings.kind = kind
        let server = try BenchServer(settings)
        let result = try await Load.run(
            LoadSettings(
                port: server.port, credentials(in: folder), pushes: 1_200, connections: 2,
                streams: 50, sample: .alert, moment: 1_685_952_000))
        await server.stop()
        #expect(result.pushes == 1_200)
        #expect(result.peakMegabytes > 0)
    }

    @Test("the sample is what the game's own content would be on the wire")
    func sampleIsTheGames() throws {
        let state = ContentState(
            currentHealthLevel: 0.941,
            eventDescription: "Power Panda took a critical hit from the dragon!")
        let payload = LiveActivityPayload.update(
            at: 1_700_000_000, state: state, staleDate: 1_700_000_900, relevanceScore: 75)
        #expect(try SamplePush.quiet.encoded(at: 1_700_000_000) == payload.encoded())
    }

    @Test("a narrow window that comes back late lets everything through in the end")
    func narrowWindow() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = BenchServer.Settings(folder: folder.path)
        settings.delayMilliseconds = 1
        settings.window = 65_535
        let server = try BenchServer(settings)
        let result = try await Load.run(
            LoadSettings(
                port: server.port, credentials(in: folder), pushes: 1_000, connections: 1,
                streams: 1_000, sample: .alert, moment: 1_685_952_000))
        await server.stop()
        #expect(result.pushes == 1_000)
    }
}
