internal import CNGHTTP2

// MARK: - Calls from the wire

extension ClientConnection: WireUser {
    package func wireBecameSecure() {
        do {
            let session = try Session(
                .client, userData: Unmanaged.passUnretained(self).toOpaque(),
                callbacks: ClientCallbacks.install)
            session.submitSettings([
                nghttp2_settings_entry(
                    settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0)
            ])
            self.session = session
            usefulness = .opened
            keepAlive.heard(at: loop.now)
        } catch {
            wire?.close(error.description)
        }
    }

    package func wireReceived(_ bytes: UnsafeRawBufferPointer) -> String? {
        keepAlive.heard(at: loop.now)
        return session?.receive(bytes)
    }

    package func wireFills(_ buffer: UnsafeMutableRawBufferPointer) -> Result<Int, SessionFailure> {
        session?.fill(buffer) ?? .success(0)
    }

    package func wireTurned() {
        owner?.connectionTurned(self)
        if session?.isFinished == true {
            return end(because: goAway?.description ?? "the session ended")
        }
        endIfDrained()
    }

    package func wireFlushed() {
        guard burst > 0, wire?.isFlushed == true else { return }
        burst = 0
        owner?.connectionFlushed(self)
    }

    package func wireClosed(_ reason: String) {
        guard !mayTryNext() else { return openNext() }
        finish(because: goAway.map { "\($0); \(reason)" } ?? reason)
    }
}

// MARK: - Calls from the session

extension ClientConnection {
    func settingsArrived(_ session: OpaquePointer) {
        admission.peerAllows(
            nghttp2_session_get_remote_settings(
                session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
        if phase == .connecting { phase = .ready }
    }

    func goAwayArrived(lastStream: Int32, code: UInt32, debugData: UnsafeRawBufferPointer) {
        goAway = GoAway(errorCode: code, lastStream: lastStream, debugData: debugData)
        if phase == .ready || phase == .connecting { phase = .draining }
    }

    /// Handles a stream's end: a response, a reset or a GOAWAY.
    func streamClosed(_ slot: StreamTable.Slot, code: UInt32) {
        let status = slot.pointee.answer.status
        if code == NGHTTP2_NO_ERROR.rawValue, status != 0, slot.pointee.isTaken {
            usefulness = .answered
            stall.answered()
            admission.answered(status: status)
            return streams.answer(slot)
        }
        defer { streams.release(slot) }
        guard let settled = streams.settle(slot) else { return }
        owner?.connection(
            self, returned: settled.submission, as: failure(of: settled, code: code))
    }

    /// Handles a request that nghttp2 could not send, so the peer never saw it.
    func requestNotSent(stream id: Int32, code: Int32) {
        guard let slot = streams.slot(ofStream: id) else { return }
        defer { streams.release(slot) }
        guard let settled = streams.settle(slot) else { return }
        let reason = SessionFailure("not sent", code: code).description
        owner?.connection(
            self, returned: settled.submission, as: .neverSent(goAway?.description ?? reason))
    }

    private func failure(of request: StreamTable.Settled, code: UInt32) -> HTTP2Failure {
        let name = String(cString: nghttp2_http2_strerror(code))
        if code == NGHTTP2_REFUSED_STREAM.rawValue {
            if goAway == nil {
                admission.streamWasRefused(
                    at: loop.now, pauseMilliseconds: settings.refusalPauseMilliseconds)
            }
            return .refused(goAway?.description ?? "the peer refused the stream")
        }
        switch request.departure {
        case .queued: return .neverSent("the stream ended before it was sent: \(name)")
        case .sent: return .unknown("the stream was reset: \(name)")
        }
    }
}
