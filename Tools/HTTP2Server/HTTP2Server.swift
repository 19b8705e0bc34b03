package import HTTP2

/// An HTTP/2 server over TLS on its own thread, for simulators and tests.
package final class HTTP2Server: Sendable {
    package struct Settings: Sendable {
        package var host = "127.0.0.1"
        /// The port; 0 picks a free one.
        package var port: UInt16 = 0
        package var identity: ServerIdentity
        package var maxConcurrentStreams: UInt32 = 1000
        package var initialWindowSize: UInt32 = 1 << 20
        /// Longer request bodies get a 413.
        package var bodyBytesMax = 64 * 1024
        /// The limit for TLS after TCP; slower clients are disconnected.
        package var handshakeTimeoutMilliseconds = 10_000
        /// Clients that send nothing for so long get a GOAWAY.
        package var idleTimeoutMilliseconds = 600_000
        /// The GOAWAY's debug data for idle clients.
        package var idleDebugData: [UInt8] = []
        /// Clients beyond this limit are disconnected at once.
        package var connectionsMax = 4_096

        package init(_ identity: ServerIdentity) { self.identity = identity }
    }

    /// The server's action for a complete request.
    package enum Action: Sendable {
        case respond(HTTP2Response, delayMilliseconds: Int = 0)
        /// RST_STREAM with this error code (7 is REFUSED_STREAM).
        case resetStream(errorCode: UInt32)
        /// Sends the response, if any, then GOAWAY with this debug data; finishes streams in
        /// flight. Without a response the request counts as not processed.
        case goAway(HTTP2Response?, debugData: [UInt8])
        /// Closes the TCP connection at once.
        case dropConnection
        /// Never responds.
        case ignore
        case fault(Fault)
    }

    /// What no correct server does with a request.
    package enum Fault: Sendable {
        /// Responds, then sends two GOAWAYs as in RFC 9113 section 6.8: the first with the highest
        /// possible stream, the second, after the pause, with the actual last one.
        case goAwayTwice(HTTP2Response, debugData: [UInt8], pauseMilliseconds: Int)
        /// Responds, then changes SETTINGS_MAX_CONCURRENT_STREAMS.
        case limitStreams(HTTP2Response, to: UInt32)
        case respondWithTrailers(HTTP2Response, [HTTP2Header])
        /// Sends bytes that are not HTTP/2 frames, then ends the connection.
        case sendInvalidBytes([UInt8])
        /// Stops reading and writing, while TCP stays open.
        case stopResponding
        /// Stops for so long, like a suspended server. Then it responds to this request and to
        /// those sent meanwhile.
        case suspend(HTTP2Response, milliseconds: Int)
    }

    /// A connection's number, in the order of accepting: 1, 2, 3 …
    package typealias ConnectionID = Int

    /// A handler, called on the server's thread: it must not block.
    package typealias Handler = @Sendable (HTTP2Request, ConnectionID) -> Action

    /// The bound port.
    package let port: UInt16

    private let thread: LoopThread<ServerEngine>
    private let settings: Settings

    /// Creates a server and starts listening.
    package init(_ settings: Settings, handler: @escaping Handler) throws(HTTP2ServerError) {
        let context = try Self.context(settings.identity)
        self.settings = settings
        do {
            let (descriptor, port) = try ServerSocket.listen(settings.host, port: settings.port)
            self.port = port
            do {
                thread = try LoopThread { loop in
                    ServerEngine(
                        loop: loop, listening: descriptor, context: context, settings: settings,
                        handler: handler)
                }
            } catch {
                ServerSocket.close(descriptor)
                throw error
            }
        } catch {
            throw .cannotListen("\(settings.host):\(settings.port): \(error)")
        }
    }

    deinit { thread.post { $0.stop(graceMilliseconds: 0) } }

    /// Changes SETTINGS_MAX_CONCURRENT_STREAMS of one connection, effective at once.
    package func setMaxConcurrentStreams(_ count: UInt32, on connection: ConnectionID) {
        thread.post { $0.connection(connection)?.setMaxConcurrentStreams(count) }
    }

    /// Sends GOAWAY, waits up to the grace period for requests in flight, and closes.
    package func stop(graceMilliseconds: Int) async {
        thread.post { $0.stop(graceMilliseconds: graceMilliseconds) }
        await withCheckedContinuation { continuation in
            thread.whenEnded { continuation.resume() }
        }
    }

    private static func context(
        _ identity: ServerIdentity
    ) throws(HTTP2ServerError) -> TLSContext {
        do {
            return try identity.context()
        } catch {
            throw .badIdentity(error.description)
        }
    }
}

/// Why a server could not start; the message contains the requested address.
package enum HTTP2ServerError: Error, Hashable, Sendable {
    case cannotListen(String)
    case badIdentity(String)
}

extension HTTP2ServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .cannotListen(let why): "the server cannot listen: \(why)"
        case .badIdentity(let why): "the server's certificate cannot be used: \(why)"
        }
    }
}

// MARK: - Live connections

extension HTTP2Server {
    /// Sets how to receive new connections.
    ///
    /// - Throws: When the identity cannot be used; then nothing has changed.
    package func receive(as reception: Reception) throws(HTTP2ServerError) {
        let identity = reception.identity ?? settings.identity
        // Created here to report errors to the caller, and again on the thread that uses the
        // context.
        _ = try Self.context(identity)
        thread.post { engine in
            guard let context = try? Self.context(identity) else { return }
            engine.receive(as: reception, context)
        }
    }

    /// Sends GOAWAY; requests in flight are finished.
    package func goAway(to audience: Audience = .everyConnection, debugData: [UInt8]) {
        thread.post { $0.goAway(to: audience, debugData: debugData) }
    }

    /// Sends GOAWAY repeatedly; `nil` stops it.
    package func goAway(
        everyMilliseconds interval: Int?, to audience: Audience = .everyConnection,
        debugData: [UInt8]
    ) {
        thread.post {
            $0.goAway(everyMilliseconds: interval, to: audience, debugData: debugData)
        }
    }

    /// The receivers of each GOAWAY.
    package enum Audience: Sendable {
        case everyConnection
        /// One connection after another, like rolling maintenance at Apple.
        case oldestConnection
    }

    /// Changes SETTINGS_MAX_CONCURRENT_STREAMS of every connection.
    package func setMaxConcurrentStreams(_ count: UInt32) {
        thread.post { engine in
            for connection in engine.all { connection.setMaxConcurrentStreams(count) }
        }
    }
}
