internal import CNGHTTP2
internal import Glibc

/// A connection's lifetime: connecting, timeouts and the end.
extension ClientConnection {
    /// Tries the next address; each but the last gets a share of the time.
    func openNext() {
        guard let address = candidates.popLast() else { return }
        wire = nil
        candidateDeadline =
            candidates.isEmpty
            ? .max : loop.now + Int64(settings.connectTimeoutMilliseconds / 4)
        open(address)
    }

    private func open(_ address: NetworkAddress) {
        do {
            let tls = try TLSStream(connecting: context, host: settings.host)
            let descriptor = try NonblockingSocket.connect(to: address)
            do {
                wire = try Wire(
                    loop: loop, descriptor: descriptor, tls: tls, start: .connecting(tunnel),
                    user: self)
            } catch {
                close(descriptor)
                throw error
            }
        } catch {
            mayTryNext() ? openNext() : end(because: "\(error)")
        }
    }

    private var tunnel: ProxyTunnel? {
        settings.proxy.map { ProxyTunnel(through: $0, to: settings.host, port: settings.port) }
    }

    /// Returns whether to try another address, because nothing responded at the last one.
    func mayTryNext() -> Bool {
        phase == .connecting && wire?.reach != .peer && !candidates.isEmpty
            && loop.now < connectDeadline
    }

    func scheduleTick() {
        let shortest = min(
            settings.connectTimeoutMilliseconds, settings.pingAfterIdleMilliseconds,
            settings.pingTimeoutMilliseconds)
        let interval = Int64(max(5, min(250, shortest / 4)))
        timer = loop.schedule(afterMilliseconds: interval) { [weak self] in self?.tick() }
    }

    /// Checks the timeouts of the attempt, of requests and of the peer.
    private func tick() {
        switch phase {
        case .idle, .ended:
            return
        case .connecting where loop.now >= connectDeadline:
            return end(
                because: "no connection within \(settings.connectTimeoutMilliseconds) ms")
        case .connecting:
            if loop.now >= candidateDeadline, mayTryNext() { wire?.close("no answer") }
        case .ready, .draining:
            cancelOverdue()
            guard phase != .ended, checkLife() == .alive else { return }
            checkProgress()
            owner?.connectionTurned(self)
            endIfDrained()
        }
        if phase != .ended { scheduleTick() }
    }

    private enum Life {
        case alive, dead
    }

    private func checkLife() -> Life {
        switch keepAlive.tick(at: loop.now, expecting: streams.count > 0 ? .answers : .nothing) {
        case .nothing:
            return .alive
        case .sendPing:
            session?.ping()
            flush()
            return phase == .ended ? .dead : .alive
        case .declareDead:
            wire?.reset("no answer to PING in \(settings.pingTimeoutMilliseconds) ms")
            return .dead
        }
    }

    /// Drains a stagnant connection: requests in flight may still succeed, new ones use another.
    private func checkProgress() {
        guard phase == .ready, let session else { return }
        let window = session.remoteWindow > 0 ? StallDetector.Window.open : .shut
        if stall.look(at: window, now: loop.now) == .giveUp { drain() }
    }

    private func cancelOverdue() {
        let overdue = streams.overdue(at: loop.now)
        guard !overdue.isEmpty else { return }
        if overdue.contains(where: { $0.pointee.departure == .sent }) { stall.timedOut() }
        for slot in overdue {
            guard let settled = streams.settle(slot) else { continue }
            session?.reset(settled.id, code: UInt32(NGHTTP2_CANCEL.rawValue))
            let failure: HTTP2Failure =
                switch settled.departure {
                case .queued: .neverSent("it could not leave before its deadline")
                case .sent: .unknown("no answer before the request's deadline")
                }
            owner?.connection(self, returned: settled.submission, as: failure)
        }
        flush()
    }

    func endIfDrained() {
        guard phase == .draining, streams.count == 0 else { return }
        end(because: goAway?.description ?? "drained")
    }

    /// Settles the remaining requests by what is known of each.
    func finish(because reason: String) {
        phase = .ended
        if let timer { loop.cancel(timer) }
        wire = nil
        session = nil
        for settled in streams.takeAll() {
            let failure: HTTP2Failure =
                switch settled.departure {
                case .queued: .neverSent(reason)
                case .sent: .unknown(reason)
                }
            owner?.connection(self, returned: settled.submission, as: failure)
        }
        owner?.connectionEnded(self, because: reason)
    }
}
