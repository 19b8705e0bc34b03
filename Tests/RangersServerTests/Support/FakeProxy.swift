import Isolation
import RangersServer
import Testing

@testable import HTTPServer

/// nginx in front of nodes, without sockets: plays a request again at the node that a response
/// names.
final class FakeProxy: Sendable {
    private let servers = Locked<[String: Server]>([:])

    /// Lets responses name a server by this address.
    func add(_ server: Server, at address: String) { servers.withLock { $0[address] = server } }

    /// Returns the server that the headers of a response name; `nil`: they name none.
    func server(in headers: [String: String]) -> Server? {
        guard headers["retry-after"] != nil, let location = headers["x-accel-redirect"] else {
            return nil
        }
        let server = servers.withLock { $0[String(location.dropFirst())] }
        #expect(location.first == "@" && server != nil, "nginx has no location \(location)")
        return server
    }

    func response(to request: Request, at server: Server) async -> Response {
        var request = request
        request.sender = .proxy
        let response = await server.respond(to: request)
        let headers = response.headers.map { ($0.name, $0.value) }
        guard response.status == 503,
            let owner = self.server(in: Dictionary(headers) { first, _ in first })
        else { return response }
        #expect(response.headers.first { $0.name == "content-type" } == nil)
        return await owner.respond(to: request.redirected)
    }
}

extension Request {
    /// The request as the proxy plays it again.
    var redirected: Request {
        var request = self
        var headers = ["rangers-redirected": "1"]
        self.headers.forEach { name, value in
            headers[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
        }
        (request.sender, request.headers) = (.proxy, Headers(headers))
        return request
    }
}
