package import HTTP2
internal import Isolation

/// A local APNs over real HTTP/2 and TLS: Apple's checks, Apple's answers, faults by script.
///
/// ```swift
/// let credentials = try SimulatorCredentials(directory: "apns-simulator", now: seconds)
/// let simulator = try APNsSimulator(
///     credentials.settings(bundleID: "com.example.app"), now: { milliseconds },
///     onPush: { push in print(push.aps.eventDescription ?? "") })
/// simulator.port
/// ```
package final class APNsSimulator: Sendable {
    package struct Settings: Sendable {
        package var host = "127.0.0.1"
        /// 0 picks a free port.
        package var port: UInt16 = 0
        /// The one app that pushes may be for.
        package var bundleID: String
        package var environment = APNsEnvironment.sandbox
        package var providerKeys: [ProviderKey]
        package var tokenPolicy = TokenRegistry.Policy.any
        /// What the app's `ContentState` insists on: only warned about, as only devices know it.
        package var contentSchema = ContentSchema.adventure
        /// PEM: the server's certificate and its key.
        package var certificatePEM: String
        package var privateKeyPEM: String
        /// Streams of a connection until its first good request. Apple: one. Clients that open
        /// streams before they have seen SETTINGS (h2load does) get REFUSED_STREAM for the rest.
        package var firstStreamsMax: UInt32 = 1
        /// Streams of a connection from then on.
        package var streamsMax: UInt32 = 1_000
        package var initialWindowSize: UInt32 = 1 << 20
        /// For the dice of faults and of made ids.
        package var seed: UInt64 = 1

        package init(
            bundleID: String, providerKeys: [ProviderKey], certificatePEM: String,
            privateKeyPEM: String
        ) {
            self.bundleID = bundleID
            self.providerKeys = providerKeys
            self.certificatePEM = certificatePEM
            self.privateKeyPEM = privateKeyPEM
        }
    }

    /// The port that was bound.
    package let port: UInt16

    private let server: HTTP2Server
    private let side: Locked<AppleSide>

    /// Listens at once.
    ///
    /// - Parameters:
    ///   - settings: Whom to be.
    ///   - now: Milliseconds since 1970.
    ///   - onPush: Called for every accepted push, on the server's thread: it must not block.
    ///   - onRecord: The same for every request, accepted or not.
    /// - Throws: When the port or the certificate cannot be used.
    package init(
        _ settings: Settings, now: @escaping @Sendable () -> Int64,
        onPush: @escaping @Sendable (AcceptedPush) -> Void = { _ in },
        onRecord: @escaping @Sendable (PushRecord) -> Void = { _ in }
    ) throws(HTTP2ServerError) {
        let side = Locked(AppleSide(settings))
        let opener = StreamOpener(streamsMax: settings.streamsMax)
        server = try HTTP2Server(settings.serverSettings) { request, connection in
            let moment = now()
            let reaction = side.withLock { $0.receive(request, on: connection, at: moment) }
            if reaction.streams == .opened { opener.open(connection) }
            if let push = reaction.record.accepted { onPush(push) }
            onRecord(reaction.record)
            return reaction.action
        }
        opener.attach(server)
        self.side = side
        port = server.port
    }

    // MARK: Tokens

    /// Makes a device token good; needed under `.registeredOnly`.
    package func register(
        _ token: String, bundleID: String? = nil, environment: APNsEnvironment? = nil
    ) {
        side.withLock {
            $0.registry.register(token, bundleID: bundleID, environment: environment)
        }
    }

    /// From now on the token is answered with 410 and this moment, milliseconds since 1970.
    package func unregister(_ token: String, at moment: Int64) {
        side.withLock { $0.registry.unregister(token, at: moment) }
    }

    // MARK: Faults

    /// Puts a fault at the end of the script.
    package func add(_ fault: Fault) { side.withLock { $0.script.add(fault) } }

    /// Everything works again.
    package func removeFaults() { side.withLock { $0.script.removeAll() } }

    // MARK: Watching and ending

    package var counters: Counters { side.withLock { $0.counters } }

    /// Sends GOAWAY, finishes what is in flight within the bound, closes.
    package func stop(graceMilliseconds: Int) async {
        await server.stop(graceMilliseconds: graceMilliseconds)
    }
}

extension APNsSimulator.Settings {
    fileprivate var serverSettings: HTTP2Server.Settings {
        var server = HTTP2Server.Settings()
        server.host = host
        server.port = port
        server.certificatePEM = certificatePEM
        server.privateKeyPEM = privateKeyPEM
        server.maxConcurrentStreams = firstStreamsMax
        server.initialWindowSize = initialWindowSize
        return server
    }
}

/// Gives connections more streams. The server is made after its handler, so it is attached later.
private final class StreamOpener: Sendable {
    private let streamsMax: UInt32
    private let state = Locked(State())

    private struct State {
        weak var server: HTTP2Server?
        /// Connections that were faster than `attach`.
        var early: [HTTP2Server.ConnectionID] = []
    }

    init(streamsMax: UInt32) { self.streamsMax = streamsMax }

    func attach(_ server: HTTP2Server) {
        let early = state.withLock { state in
            state.server = server
            return state.early
        }
        for connection in early { open(connection) }
    }

    func open(_ connection: HTTP2Server.ConnectionID) {
        let server = state.withLock { state in
            if state.server == nil { state.early.append(connection) }
            return state.server
        }
        server?.setMaxConcurrentStreams(streamsMax, on: connection)
    }
}
