internal import Isolation

/// An HTTP/2 server over TLS on one thread of its own: the other side, for simulators and tests.
package final class HTTP2Server: Sendable {
    package struct Settings: Sendable {
        package var host = "127.0.0.1"
        /// 0 picks a free port.
        package var port: UInt16 = 0
        /// PEM: the server's certificate chain, and its private key.
        package var certificatePEM = ""
        package var privateKeyPEM = ""
        package var maxConcurrentStreams: UInt32 = 1000
        package var initialWindowSize: UInt32 = 1 << 20
        /// A longer request body is answered with 413.
        package var bodyBytesMax = 64 * 1024
        /// From TCP to the end of TLS; slower clients are cut off.
        package var handshakeTimeoutMilliseconds = 10_000
        /// Clients that send nothing for so long are sent away.
        package var idleTimeoutMilliseconds = 600_000
        /// What GOAWAY tells them.
        package var idleDebugData: [UInt8] = []
        /// Further clients are cut off at once.
        package var connectionsMax = 4_096

        package init() {}

        var identity: Identity {
            Identity(certificatePEM: certificatePEM, privateKeyPEM: privateKeyPEM)
        }
    }

    /// What the server does with a request that has come in whole.
    package enum Action: Sendable {
        case respond(HTTP2Response, delayMilliseconds: Int = 0)
        /// RST_STREAM with this error code (7 is REFUSED_STREAM).
        case resetStream(errorCode: UInt32)
        /// Answers (if there is an answer), then GOAWAY with this debug data; streams in flight
        /// end well. Without an answer the request counts as not processed.
        case goAway(HTTP2Response?, debugData: [UInt8])
        /// The TCP connection is cut at once.
        case dropConnection
        /// No answer, ever.
        case ignore
        /// What no server means to do.
        case trouble(Trouble)
    }

    /// A connection's number: 1, 2, 3 … in the order of accepting.
    package typealias ConnectionID = Int

    /// Called on the server's thread: it must not block.
    package typealias Handler = @Sendable (HTTP2Request, ConnectionID) -> Action

    /// The same without a copy of the request; `nil` means that the answer stands in the draft.
    package typealias DirectHandler =
        @Sendable (HTTP2Arrival, ConnectionID, inout HTTP2Draft) -> Action?

    /// The port that was bound.
    package let port: UInt16

    let thread: LoopThread<ServerEngine>
    let settings: Settings

    /// Listens at once.
    package convenience init(
        _ settings: Settings, handler: @escaping Handler
    ) throws(HTTP2ServerError) {
        try self.init(
            settings,
            answering: { arrival, connection, _ in
                handler(HTTP2Request(arrival), connection)
            })
    }

    /// Listens at once, for a handler that is in a hurry.
    package init(
        _ settings: Settings, answering handler: @escaping DirectHandler
    ) throws(HTTP2ServerError) {
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

    /// Changes SETTINGS_MAX_CONCURRENT_STREAMS of one connection; clients see it at once.
    package func setMaxConcurrentStreams(_ count: UInt32, on connection: ConnectionID) {
        thread.post { $0.connection(connection)?.setMaxConcurrentStreams(count) }
    }

    /// Sends GOAWAY, finishes what is in flight within the bound, closes.
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

/// Why a server could not start; the message says what was asked for.
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
