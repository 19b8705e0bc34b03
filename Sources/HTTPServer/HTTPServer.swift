internal import Glibc
internal import Isolation

/// An HTTP/1.1 server over libmicrohttpd, hardened.
///
/// It serves from `init` on, and until `stop`: letting go of it does not end it.
package final class HTTPServer: Sendable {
    /// Where to listen, and the limits.
    package struct Settings: Sendable {
        /// An IPv4 or IPv6 address; port 0 picks a free one.
        package var host = "127.0.0.1"
        package var port: UInt16 = 0
        package var bodyBytesMax = 16 * 1024
        package var threads = 2
        package var connectionsMax = 1000
        /// How many requests may be with `handler` at once; those beyond get a 503 at once.
        package var requestsMax = 512
        /// How long a connection may be silent.
        package var idleTimeoutSeconds = 30
        /// How long a request may take to come in and be handled, and its answer to go out.
        package var requestTimeoutSeconds = 10
        /// Called on a server's thread after each answer, also where no handler was asked; it
        /// must not block.
        package var onAnswer: (@Sendable (_ status: Int, _ duration: Duration) -> Void)?

        package init() {}
    }

    package typealias Handler = @Sendable (Request) async -> Response
    /// Answers a request that has no body in place, on the server's own thread, or says nil:
    /// `Handler` is asked then.
    ///
    /// It must not block, and nothing of the head may be kept.
    package typealias Immediate = @Sendable (borrowing RequestHead) -> Response?

    /// The port that was bound.
    package let port: UInt16
    private let engine: Engine
    private let daemon: Daemon
    private let listener: ListeningSocket
    private let watchdog: Task<Void, Never>
    private let stopping = Locked<Task<Void, Never>?>(nil)

    /// Listens at once.
    ///
    /// A handler that does not wait answers on the server's own thread, without a hop; one that
    /// waits costs its connection a suspension. After `requestTimeoutSeconds` its task is
    /// cancelled and the client gets a 503. `immediate` is asked before it for each request
    /// without a body: what is answered there costs neither a copy of the request nor a task.
    package init(
        _ settings: Settings, immediate: Immediate? = nil, handler: @escaping Handler
    ) throws(HTTPServerError) {
        let listener = try ListeningSocket(host: settings.host, port: settings.port)
        let engine = Engine(settings, immediate: immediate, handler: handler)
        guard let daemon = Daemon(on: listener, engine: engine) else {
            close(listener.descriptor)
            throw .cannotListen(
                "\(settings.host) port \(listener.port): no thread or epoll could be made")
        }
        self.engine = engine
        self.daemon = daemon
        self.listener = listener
        port = listener.port
        // `shutDown` cancels it and waits for it.
        watchdog = Task { await engine.watch() }
    }

    /// Stops accepting, finishes what is in flight (at most `graceSeconds`), then stops.
    ///
    /// What is not answered by then gets a 503. Calling it again waits for the first call.
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
        engine.traffic.enter(.draining)
        listener.refuse()
        await engine.drained(by: .now.advanced(by: .seconds(graceSeconds)))
        await engine.abandonHandlers()
        // The library's threads send the 503s.
        await engine.drained(by: .now.advanced(by: .seconds(1)))
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
