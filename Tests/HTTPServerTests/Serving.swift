import HTTPServer

/// Runs a server for the length of `body`.
///
/// Its timeouts are long, unless a test is about them: a busy machine may let a handler wait.
func serving(
    _ configure: (inout HTTPServer.Settings) -> Void = { _ in },
    _ handler: @escaping HTTPServer.Handler = echo,
    immediate: HTTPServer.Immediate? = nil, admission: HTTPServer.Admission? = nil,
    _ body: (HTTPServer) async throws -> Void
) async throws {
    var settings = HTTPServer.Settings()
    settings.requestTimeoutSeconds = 60
    settings.idleTimeoutSeconds = 60
    configure(&settings)
    let server = try HTTPServer(
        settings, immediate: immediate, admission: admission, handler: handler)
    do {
        try await body(server)
    } catch {
        await server.stop(graceSeconds: 0)
        throw error
    }
    await server.stop(graceSeconds: 5)
}

/// Answers with what the handler got: "POST /path a=1 body".
let echo: HTTPServer.Handler = { request in
    let query = request.query.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
    let words =
        [request.method.rawValue, request.path] + query
        + [String(decoding: request.body, as: UTF8.self)]
    return .text(words.joined(separator: " "))
}

/// A GET with the headers that every request needs.
func request(_ path: String, _ headers: String...) -> String {
    (["GET \(path) HTTP/1.1", "host: x"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
}

func post(_ path: String, _ body: String) -> String {
    "POST \(path) HTTP/1.1\r\nhost: x\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)"
}
