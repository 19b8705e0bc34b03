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
    private let apns: TestbedAPNs

    /// Starts the simulator and the server; returns when the server is ready.
    ///
    /// Calls `onDelivery` for every push that reached a phone, on the simulator's thread.
    package init(
        _ settings: Settings, onDelivery: @escaping @Sendable (Delivery) -> Void
    ) async throws {
        apns = try TestbedAPNs(settings.folder, onDelivery: onDelivery)
        phones = apns.phones
        let adminKey = try settings.folder.adminKey()
        server = ServerProcess(
            executable: settings.executable,
            arguments: ["--data", settings.folder.database]
                + apns.arguments(
                    browserPhones: settings.hasBrowserPhones ? "on" : "off",
                    speed: settings.speed, seed: settings.seed) + settings.arguments,
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
        await apns.stop()
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
    package var doubled: Int { apns.doubled }

    /// Apple's reasons for all refused pushes.
    package var refusals: [String] { apns.refusals }
}
