internal import Foundation

/// Go's net/http and libmicrohttpd in C, as replacements for the server.
struct APIReferences: Sendable {
    private let testbed: ServerTestbed
    private let goProgram: String
    private let cProgram: String

    /// Builds both.
    ///
    /// - Parameter testbed: Where to run them.
    /// - Throws: When a tool is missing, in a sentence with its package.
    init(on testbed: ServerTestbed) async throws {
        try Tool.require([.go, .gcc])
        self.testbed = testbed
        goProgram = try await testbed.references.buildGo("prepared_responses")
        cProgram = try await testbed.references.buildC(
            "static_response", libraries: ["microhttpd"])
    }

    /// Starts net/http with these responses.
    func serveByGo(_ responses: PreparedResponses) throws -> PinnedServer {
        try serve(goProgram, responses)
    }

    /// Starts libmicrohttpd with the first of these responses.
    func serveByC(_ responses: PreparedResponses) throws -> PinnedServer {
        try serve(cProgram, responses)
    }

    private func serve(
        _ program: String, _ responses: PreparedResponses
    ) throws -> PinnedServer {
        let file = testbed.path + "/responses"
        try Data(responses.bytes).write(to: URL(fileURLWithPath: file))
        return try testbed.serve(program, [file])
    }
}
