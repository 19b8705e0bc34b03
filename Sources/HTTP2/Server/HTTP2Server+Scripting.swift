/// Operations of a simulator on live connections.
extension HTTP2Server {
    /// Sets how to receive new connections.
    ///
    /// - Throws: When the identity cannot be used; then nothing has changed.
    package func receive(as reception: Reception) throws(HTTP2ServerError) {
        let identity = reception.identity ?? settings.identity
        // Created here to report errors to the caller, and again on the thread that uses the
        // context.
        _ = try Self.context(identity)
        thread.post { engine in
            guard let context = try? Self.context(identity) else { return }
            engine.receive(as: reception, context)
        }
    }

    /// Sends GOAWAY; requests in flight are finished.
    package func goAway(to audience: Audience = .everyConnection, debugData: [UInt8]) {
        thread.post { $0.goAway(to: audience, debugData: debugData) }
    }

    /// Sends GOAWAY repeatedly; `nil` stops it.
    package func goAway(
        everyMilliseconds interval: Int?, to audience: Audience = .everyConnection,
        debugData: [UInt8]
    ) {
        thread.post {
            $0.goAway(everyMilliseconds: interval, to: audience, debugData: debugData)
        }
    }

    /// The receivers of each GOAWAY.
    package enum Audience: Sendable {
        case everyConnection
        /// One connection after another, like rolling maintenance at Apple.
        case oldestConnection
    }

    /// Changes SETTINGS_MAX_CONCURRENT_STREAMS of every connection.
    package func setMaxConcurrentStreams(_ count: UInt32) {
        thread.post { engine in
            for connection in engine.all { connection.setMaxConcurrentStreams(count) }
        }
    }
}

extension ServerEngine {
    func goAway(to audience: HTTP2Server.Audience, debugData: [UInt8]) {
        // Connections in their handshake cannot receive GOAWAY.
        let open = all.filter { $0.session != nil && !$0.isGoingAway }
        let hearers =
            switch audience {
            case .everyConnection: open
            case .oldestConnection: Array(open.min { $0.id < $1.id }.map { [$0] } ?? [])
            }
        for connection in hearers { connection.drain(debugData: debugData) }
    }

    func goAway(
        everyMilliseconds interval: Int?, to audience: HTTP2Server.Audience, debugData: [UInt8]
    ) {
        if let timer = goAwayTimer { loop.cancel(timer) }
        goAwayTimer = interval.map { milliseconds in
            loop.schedule(afterMilliseconds: Int64(max(1, milliseconds))) { [weak self] in
                self?.goAway(to: audience, debugData: debugData)
                self?.goAway(everyMilliseconds: milliseconds, to: audience, debugData: debugData)
            }
        }
    }
}
