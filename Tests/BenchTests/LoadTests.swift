import APNsClient
import APNsSimulator
import Foundation
import PushLoad
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
