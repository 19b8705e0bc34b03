package import APNsClient
package import HTTP2Server
internal import Isolation

/// A local APNs over real HTTP/2 and TLS, with Apple's checks, Apple's responses and scripted
/// faults.
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
        /// The port; 0 picks a free one.
        package var port: UInt16 = 0
        /// The only app that accepts pushes.
        package var bundleID: String
        package var environment = APNsEnvironment.sandbox
        package var mode = Mode.checking
        package var providerKeys: [ProviderKey]
        package var tokenPolicy = TokenRegistry.Policy.any
        /// The app's types. Violations are only warnings, because APNs does not know the schema.
        package var schema: LiveActivitySchema
        package var identity: ServerIdentity
        /// The streams of a connection until its first accepted request. Apple: one. Clients that
        /// open streams before they have received SETTINGS (as h2load does) get REFUSED_STREAM for
        /// the rest.
        package var firstStreamsMax: UInt32 = 1
        /// The streams of a connection after that.
        package var streamsMax: UInt32 = 1_000
        package var initialWindowSize: UInt32 = 1 << 20
        /// The port of channel management, which Apple runs on a separate host; 0 picks a free
        /// port, `nil` uses the common port.
        package var managementPort: UInt16?
        /// The host of channel management; `nil`: the same host.
        package var managementHost: String?
        /// The limit of the app's channels. Apple: 10,000.
        package var channelsMax = 10_000
        /// Whether the broadcast capability is on.
        package var broadcastFeature = BroadcastFeature.on
        /// Creates flawed certificates; `nil`: none are available.
        package var flawedIdentity: FlawedIdentity?
        /// The seed for faults and generated ids.
        package var seed: UInt64 = 1

        package init(
            bundleID: String, schema: LiveActivitySchema, providerKeys: [ProviderKey],
            identity: ServerIdentity
        ) {
            self.bundleID = bundleID
            self.schema = schema
            self.providerKeys = providerKeys
            self.identity = identity
        }
    }

    /// What the simulator does with pushes to devices.
    package enum Mode: Hashable, Sendable {
        /// Checks each as Apple does.
        case checking
        /// Accepts each without checking it, so that a bench does not measure the checks. Scripted
        /// faults still apply.
        case trusting
    }

    /// The bound port.
    package let port: UInt16

    /// The port of channel management: `port`, unless the settings specify another.
    package let managementPort: UInt16

    private let server: HTTP2Server
    private let management: HTTP2Server?
    private let apns: Locked<SimulatedAPNs>
    let now: @Sendable () -> Int64
    private let flawedIdentity: FlawedIdentity?
    private let hooks: Hooks

    /// Creates a certificate that clients must refuse.
    package typealias FlawedIdentity =
        @Sendable (CertificateFlaw) throws(CredentialsError) -> ServerIdentity

    /// The callbacks. Called on the servers' threads; they must not block.
    private struct Hooks: Sendable {
        let onPush: (@Sendable (AcceptedPush) -> Void)?
        let onRecord: (@Sendable (PushRecord) -> Void)?
        let onBroadcast: (@Sendable (AcceptedBroadcast) -> Void)?
        let onDelivered: (@Sendable (AcceptedPush) -> Void)?

        func report(_ record: PushRecord) {
            if let push = record.accepted {
                onPush?(push)
                if push.delivery == .atOnce { onDelivered?(push) }
            } else if let broadcast = record.broadcast {
                onBroadcast?(broadcast)
            }
            onRecord?(record)
        }
    }

    /// Creates a simulator and starts listening.
    ///
    /// - Parameters:
    ///   - settings: The app, the credentials and the limits.
    ///   - now: Milliseconds since 1970.
    ///   - onPush: Called for every accepted push, on the server's thread; it must not block.
    ///   - onRecord: Called likewise for every request, accepted or not.
    ///   - onBroadcast: Called likewise for every accepted broadcast.
    ///   - onDelivered: Called likewise for every push that reached its device: at once if the
    ///     device is online, which is the default, otherwise when it returns.
    /// - Throws: When a port or the certificate cannot be used.
    package init(
        _ settings: Settings, now: @escaping @Sendable () -> Int64,
        onPush: (@Sendable (AcceptedPush) -> Void)? = nil,
        onRecord: (@Sendable (PushRecord) -> Void)? = nil,
        onBroadcast: (@Sendable (AcceptedBroadcast) -> Void)? = nil,
        onDelivered: (@Sendable (AcceptedPush) -> Void)? = nil
    ) throws(HTTP2ServerError) {
        let apns = Locked(SimulatedAPNs(settings))
        let opener = StreamOpener(streamsMax: settings.streamsMax)
        let hooks = Hooks(
            onPush: onPush, onRecord: onRecord, onBroadcast: onBroadcast, onDelivered: onDelivered)
        server = try HTTP2Server(settings.serverSettings) { request, connection in
            let moment = now()
            let reaction = apns.withLock { $0.receive(request, on: connection, at: moment) }
            if reaction.streams == .opened { opener.open(connection) }
            hooks.report(reaction.record)
            return reaction.action
        }
        opener.attach(server)
        management = try settings.managementPort.map { port throws(HTTP2ServerError) in
            try Self.managementServer(settings, port: port, apns: apns, hooks: hooks, now: now)
        }
        self.apns = apns
        self.now = now
        self.hooks = hooks
        flawedIdentity = settings.flawedIdentity
        port = server.port
        managementPort = management?.port ?? port
    }

    /// Creates the host for channel management only.
    private static func managementServer(
        _ settings: Settings, port: UInt16, apns: Locked<SimulatedAPNs>, hooks: Hooks,
        now: @escaping @Sendable () -> Int64
    ) throws(HTTP2ServerError) -> HTTP2Server {
        let opener = StreamOpener(streamsMax: settings.streamsMax)
        var own = settings.serverSettings
        own.port = port
        own.host = settings.managementHost ?? settings.host
        let server = try HTTP2Server(own) { request, connection in
            let moment = now()
            let reaction = apns.withLock { apns in
                // Negative numbers, because the other server counts from 1 too.
                apns.receiveAboutChannels(
                    request, at: .management, on: -connection, now: moment)
            }
            if reaction.streams == .opened { opener.open(connection) }
            hooks.report(reaction.record)
            return reaction.action
        }
        opener.attach(server)
        return server
    }

    // MARK: Tokens

    /// Registers a device token; required under `.registeredOnly`.
    package func register(
        _ token: String, bundleID: String? = nil, environment: APNsEnvironment? = nil
    ) {
        apns.withLock {
            $0.registry.register(token, bundleID: bundleID, environment: environment)
        }
    }

    /// Unregisters a token: pushes to it get a 410 with this timestamp, in milliseconds since 1970.
    package func unregister(
        _ token: String, at moment: Int64, as reason: RefusalReason = .unregistered
    ) {
        apns.withLock { $0.registry.unregister(token, at: moment, as: reason) }
    }

    /// Replaces the valid provider keys: one more begins a rotation, one less is a revocation.
    package func use(_ keys: [ProviderKey]) { apns.withLock { $0.use(keys) } }

    // MARK: Faults

    /// Adds a fault at the end of the script.
    package func add(_ fault: Fault) { apns.withLock { $0.script.add(fault) } }

    /// Adds a fault to a script of limited length, for the control interface.
    func addWithinLimit(_ fault: Fault) throws(FaultScriptError) {
        try apns.withLock { apns throws(FaultScriptError) in
            guard apns.script.all.count < FaultScript.linesMax else {
                throw .tooMany(limit: FaultScript.linesMax)
            }
            apns.script.add(fault)
        }
    }

    /// The faults still in force.
    package var faults: [ScriptedFault] { apns.withLock { $0.script.all } }

    /// Removes all faults.
    package func removeFaults() { apns.withLock { $0.script.removeAll() } }

    // MARK: Counters and shutdown

    /// What it does with pushes to devices.
    package var mode: Mode { apns.withLock { $0.mode } }

    package var counters: Counters {
        apns.withLock { apns in
            var counters = apns.counters
            counters.offline = apns.devices.counters
            return counters
        }
    }

    /// Sends GOAWAY, waits up to the grace period for requests in flight, and closes.
    package func stop(graceMilliseconds: Int) async {
        await management?.stop(graceMilliseconds: graceMilliseconds)
        await server.stop(graceMilliseconds: graceMilliseconds)
    }
}

