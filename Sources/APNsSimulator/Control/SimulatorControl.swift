internal import HTTPServer

/// The control interface: HTTP/1.1 on a loopback port, by which a test or a person scripts what a
/// simulator does, without a line of Swift. docs/simulator.md lists what there is.
package final class SimulatorControl: Sendable {
    /// The port that was bound.
    package let port: UInt16

    private let server: HTTPServer

    /// Listens at once.
    ///
    /// - Parameters:
    ///   - simulator: What is controlled.
    ///   - recent: Where `GET /pushes` looks; whoever made the simulator fills it by `onRecord`.
    ///     `nil`: nobody keeps requests.
    ///   - host: A loopback address: whoever reaches the port may do anything.
    ///   - port: 0 picks a free one.
    /// - Throws: When the address is no loopback address or cannot be listened at.
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
        let desk = ControlDesk(simulator: simulator, recent: recent)
        do {
            server = try HTTPServer(settings) { await desk.answer($0) }
        } catch {
            throw .cannotListen(error.description)
        }
        self.port = server.port
    }

    /// Finishes what is being answered, at most so many seconds.
    package func stop(graceSeconds: Int) async {
        await server.stop(graceSeconds: graceSeconds)
    }
}

/// Why there is no control interface.
package enum SimulatorControlError: Error, Hashable, Sendable {
    case notLoopback(String)
    case cannotListen(String)
}

extension SimulatorControlError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notLoopback(let host):
            "the control interface asks nobody who they are, so it listens at a loopback address "
                + "only, 127.0.0.1 or ::1, not at '\(host)'"
        case .cannotListen(let why): "the control interface: \(why)"
        }
    }
}

/// Keeps out what comes from elsewhere, though nothing but this machine reaches the port: a web
/// page that this machine's browser has open can make requests too.
enum ControlGuard {
    static func isLoopback(_ host: String) -> Bool { host == "::1" || host.hasPrefix("127.") }

    /// Browsers name the page's origin whenever a request may change something, and the host that
    /// the page believes to talk to.
    static func problem(with request: Request) -> Problem? {
        guard request.headers["origin"] == nil else {
            return refused("Requests of web pages are not answered.")
        }
        let host = request.headers["host"] ?? ""
        let name =
            host.hasPrefix("[") ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
        guard isLoopback(String(name)) || name == "localhost" else {
            return refused("This host is reached as localhost, 127.0.0.1 or ::1 only.")
        }
        return nil
    }

    private static func refused(_ detail: String) -> Problem {
        Problem(status: 403, title: "Forbidden", detail: detail)
    }
}
