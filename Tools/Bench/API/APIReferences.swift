internal import Foundation

/// Go's net/http and libmicrohttpd in C, as replacements for the server.
struct APIReferences: Sendable {
    private let stage: ServerStage
    private let goProgram: String
    private let cProgram: String

    /// Builds both.
    ///
    /// - Parameter stage: Where to run them.
    /// - Throws: When a tool is missing, in a sentence with its package.
    init(on stage: ServerStage) async throws {
        try Tool.require([.go, .gcc])
        self.stage = stage
        goProgram = try await stage.references.buildGo("prepared_responses")
        cProgram = try await stage.references.buildC(
            "static_response", libraries: ["microhttpd"])
    }

    /// Starts net/http with these responses.
    func serveByGo(_ responses: PreparedResponses) async throws -> ServerStage.Server {
        try await serve(goProgram, responses)
    }

    /// Starts libmicrohttpd with the first of these responses.
    func serveByC(_ responses: PreparedResponses) async throws -> ServerStage.Server {
        try await serve(cProgram, responses)
    }

    private func serve(
        _ program: String, _ responses: PreparedResponses
    ) async throws -> ServerStage.Server {
        let file = stage.path + "/responses"
        try Data(responses.bytes).write(to: URL(fileURLWithPath: file))
        return try await stage.serve(program, [file])
    }
}
