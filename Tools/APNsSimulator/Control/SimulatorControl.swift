internal import HTTPServer

/// The control interface: HTTP/1.1 on a loopback port, which scripts a simulator without a line of
/// Swift. See docs/reference/simulator.md.
package final class SimulatorControl: Sendable {
    /// The bound port.
    package let port: UInt16

    private let server: HTTPServer

    /// Creates the interface and starts listening.
    ///
    /// - Parameters:
    ///   - simulator: The simulator to control.
    ///   - recent: The source of `GET /pushes`, which the simulator's `onRecord` must fill; `nil`:
    ///     requests are not kept.
    ///   - host: A loopback address, because every client of the port has full access.
    ///   - port: 0 picks a free one.
    /// - Throws: When the address is not a loopback address, or listening fails.
    package init(
        of simulator: APNsSimulator, recent: RecentRecords?, host: String = "127.0.0.1",
        port: UInt16 = 0
    ) throws(SimulatorControlError) {
        guard ControlGuard.isLoopback(host) else { throw .notLoopback(host) }
        var settings = HTTPServer.Settings()
        settings.host = host
        settings.port = port
        settings.threads = 1
        settings.connectionsMax = 64
        let service = ControlService(simulator: simulator, recent: recent)
        do {
            server = try HTTPServer(settings) { await service.respond(to: $0) }
        } catch {
            throw .cannotListen(error.description)
        }
        self.port = server.port
    }

    /// Waits up to the grace period for requests in flight, and stops.
    package func stop(graceSeconds: Int) async {
        await server.stop(graceSeconds: graceSeconds)
    }
}

/// Why the control interface could not start.
package enum SimulatorControlError: Error, Hashable, Sendable {
    case notLoopback(String)
    case cannotListen(String)
}

extension SimulatorControlError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notLoopback(let host):
            "the control interface has no authentication: listen on a loopback address, 127.0.0.1 "
                + "or ::1, not on '\(host)'"
        case .cannotListen(let why): "the control interface: \(why)"
        }
    }
}

/// Rejects requests from web pages. Only this machine reaches the port, but so does a page in this
/// machine's browser.
enum ControlGuard {
    static func isLoopback(_ host: String) -> Bool { host == "::1" || host.hasPrefix("127.") }

    /// Returns why to reject a request. Browsers send the page's origin with every request that may
    /// change something, and the host that the page addresses.
    static func problem(with request: Request) -> Problem? {
        guard request.headers["origin"] == nil else {
            return refused("Requests from web pages are refused.")
        }
        let host = request.headers["host"] ?? ""
        let name =
            host.hasPrefix("[") ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
        guard isLoopback(String(name)) || name == "localhost" else {
            return refused("Address this host as localhost, 127.0.0.1 or ::1.")
        }
        return nil
    }

    private static func refused(_ detail: String) -> Problem {
        Problem(status: 403, title: "Forbidden", detail: detail)
    }
}
