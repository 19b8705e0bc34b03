/// The state shared by all requests of a server: its handlers, its limits, its traffic.
final class ServerCore: Sendable {
    let settings: HTTPServer.Settings
    let immediate: HTTPServer.Immediate?
    let admission: HTTPServer.Admission?
    let handler: HTTPServer.Handler
    let traffic = Traffic()

    init(
        _ settings: HTTPServer.Settings, immediate: HTTPServer.Immediate?,
        admission: HTTPServer.Admission?, handler: @escaping HTTPServer.Handler
    ) {
        self.settings = settings
        self.immediate = immediate
        self.admission = admission
        self.handler = handler
    }

    /// Connections beyond `connectionsMax` receive a 503, those of a client beyond
    /// `clientConnectionsMax` a 429. A tenth above that, they are closed at once, because a refusal
    /// must not wait for room. Connections with a stream do not count for the server: the application
    /// limits those.
    func admission(of client: ClientAddress?) -> Connection.Admission {
        guard connectionsCounted < settings.connectionsMax else { return .refused(.crowded) }
        guard let client, let limit = settings.clientConnectionsMax,
            traffic.connectionCount(of: client) >= limit
        else { return .admitted }
        return .refused(.crowdedClient)
    }

    func mayAccept(_ client: ClientAddress?) -> Bool {
        guard connectionsCounted < Self.withSurplus(settings.connectionsMax) else { return false }
        guard let client, let limit = settings.clientConnectionsMax else { return true }
        return traffic.connectionCount(of: client) < Self.withSurplus(limit)
    }

    private static func withSurplus(_ limit: Int) -> Int { limit + max(1, limit / 10) }

    /// Returns whose connections are counted together; `nil`: those of a proxy, behind which there
    /// are many clients, or of a client that may have as many as it likes.
    func client(at peer: ClientAddress?) -> ClientAddress? {
        guard settings.clientConnectionsMax != nil, let peer,
            !(settings.proxies + settings.trustedClients).contains(where: { $0.contains(peer) })
        else { return nil }
        return peer.network
    }

    private var connectionsCounted: Int { traffic.connectionCount - traffic.streamCount }

    /// The deadline for the next step of a request that makes progress now.
    var requestDeadline: Int64 { deadline(seconds: settings.requestTimeoutSeconds) }

    /// The deadline for the next request's first line on an idle connection.
    var idleDeadline: Int64 {
        deadline(seconds: settings.idleTimeoutSeconds + settings.requestTimeoutSeconds)
    }

    private func deadline(seconds: Int) -> Int64 {
        CoarseClock.now + Int64(seconds) * 1_000_000_000
    }

    /// Checks the connections' deadlines until the task is cancelled.
    func watch() async {
        let period = Duration.milliseconds(max(50, min(1000, settings.requestTimeoutSeconds * 100)))
        while !Task.isCancelled {
            let now = CoarseClock.now
            for connection in traffic.connections { connection.check(at: now) }
            do { try await Task.sleep(for: period) } catch { return }
        }
    }

    /// Waits until nothing is in flight, at most until `deadline`.
    func drained(by deadline: ContinuousClock.Instant) async {
        while traffic.requestsInFlight > 0, ContinuousClock.now < deadline {
            do { try await Task.sleep(for: .milliseconds(5)) } catch { return }
        }
    }

    /// Ends every stream, and waits a moment until the clients have what was under way.
    func endStreams() async {
        for connection in traffic.connections { connection.endStream() }
        let deadline = ContinuousClock.now.advanced(by: .milliseconds(Self.streamEndMilliseconds))
        while traffic.streamCount > 0, ContinuousClock.now < deadline {
            do { try await Task.sleep(for: .milliseconds(5)) } catch { return }
        }
    }

    /// How long streams may take to end, in milliseconds; then their connections are closed.
    private static let streamEndMilliseconds = 500

    /// Responds to every request that still waits for its handler, and prevents further waiting.
    func abandonHandlers() async {
        traffic.enter(.stopping)
        // Repeats, because a request may be about to be suspended. A thread that has taken a
        // connection's resumption performs it shortly, so no limit is needed.
        repeat {
            for connection in traffic.connections { _ = connection.request?.giveUp() }
            await Task.yield()
        } while traffic.connectionsSuspended > 0
    }
}
