/// What a simulator may do to connections while they live.
extension HTTP2Server {
    /// How the next connections are received.
    ///
    /// - Throws: When the identity cannot be used; then nothing has changed.
    package func receive(as reception: Reception) throws(HTTP2ServerError) {
        let identity = reception.identity ?? settings.identity
        // Once here, for the caller to hear of it, and once where the context will live.
        _ = try Self.context(identity)
        thread.post { engine in
            guard let context = try? Self.context(identity) else { return }
            engine.receive(as: reception, context)
        }
    }

    /// Says GOAWAY on every connection; what is in flight is finished.
    package func goAway(debugData: [UInt8]) {
        thread.post { $0.goAway(debugData: debugData) }
    }

    /// Says it again and again; `nil` ends that.
    package func goAway(everyMilliseconds interval: Int?, debugData: [UInt8]) {
        thread.post { $0.goAway(everyMilliseconds: interval, debugData: debugData) }
    }

    /// Changes SETTINGS_MAX_CONCURRENT_STREAMS of every connection.
    package func setMaxConcurrentStreams(_ count: UInt32) {
        thread.post { engine in
            for connection in engine.all { connection.setMaxConcurrentStreams(count) }
        }
    }
}

extension ServerEngine {
    func goAway(debugData: [UInt8]) {
        // Those who still shake hands have nothing to be sent away from.
        for connection in Array(all) where connection.session != nil {
            connection.drain(debugData: debugData)
        }
    }

    func goAway(everyMilliseconds interval: Int?, debugData: [UInt8]) {
        if let timer = goAwayTimer { loop.cancel(timer) }
        goAwayTimer = interval.map { milliseconds in
            loop.schedule(afterMilliseconds: Int64(max(1, milliseconds))) { [weak self] in
                self?.goAway(debugData: debugData)
                self?.goAway(everyMilliseconds: milliseconds, debugData: debugData)
            }
        }
    }
}
