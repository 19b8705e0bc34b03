import Foundation
import Playtest
import Testing

/// A real server with the simulator behind it, as the demo starts it.
final class Site: Sendable {
    let testbed: Testbed
    let folder: TestbedFolder

    /// The server of the tests that change nothing on it.
    static let shared = Task { try await Site() }

    /// The server's program, which is built beside the tests.
    static let program = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "rangers").path

    init(
        speed: Double = 30, seed: UInt64 = 1, hasBrowserPhones: Bool = true,
        arguments: [String] = []
    ) async throws {
        folder = try TestbedFolder(nil)
        var settings = Testbed.Settings(executable: Self.program, folder: folder)
        settings.hasBrowserPhones = hasBrowserPhones
        settings.speed = speed
        settings.seed = seed
        settings.arguments = arguments
        testbed = try await Testbed(settings) { _ in }
    }

    var url: String { testbed.url }

    /// Calls a path of game masters with the owner's key, and returns a field of its response.
    func ask<Value: Decodable>(
        _ method: String, _ path: String, _ body: (any Encodable)? = nil,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        let client = HTTPClient(baseURL: try #require(URL(string: url)))
        let response = try await client.send(
            method, "/v1/admin/" + path, token: try folder.adminKey(),
            body: try body.map { Array(try JSONEncoder().encode($0)) })
        return try JSONDecoder().decode(type, from: Data(response.body))
    }

    /// A game master's command at a party.
    func command(_ command: Command, at party: String) async throws {
        struct Done: Decodable {}
        _ = try await ask("POST", "commands", Body(command: command, party: party), as: Done.self)
    }

    struct Command: Encodable {
        let name: String
        var hero: String?
        var amount: Int?
        var potions: Int?
        var wake: Bool?
    }

    private struct Body: Encodable {
        let command: Command
        let party: String
    }

    /// Stops the server and removes its files.
    func stop() async {
        await testbed.stop()
        folder.removeIfTemporary()
    }
}
