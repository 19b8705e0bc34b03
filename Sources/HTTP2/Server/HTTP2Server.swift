internal import Isolation

/// An HTTP/2 server over TLS on its own thread, for simulators and tests.
package final class HTTP2Server: Sendable {
    package struct Settings: Sendable {
        package var host = "127.0.0.1"
        /// The port; 0 picks a free one.
        package var port: UInt16 = 0
        /// The server's certificate chain and private key, in PEM.
        package var certificatePEM = ""
        package var privateKeyPEM = ""
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

        package init() {}

        var identity: Identity {
            Identity(certificatePEM: certificatePEM, privateKeyPEM: privateKeyPEM)
        }
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
        /// A fault that no correct server produces.
        case trouble(Trouble)
    }

    /// A connection's number, in the order of accepting: 1, 2, 3 …
    package typealias ConnectionID = Int

    /// A handler, called on the server's thread: it must not block.
    package typealias Handler = @Sendable (HTTP2Request, ConnectionID) -> Action

    /// The bound port.
    package let port: UInt16

    let thread: LoopThread<ServerEngine>
    let settings: Settings

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

    static func context(_ identity: Identity) throws(HTTP2ServerError) -> TLSContext {
        do {
            return try TLSContext.server(
                certificatePEM: identity.certificatePEM, privateKeyPEM: identity.privateKeyPEM)
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