// MARK: - Devices

extension APNsSimulator {
    /// Takes the device with these tokens offline: APNs stores one notification for it.
    package func takeOffline(
        _ token: String, with others: [String] = []
    ) throws(OfflineDevicesError) {
        try apns.withLock { apns throws(OfflineDevicesError) in
            try apns.devices.takeOffline([token] + others)
        }
    }

    /// The number of offline devices.
    package var devicesOffline: Int { apns.withLock { $0.devices.count } }

    /// Brings the device online and delivers its stored push, which it returns and passes to
    /// `onDelivered` on this thread.
    @discardableResult
    package func bringOnline(_ token: String) -> AcceptedPush? {
        let moment = now()
        let push = apns.withLock { $0.devices.bringOnline(token, at: moment) }
        if let push { hooks.onDelivered?(push) }
        return push
    }
}

// MARK: - Channels

extension APNsSimulator {
    /// The app's channels, ordered by id.
    package var channels: [Channel] { apns.withLock { $0.channels.all } }

    /// Returns what a device gets that subscribes now: the newest message, if stored.
    package func storedBroadcast(of channelID: String) -> AcceptedBroadcast? {
        let moment = now()
        return apns.withLock { $0.channels[channelID]?.message(at: moment) }
    }

    package var broadcastFeature: BroadcastFeature { apns.withLock { $0.channels.feature } }

