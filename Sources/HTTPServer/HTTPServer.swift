internal import Glibc
internal import Isolation

/// A hardened HTTP/1.1 server over libmicrohttpd.
///
/// It serves from `init` to `stop`; releasing it does not stop it.
package final class HTTPServer: Sendable {
    /// The address to listen on, and the limits.
    package struct Settings: Sendable {
        /// An IPv4 or IPv6 address. Port 0 picks a free one.
        package var host = "127.0.0.1"
        package var port: UInt16 = 0
        package var bodyBytesMax = 16 * 1024
        /// The limit of a request that may have a larger body; `nil`: `bodyBytesMax`. Such a body is
        /// read only if `Admission` lets it.
        package var largerBodyBytesMax: (@Sendable (borrowing RequestHead) -> Int?)?
        /// How much of a body without a length is read and dropped, once it is too large, before
        /// the connection is closed: a client that is still sending would lose the response.
        package var dropBytesMax = 2 << 20
        package var threads = 2
        package var connectionsMax = 1000
        /// The most responses that are streams; they do not count among the connections. The
        /// application must refuse more.
        package var streamsMax = 5000
        /// The most connections of one client, streams included; a client is an IPv4 address, or the
        /// /64 network of an IPv6 address. `nil`: any number, as proxies and trusted clients have.
        package var clientConnectionsMax: Int?
        package var trustedClients: [AddressRange] = []
        /// The most requests in `handler` at once. Those beyond get a 503 at once.
        package var requestsMax = 512
        /// The longest silence of a connection.
        package var idleTimeoutSeconds = 30
        /// The limit for receiving a request, for handling it and for sending its response.
        package var requestTimeoutSeconds = 10
        /// The proxies whose `Forwarded` names the client (RFC 7239); that of anybody else counts for
        /// nothing.
        package var proxies: [AddressRange] = []
        /// Called on a server's thread after each response, including those without a handler; it
        /// must not block.
        package var onResponse: (@Sendable (_ status: Int, _ duration: Duration) -> Void)?

        package init() {}
    }

    package typealias Handler = @Sendable (Request) async -> Response
    /// Responds to a request without a body in place, on the server's own thread, or returns nil to
    /// pass it to `Handler`.
    ///
    /// It must not block or retain any part of the head.
    package typealias Immediate = @Sendable (borrowing RequestHead) -> Response?

    /// Decides by the head, with an empty body, whether a larger body may come; a response refuses
    /// it. The connection is then closed, and a client that sends on may lose the response.
    package typealias Admission = @Sendable (Request) async -> Response?

    /// The bound port.
    package let port: UInt16
    private let core: ServerCore
    private let daemon: Daemon
    private let listener: ListeningSocket
    private let watchdog: Task<Void, Never>
    private let stopping = Locked<Task<Void, Never>?>(nil)

    /// Creates a server and starts listening.
    ///
    /// A handler that does not wait responds on the server's own thread, without a context switch;
    /// one that waits costs its connection a suspension. After `requestTimeoutSeconds` its task is
    /// cancelled and the client gets a 503. `immediate` comes first for each request without a
    /// body; a response from it needs neither a copy of the request nor a task.
    package init(
        _ settings: Settings, immediate: Immediate? = nil, admission: Admission? = nil,
        handler: @escaping Handler
    ) throws(HTTPServerError) {
        let listener = try ListeningSocket(host: settings.host, port: settings.port)
        let core = ServerCore(
            settings, immediate: immediate, admission: admission, handler: handler)
        guard let daemon = Daemon(on: listener, core: core) else {
            close(listener.descriptor)
            throw .cannotListen(
                "\(settings.host) port \(listener.port): cannot create a thread or epoll")
        }
        self.core = core
        self.daemon = daemon
        self.listener = listener
        port = listener.port
        // `shutDown` cancels it and waits for it.
        watchdog = Task { await core.watch() }
    }

    /// Stops accepting, ends streams, waits up to `graceSeconds` for requests in flight, then stops.
    ///
    /// Requests without a response by then get a 503. A second call waits for the first.
    package func stop(graceSeconds: Int) async {
        let task = stopping.withLock { stopping in
            // Every caller waits for this one task.
            let task = stopping ?? Task { await self.shutDown(graceSeconds: graceSeconds) }
            stopping = task
            return task
        }
        await task.value
    }

    private func shutDown(graceSeconds: Int) async {
        core.traffic.enter(.draining)
        listener.refuse()
        await core.endStreams()
        await core.drained(by: .now.advanced(by: .seconds(graceSeconds)))
        await core.abandonHandlers()
        // The library's threads send the 503s.
        await core.drained(by: .now.advanced(by: .seconds(1)))
        watchdog.cancel()
        await watchdog.value
        await DaemonStopper().stop(daemon)
    }
}

/// Why there is no server.
package enum HTTPServerError: Error, Hashable, Sendable {
    case cannotListen(String)
}

extension HTTPServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .cannotListen(let why): "the server cannot listen: \(why)"
        }
    }
}
