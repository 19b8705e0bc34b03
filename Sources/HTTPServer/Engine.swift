/// What all requests of a server share: its handlers, its limits, its traffic.
final class Engine: Sendable {
    let settings: HTTPServer.Settings
    let immediate: HTTPServer.Immediate?
    let handler: HTTPServer.Handler
    let traffic = Traffic()

    init(
        _ settings: HTTPServer.Settings, immediate: HTTPServer.Immediate?,
        handler: @escaping HTTPServer.Handler
    ) {
        self.settings = settings
        self.immediate = immediate
        self.handler = handler
    }

    /// Whoever comes when there are `connectionsMax` connections gets a 503, and whoever comes
    /// when a tenth more are there gets nothing: a refusal must not wait for room.
    var standingOfNext: Connection.Standing {
        traffic.connectionCount < settings.connectionsMax ? .welcome : .surplus
    }

    var mayAccept: Bool {
        traffic.connectionCount < settings.connectionsMax + max(1, settings.connectionsMax / 10)
    }

    /// When a request that makes progress now must be done with its next step.
    var requestDeadline: Int64 { deadline(seconds: settings.requestTimeoutSeconds) }

    /// When a connection without a request must have sent the next one's first line.
    var idleDeadline: Int64 {
        deadline(seconds: settings.idleTimeoutSeconds + settings.requestTimeoutSeconds)
    }

    private func deadline(seconds: Int) -> Int64 {
        CoarseClock.now + Int64(seconds) * 1_000_000_000
    }

    /// Looks for connections whose time is over until the task is cancelled.
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

    /// Answers every request that still waits for its handler, and lets nobody wait again.
    func abandonHandlers() async {
        traffic.enter(.stopping)
        // Again and again, because one may have been about to be suspended. A thread that took a
        // connection's resumption is about to do it: no bound is needed.
        repeat {
            for connection in traffic.connections { _ = connection.exchange?.giveUp() }
            await Task.yield()
        } while traffic.connectionsSuspended > 0
    }
}