    /// Switches the capability; off permanently deletes every channel.
    package func setBroadcastFeature(_ feature: BroadcastFeature) {
        apns.withLock { $0.channels.set(feature) }
    }
}

// MARK: - Connections

extension APNsSimulator {
    /// Sends GOAWAY with `{"reason": …}`; requests in flight get their responses.
    package func sendGoAway(
        to audience: HTTP2Server.Audience = .everyConnection, reason: String
    ) {
        for server in servers {
            server.goAway(to: audience, debugData: APNsResponses.reason(reason))
        }
    }

    /// Sends GOAWAY repeatedly; `nil` stops it.
    package func sendGoAway(
        everyMilliseconds interval: Int?, to audience: HTTP2Server.Audience = .everyConnection,
        reason: String
    ) {
        for server in servers {
            server.goAway(
                everyMilliseconds: interval, to: audience, debugData: APNsResponses.reason(reason))
        }
    }

    /// Changes the stream limit of every current connection.
    package func setStreamsMax(_ count: UInt32) {
        for server in servers { server.setMaxConcurrentStreams(count) }
    }

    /// Sets how to receive new connections: late, in silence, with another window or certificate.
    ///
    /// - Throws: When the identity cannot be used; then nothing has changed.
    package func receive(as reception: HTTP2Server.Reception) throws(HTTP2ServerError) {
        for server in servers { try server.receive(as: reception) }
        apns.withLock { $0.reception = reception }
    }

    /// How new connections are received.
    package var reception: HTTP2Server.Reception { apns.withLock { $0.reception } }

    /// Presents a certificate with this flaw to new connections; `nil`: a valid one again.
    ///
    /// - Throws: When the settings cannot create such a certificate.
    package func showCertificate(_ flaw: CertificateFlaw?) throws {
        var reception = reception
        reception.identity = try flaw.map { flaw in
            guard let flawedIdentity else {
                throw CredentialsError("these settings have no flawed certificates")
            }
            return try flawedIdentity(flaw)
        }
        try receive(as: reception)
    }

    private var servers: [HTTP2Server] { [server] + (management.map { [$0] } ?? []) }
}

extension APNsSimulator.Settings {
    fileprivate var serverSettings: HTTP2Server.Settings {
        var server = HTTP2Server.Settings(identity)
        server.host = host
        server.port = port
        server.maxConcurrentStreams = firstStreamsMax
        server.initialWindowSize = initialWindowSize
        server.idleDebugData = APNsResponses.reason("IdleTimeout")
        return server
    }
}
