internal import APNsSimulator
internal import Isolation
internal import RangersServer

/// The simulated APNs of a testbed, the phones behind it, and how a server reaches it.
package final class TestbedAPNs: Sendable {
    private static let bundleID = "com.example.apple-samplecode.Emoji-Rangers"
    private static let graceMilliseconds = 1000

    package let phones: PhoneBook
    private let folder: TestbedFolder
    private let credentials: SimulatorCredentials
    private let simulator: APNsSimulator
    private let refused = Locked<[String]>([])

    /// Starts the simulator. Calls `onDelivery` for every push that reached a phone, on the
    /// simulator's thread.
    init(
        _ folder: TestbedFolder, phones: PhoneBook = PhoneBook(),
        onDelivery: @escaping @Sendable (Testbed.Delivery) -> Void
    ) throws {
        self.folder = folder
        self.phones = phones
        credentials = try SimulatorCredentials(
            directory: folder.simulator, now: Now.milliseconds() / 1000)
        let refused = refused
        simulator = try APNsSimulator(
            credentials.settings(bundleID: Self.bundleID, schema: .adventure),
            now: Now.milliseconds,
            onPush: { Self.deliver($0, to: phones, onDelivery) },
            onRecord: { record in
                guard case .refused(let refusal) = record.outcome else { return }
                refused.withLock { $0.append(refusal.reason.rawValue) }
            },
            onBroadcast: { Self.deliver($0, to: phones) })
    }

    func stop() async { await simulator.stop(graceMilliseconds: Self.graceMilliseconds) }

    /// Pushes that APNs received twice: the same `apns-id`, so the same content (PR4).
    var doubled: Int { simulator.counters.doubledIDs }

    /// Accepted pushes.
    var accepted: Int { simulator.counters.accepted }

    /// Apple's reasons for all refused pushes.
    var refusals: [String] { refused.withLock { $0 } }

    /// Returns the arguments of `rangers serve` that every server of a testbed has.
    func arguments(browserPhones: String, speed: Double, seed: UInt64) -> [String] {
        [
            "--admin-key-file", folder.adminKeyFile,
            // An address, because a minimal system may not resolve the loopback's name.
            "--apns-host", "127.0.0.1", "--apns-port", "\(simulator.port)",
            "--apns-ca", credentials.caFile,
            "--apns-key", credentials.providerKeyFile,
            "--apns-key-id", credentials.keyID,
            "--apns-team-id", credentials.teamID,
            "--bundle-id", Self.bundleID,
            "--channels", "on",
            "--browser-phones", browserPhones,
            "--speed", "\(speed)",
            "--adventure-seed", "\(seed)",
        ]
    }

    private static func deliver(
        _ push: AcceptedPush, to phones: PhoneBook,
        _ onDelivery: (Testbed.Delivery) -> Void
    ) {
        let phone = phones.deliver(
            payload: push.payload, priority: push.priority, token: push.token,
            receivedAt: push.receivedAt)
        guard let phone, let received = phone.received.last else { return }
        onDelivery(Testbed.Delivery(phone: phone, push: received))
    }

    /// Delivers to a spectator's phone, which follows a channel and has no token.
    private static func deliver(_ broadcast: AcceptedBroadcast, to phones: PhoneBook) {
        phones.deliver(
            broadcast: broadcast.payload, priority: broadcast.priority,
            channel: broadcast.channelID, receivedAt: broadcast.receivedAt)
    }
}
