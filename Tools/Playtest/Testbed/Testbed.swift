internal import APNsSimulator
internal import Isolation
internal import RangersServer

/// The environment of a play: the simulator, the real server, phones, and two clients of the API.
package final class Testbed: Sendable {
    package struct Settings: Sendable {
        /// The `rangers` binary.
        package var executable: String
        package var speed = 30.0
        package var seed: UInt64 = 1
        package var folder: TestbedFolder
        package var hasBrowserPhones = true
        /// More arguments of `rangers serve`.
        package var arguments: [String] = []

        package init(executable: String, folder: TestbedFolder) {
            self.executable = executable
            self.folder = folder
        }
    }

    /// A push that APNs accepted, and the phone that it reached.
    package struct Delivery: Sendable {
        package let phone: Phone
        package let push: ReceivedPush
    }

    package let phones: PhoneBook
    package let server: ServerProcess
    package let api: GameAPI
    package let admin: GameAPI
    package let url: String
    private let simulator: APNsSimulator
    private let refused = Locked<[String]>([])

    private static let bundleID = "com.example.apple-samplecode.Emoji-Rangers"

    /// Starts the simulator and the server; returns when the server is ready.
    ///
    /// Calls `onDelivery` for every push that reached a phone, on the simulator's thread.
    package init(
        _ settings: Settings, onDelivery: @escaping @Sendable (Delivery) -> Void
    ) async throws {
        let phones = PhoneBook()
        self.phones = phones
        let credentials = try SimulatorCredentials(
            directory: settings.folder.simulator, now: Now.milliseconds() / 1000)
        let refused = refused
        simulator = try APNsSimulator(
            credentials.settings(
                bundleID: Self.bundleID,
                schema: .adventure), now: Now.milliseconds,
            onPush: { Self.deliver($0, to: phones, onDelivery) },
            onRecord: { record in
                guard case .refused(let refusal) = record.outcome else { return }
                refused.withLock { $0.append(refusal.reason.rawValue) }
            },
            onBroadcast: { Self.deliver($0, to: phones) })
        let adminKey = try settings.folder.adminKey()
        server = ServerProcess(
            executable: settings.executable,
            arguments: Self.arguments(settings, credentials, port: simulator.port)
                + settings.arguments,
            logFile: settings.folder.serverLog)
        let port = try await server.start()
        url = "http://127.0.0.1:\(port)"
        api = GameAPI(try HTTPClient(urlText: url))
        admin = api.signedIn(adminKey)
    }

    /// Stops the server, then the simulator. Returns the server's exit code.
    @discardableResult
    package func stop() async -> Int32 {
        let code = await server.stop()
        await simulator.stop(graceMilliseconds: 1000)
        return code
    }

    /// Whether a browser follows the server: each page that somebody sees has a stream, and the
    /// players here have none.
    package var hasOpenPage: Bool {
        get async {
            // A server that was killed follows nobody.
            guard let text = try? await admin.metrics() else { return false }
            return ServerMetrics(text: text).hasOpenPage
        }
    }

    /// Pushes that APNs received twice: the same `apns-id`, so the same content (PR4).
    package var doubled: Int { simulator.counters.doubledIDs }

    /// Apple's reasons for all refused pushes.
    package var refusals: [String] { refused.withLock { $0 } }

    private static func deliver(
        _ push: AcceptedPush, to phones: PhoneBook, _ onDelivery: (Delivery) -> Void
    ) {
        let phone = phones.deliver(
            payload: push.payload, priority: push.priority, token: push.token,
            receivedAt: push.receivedAt)
        guard let phone, let received = phone.received.last else { return }
        onDelivery(Delivery(phone: phone, push: received))
    }

    /// Delivers to a spectator's phone, which follows a channel and has no token.
    private static func deliver(_ broadcast: AcceptedBroadcast, to phones: PhoneBook) {
        phones.deliver(
            broadcast: broadcast.payload, priority: broadcast.priority,
            channel: broadcast.channelID, receivedAt: broadcast.receivedAt)
    }

    private static func arguments(
        _ settings: Settings, _ credentials: SimulatorCredentials, port: UInt16
    ) -> [String] {
        [
            "--data", settings.folder.database,
            "--admin-key-file", settings.folder.adminKeyFile,
            // An address, because a minimal system may not resolve the loopback's name.
            "--apns-host", "127.0.0.1", "--apns-port", "\(port)",
            "--apns-ca", credentials.caFile,
            "--apns-key", credentials.providerKeyFile,
            "--apns-key-id", credentials.keyID,
            "--apns-team-id", credentials.teamID,
            "--bundle-id", bundleID,
            "--channels", "on",
            "--browser-phones", settings.hasBrowserPhones ? "on" : "off",
            "--speed", "\(settings.speed)",
            "--adventure-seed", "\(settings.seed)",
        ]
    }
}
