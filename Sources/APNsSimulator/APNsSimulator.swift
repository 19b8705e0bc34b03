package import APNsClient
package import HTTP2
internal import Isolation

/// A local APNs over real HTTP/2 and TLS: Apple's checks, Apple's answers, faults by script.
///
/// ```swift
/// let credentials = try SimulatorCredentials(directory: "apns-simulator", now: seconds)
/// let simulator = try APNsSimulator(
///     credentials.settings(
///         bundleID: "com.example.app",
///         schema: LiveActivitySchema(contentState: ContentSchema([.init("score", .integer)]))),
///     now: { milliseconds }, onPush: { push in print(push.aps.event ?? "") })
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
        /// The attributes are not judged.
        package var schema: LiveActivitySchema
        /// PEM: the server's certificate and its key.
        package var certificatePEM: String
        package var privateKeyPEM: String
        /// Streams of a connection until its first good request. Apple: one. Clients that open
        /// streams before they have seen SETTINGS (h2load does) get REFUSED_STREAM for the rest.
        package var firstStreamsMax: UInt32 = 1
        /// Streams of a connection from then on.
        package var streamsMax: UInt32 = 1_000
        package var initialWindowSize: UInt32 = 1 << 20
        /// Where channels are managed, as Apple does it on a host of its own; 0 picks a free port,
        /// `nil` is the same port as everything else.
        package var managementPort: UInt16?
        /// `nil`: the same host.
        package var managementHost: String?
        /// Channels of the app. Apple: 10,000.
        package var channelsMax = 10_000
        /// Whether the broadcast capability is on.
        package var broadcastFeature = BroadcastFeature.on
        /// Which certificates the simulator may show instead of its own; `nil`: none.
        package var flawedIdentity: FlawedIdentity?
        /// For the dice of faults and of made ids.
        package var seed: UInt64 = 1

        package init(
            bundleID: String, schema: LiveActivitySchema, providerKeys: [ProviderKey],
            certificatePEM: String, privateKeyPEM: String
        ) {
            self.bundleID = bundleID
            self.schema = schema
            self.providerKeys = providerKeys
            self.certificatePEM = certificatePEM
            self.privateKeyPEM = privateKeyPEM
        }
    }

    /// The port that was bound.
    package let port: UInt16

    /// The port of channel management: `port`, unless the settings name another.
    package let managementPort: UInt16

    let server: HTTP2Server
    let management: HTTP2Server?
    let side: Locked<AppleSide>
    let now: @Sendable () -> Int64
    let flawedIdentity: FlawedIdentity?
    let hooks: Hooks

    /// Makes a certificate that clients must refuse.
    package typealias FlawedIdentity =
        @Sendable (CertificateFlaw) throws(CredentialsError) -> ServerIdentity

    /// Whom the simulator tells. Called on the servers' threads: they must not block.
    struct Hooks: Sendable {
        let onPush: (@Sendable (AcceptedPush) -> Void)?
        let onRecord: (@Sendable (PushRecord) -> Void)?
        let onBroadcast: (@Sendable (AcceptedBroadcast) -> Void)?
        let onDelivered: (@Sendable (AcceptedPush) -> Void)?

        /// Nobody hears of pushes, so they need no record.
        var isDeaf: Bool { onPush == nil && onRecord == nil && onDelivered == nil }

        func hear(_ record: PushRecord) {
            if let push = record.accepted {
                onPush?(push)
                if push.delivery == .atOnce { onDelivered?(push) }
            } else if let broadcast = record.broadcast {
                onBroadcast?(broadcast)
            }
            onRecord?(record)
        }
    }

    /// Listens at once.
    ///
    /// - Parameters:
    ///   - settings: Whom to be.
    ///   - now: Milliseconds since 1970.
    ///   - onPush: Called for every accepted push, on the server's thread: it must not block.
    ///   - onRecord: The same for every request, accepted or not.
    ///   - onBroadcast: The same for every accepted broadcast.
    ///   - onDelivered: The same for every push that got to its device: at once where the device
    ///     is online, which it is by default, else when it comes back.
    /// - Throws: When a port or the certificate cannot be used.
    package init(
        _ settings: Settings, now: @escaping @Sendable () -> Int64,
        onPush: (@Sendable (AcceptedPush) -> Void)? = nil,
        onRecord: (@Sendable (PushRecord) -> Void)? = nil,
        onBroadcast: (@Sendable (AcceptedBroadcast) -> Void)? = nil,
        onDelivered: (@Sendable (AcceptedPush) -> Void)? = nil
    ) throws(HTTP2ServerError) {
        let side = Locked(AppleSide(settings))
        let opener = StreamOpener(streamsMax: settings.streamsMax)
        let hooks = Hooks(
            onPush: onPush, onRecord: onRecord, onBroadcast: onBroadcast, onDelivered: onDelivered)
        server = try HTTP2Server(settings.serverSettings) { arrival, connection, draft in
            let moment = now()
            if hooks.isDeaf,
                side.withLock({ $0.pass(arrival, on: connection, at: moment, &draft) })
            {
                return nil
            }
            let reaction = side.withLock { $0.receive(arrival, on: connection, at: moment) }
            if reaction.streams == .opened { opener.open(connection) }
            hooks.hear(reaction.record)
            return reaction.action
        }
        opener.attach(server)
        management = try settings.managementPort.map { port throws(HTTP2ServerError) in
            try Self.managementServer(settings, port: port, side: side, hooks: hooks, now: now)
        }
        self.side = side
        self.now = now
        self.hooks = hooks
        flawedIdentity = settings.flawedIdentity
        port = server.port
        managementPort = management?.port ?? port
    }

    /// The host that knows channels and nothing else.
    private static func managementServer(
        _ settings: Settings, port: UInt16, side: Locked<AppleSide>, hooks: Hooks,
        now: @escaping @Sendable () -> Int64
    ) throws(HTTP2ServerError) -> HTTP2Server {
        let opener = StreamOpener(streamsMax: settings.streamsMax)
        var own = settings.serverSettings
        own.port = port
        own.host = settings.managementHost ?? settings.host
        let server = try HTTP2Server(own) { request, connection in
            let moment = now()
            let reaction = side.withLock { side in
                // Numbers below zero: the other server counts from 1 too.
                side.receiveAboutChannels(
                    request, at: .management, on: -connection, now: moment)
            }
            if reaction.streams == .opened { opener.open(connection) }
            hooks.hear(reaction.record)
            return reaction.action
        }
        opener.attach(server)
        return server
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
    package func unregister(
        _ token: String, at moment: Int64, as reason: RefusalReason = .unregistered
    ) {
        side.withLock { $0.registry.unregister(token, at: moment, as: reason) }
    }

    /// From now on these provider keys are good and no others: one more is a rotation's
    /// beginning, one less a revocation.
    package func use(_ keys: [ProviderKey]) { side.withLock { $0.use(keys) } }

    // MARK: Faults

    /// Puts a fault at the end of the script.
    package func add(_ fault: Fault) { side.withLock { $0.script.add(fault) } }

    /// The same for a script that others write to: it holds at most so many.
    func addWithinLimit(_ fault: Fault) throws(FaultScriptError) {
        try side.withLock { side throws(FaultScriptError) in
            guard side.script.all.count < FaultScript.linesMax else {
                throw .tooMany(limit: FaultScript.linesMax)
            }
            side.script.add(fault)
        }
    }

    /// The faults that are still in force.
    package var faults: [ScriptedFault] { side.withLock { $0.script.all } }

    /// Everything works again.
    package func removeFaults() { side.withLock { $0.script.removeAll() } }

    // MARK: Watching and ending

    package var counters: Counters {
        side.withLock { side in
            var counters = side.counters
            counters.offline = side.devices.counters
            return counters
        }
    }

    /// Sends GOAWAY, finishes what is in flight within the bound, closes.
    package func stop(graceMilliseconds: Int) async {
        await management?.stop(graceMilliseconds: graceMilliseconds)
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
        server.idleDebugData = Answers.reason("IdleTimeout")
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
