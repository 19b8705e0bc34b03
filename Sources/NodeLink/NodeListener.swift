package import HTTPServer
internal import Synchronization

/// A node's server for other nodes. It responds with 401 to a request without their key, and
/// neither reads its body nor calls a handler.
///
/// It listens from `init` to `stop`; releasing it does not stop it.
package final class NodeListener: Sendable {
    /// Responds to a request with the client's address, as if the client had sent it here.
    package typealias Handler = @Sendable (Request, Hop) async -> Response

    /// Responds on the listener's own thread, or returns nil to pass the request to `Handler`. The
    /// head has another node's address in place of the client's.
    package typealias Immediate = @Sendable (borrowing RequestHead, Hop) -> Response?

    /// The settings for a listener of nodes: connections idle longer than a forwarder keeps them.
    package static var settings: HTTPServer.Settings {
        var settings = HTTPServer.Settings()
        settings.idleTimeoutSeconds = 60
        settings.bodyBytesMax = 1 << 20
        return settings
    }

    /// The bound port.
    package var port: UInt16 { server.port }
    private let server: HTTPServer
    private let door: NodeDoor

    /// Starts listening: over TLS with `settings.tls`, or in plain HTTP on a loopback address.
    /// `bodyBytesMax` is the limit of every body.
    package init(
        _ settings: HTTPServer.Settings = NodeListener.settings, key: NodeKey,
        immediate: Immediate? = nil, handler: @escaping Handler
    ) throws(NodeLinkError) {
        try Self.requireProtection(host: settings.host, tls: settings.tls)
        let door = NodeDoor(key)
        var settings = settings
        let bodyBytesMax = settings.bodyBytesMax
        // A body that is allowed to be larger is read only after the admission.
        settings.largerBodyBytesMax = { _ in bodyBytesMax }
        settings.extraHeadersMax = NodeHeaders.extraMax
        settings.extraHeaderBytesMax = NodeHeaders.extraBytesMax
        settings.proxies = []
        do throws(HTTPServerError) {
            server = try HTTPServer(
                settings, immediate: { door.immediateResponse(to: $0, immediate) },
                admission: { door.refusal(of: $0) },
                handler: { await door.respond(to: $0, handler) })
        } catch {
            throw .cannotListen("\(error)")
        }
        self.door = door
    }

    /// Throws unless a listener on this host needs no TLS, or has it.
    package static func requireProtection(
        host: String, tls: HTTPServer.TLS?
    ) throws(NodeLinkError) {
        guard tls != nil || NodeAddress.isLoopback(host) else { throw .needsTLS(host: host) }
    }

    /// How many requests came without the key.
    package var refusalCount: Int { door.count }

    /// Stops accepting, ends streams, and waits up to `graceSeconds` for requests in flight.
    package func stop(graceSeconds: Int) async { await server.stop(graceSeconds: graceSeconds) }
}

/// Lets in who has the key, and counts the others.
private final class NodeDoor: Sendable {
    private let key: NodeKey
    private let refusals = Atomic(0)

    init(_ key: NodeKey) { self.key = key }

    var count: Int { refusals.load(ordering: .relaxed) }

    func refusal(of request: Request) -> Response? {
        guard !key.isCarried(by: request) else { return nil }
        refusals.add(1, ordering: .relaxed)
        var response = Problem(
            status: 401, title: "Not a node", detail: "This listener is for nodes of this game."
        ).response
        response.headers += [
            Response.Header(NodeHeaders.refused, "key"), Response.Header("connection", "close"),
        ]
        return response
    }

    /// Returns `nil` for everything that is not a request of a node.
    func immediateResponse(
        to head: borrowing RequestHead, _ immediate: NodeListener.Immediate?
    ) -> Response? {
        guard let immediate, key.isCarried(by: head),
            let hop = head.text(of: NodeHeaders.hopName).flatMap({ Hop($0) }),
            head.text(of: NodeHeaders.clientName).flatMap({ ClientAddress($0) }) != nil
        else { return nil }
        return immediate(head, hop)
    }

    func respond(to request: Request, _ handler: NodeListener.Handler) async -> Response {
        if let refusal = refusal(of: request) { return refusal }
        guard let hop = request.headers[NodeHeaders.hop].flatMap({ Hop($0) }),
            let client = request.headers[NodeHeaders.client].flatMap({ ClientAddress($0) })
        else { return Problem.badRequest("A forwarded request needs its hop and client.").response }
        return await handler(request.passedOn(from: client, without: NodeHeaders.own), hop)
    }
}
