import Foundation
import Playtest
import Testing

/// A real server with the simulator behind it, as the demo starts it.
final class Site: Sendable {
    let testbed: Testbed
    let folder: TestbedFolder

    /// The server of the tests that change nothing on it.
    static let shared = Task { try await Site() }

    init(speed: Double = 30, seed: UInt64 = 1, arguments: [String] = []) async throws {
        folder = try TestbedFolder(nil)
        // The program is built beside the tests.
        let program = URL(filePath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(path: "rangers").path
        var settings = Testbed.Settings(executable: program, folder: folder)
        settings.speed = speed
        settings.seed = seed
        settings.arguments = arguments
        testbed = try await Testbed(settings) { _ in }
    }

    var url: String { testbed.url }

    /// Stops the server and removes its files.
    func stop() async {
        await testbed.stop()
        folder.removeIfTemporary()
    }
}
