internal import CLinux
internal import Glibc

/// The connection that uses a wire. The loop makes every call, never nested in another.
package protocol WireUser: AnyObject {
    /// TLS is established, the peer verified, and h2 agreed.
    func wireBecameSecure()
    /// Handles decrypted bytes; returns why the connection must end, or `nil`.
    func wireReceived(_ bytes: UnsafeRawBufferPointer) -> String?
    /// Writes the next bytes to send; returns their number, 0 for none.
    func wireFills(_ buffer: UnsafeMutableRawBufferPointer) -> Result<Int, SessionFailure>
    /// Everything that could be read and written now is done.
    func wireTurned()
    /// The waiting bytes were sent, as far as the socket took them.
    func wireFlushed()
    /// The descriptor is closed. Called once.
    func wireClosed(_ reason: String)
}

/// A non-blocking TCP connection with TLS: moves bytes in both directions and makes no decisions.
package final class Wire: EventHandler, TurnEnding {
    private enum Phase {
        case connecting, tunnelling, handshaking, open, closed
        /// The descriptor stays open, but is neither read nor written.
        case silent
        /// Like `silent`, but temporary.
        case suspended
    }

    private enum Limit {
        /// Reads in each turn, so that one busy peer does not starve the others.
        static let readsATurn = 16
        /// A server responds before it reads on: its requests in flight need more memory than a
        /// client's responses, so fewer of them fit into the processor's cache.
        static let readsATurnOfServer = 1
    }

    private let loop: EventLoop
    private let descriptor: Int32
    private let tls: TLSStream
    private weak var user: (any WireUser)?
    private let readsATurn: Int
    private var phase: Phase
    private var interest: EventLoop.Interest
    private var flushing = Flushing.notAsked
    /// The proxy handshake, until the tunnel is open.
    private var tunnel: ProxyHandshake?
    /// How far the connection got.
    private(set) var reach = Reach.nobody

    /// Takes over a non-blocking descriptor, accepted or connecting.
    private init(
        loop: EventLoop, descriptor: Int32, tls: TLSStream, start: Start, user: any WireUser
    ) throws(LoopError) {
        self.loop = loop
        self.descriptor = descriptor
        self.tls = tls
        self.user = user
        switch start {
        case .accepted:
            readsATurn = Limit.readsATurnOfServer
            phase = .handshaking
            interest = .reading
        case .connecting(let tunnel):
            self.tunnel = tunnel.map { ProxyHandshake($0) }
            readsATurn = Limit.readsATurn
            phase = .connecting
            interest = .readingAndWriting
        }
        var on: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        try loop.register(descriptor, for: interest, handler: self)
    }

    /// Takes over a non-blocking descriptor that a server has accepted.
    package convenience init(
        loop: EventLoop, accepted descriptor: Int32, tls: TLSStream, user: any WireUser
    ) throws(LoopError) {
        try self.init(loop: loop, descriptor: descriptor, tls: tls, start: .accepted, user: user)
    }

    /// Starts to connect to a server, or to a proxy that must open a tunnel first.
    convenience init(
        loop: EventLoop, connectingTo address: NetworkAddress, through tunnel: ProxyTunnel?,
        tls: TLSStream, user: any WireUser
    ) throws(LoopError) {
        let descriptor = try NonblockingSocket.connect(to: address)
        do throws(LoopError) {
            try self.init(
                loop: loop, descriptor: descriptor, tls: tls, start: .connecting(tunnel),
                user: user)
        } catch {
            _ = Glibc.close(descriptor)
            throw error
        }
    }

    /// The origin of the descriptor.
    private enum Start {
        case accepted
        /// To the server, or to a proxy that must open a tunnel first.
        case connecting(ProxyTunnel?)
    }

    /// How far the path to the peer is open.
    enum Reach {
        case nobody
        /// A TCP peer, not yet identified.
        case peer
    }

    private enum Flushing {
        case notAsked, atTurnEnd
    }

    package func ready(_ events: UInt32) {
        // The user may release itself during its own callbacks.
        guard let user else { return close("the connection has no user") }
        withExtendedLifetime(user) {
            if phase == .connecting { finishConnecting() }
            if phase == .tunnelling { continueProxyHandshake() }
            let readable = EPOLLIN.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
            if events & readable != 0 { receive(.shareOfTurn) }
            if phase == .open { user.wireTurned() }
            flush()
            if phase == .open, isFlushed { user.wireFlushed() }
        }
    }

    /// Sends at the end of the turn, with all other output of the turn.
    package func flushLater() {
        guard flushing == .notAsked, phase == .open else { return }
        flushing = .atTurnEnd
        loop.callAtTurnEnd(self)
    }

    package func turnEnds() {
        flushing = .notAsked
        flush()
        if phase == .open { user?.wireFlushed() }
    }

    /// Whether the socket has taken all ciphertext.
    package var isFlushed: Bool { tls.outbound.isEmpty }

    /// Sends as much as the socket takes.
    package func flush() {
        while phase == .handshaking || phase == .open {
            let pending = tls.outbound.waiting
            if pending.isEmpty {
                guard phase == .open, refill() else { return settle(to: .reading) }
                continue
            }
            let count = min(pending.count, loop.scratch.count)
            let sent = send(descriptor, pending.baseAddress, count, Int32(MSG_NOSIGNAL))
            if sent > 0 {
                tls.outbound.drop(sent)
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                return settle(to: .readingAndWriting)
            } else if errno != EINTR {
                let reason = "write failed: \(String(cString: strerror(errno)))"
                // Responses and GOAWAY received before the end are still useful.
                receive(.everything)
                return close(reason)
            }
        }
    }

    /// Sends a close alert as far as the socket takes it, and closes.
    package func closePolitely(_ reason: String) {
        guard phase == .open else { return close(reason) }
        flush()
        guard phase == .open else { return }
        tls.writeCloseAlert()
        let last = tls.outbound.waiting
        // Best effort: the peer may be gone.
        _ = send(descriptor, last.baseAddress, last.count, Int32(MSG_NOSIGNAL))
        close(reason)
    }

    /// Resets the TCP connection.
    package func reset(_ reason: String) {
        guard phase != .closed else { return }
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close(reason)
    }

    /// Stops reading and writing; the peer's TCP connection stays open.
    package func stopForGood() {
        guard phase == .open else { return }
        phase = .silent
        loop.unregister(descriptor)
    }

    /// Stops reading and writing until `resume`. Output waits here, input in the socket.
    package func suspend() {
        guard phase == .open else { return }
        phase = .suspended
        loop.unregister(descriptor)
    }

    /// Continues after `suspend`, with the bytes already decrypted first.
    package func resume() {
        guard phase == .suspended else { return }
        phase = .open
        do {
            try loop.register(descriptor, for: interest, handler: self)
        } catch {
            return close(error.description)
        }
        process()
        ready(0)
    }

    /// Closes the descriptor and notifies the user. Later calls have no effect.
    package func close(_ reason: String) {
        guard phase != .closed else { return }
        phase = .closed
        loop.unregister(descriptor)
        _ = Glibc.close(descriptor)
        user?.wireClosed(reason)
    }
}

// MARK: - Steps

extension Wire {
    private func finishConnecting() {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        guard code == 0 else {
            return close("connect failed: \(String(cString: strerror(code)))")
        }
        reach = .peer
        guard tunnel == nil else {
            phase = .tunnelling
            return
        }
        phase = .handshaking
        continueHandshake()
    }

    /// Requests a tunnel from the proxy, and begins TLS once it is open.
    private func continueProxyHandshake() {
        guard let step = tunnel?.advance(over: descriptor, buffer: loop.scratch) else { return }
        switch step {
        case .waitsToWrite: settle(to: .readingAndWriting)
        case .waitsToRead: settle(to: .reading)
        case .failed(let reason): close(reason)
        case .open:
            tunnel = nil
            phase = .handshaking
            continueHandshake()
        }
    }

    private func continueHandshake() {
        switch tls.handshake() {
        case .wantsMore:
            break
        case .failed(let reason):
            sendLastAlert()
            close(reason)
        case .done where tls.speaksH2:
            phase = .open
            user?.wireBecameSecure()
        case .done:
            close("TLS handshake: the peer does not speak HTTP/2 (ALPN h2)")
        }
    }

    /// Sends the alert that explains why the peer's certificate or hello was refused.
    private func sendLastAlert() {
        let alert = tls.outbound.waiting
        guard !alert.isEmpty else { return }
        // Best effort: the connection ends in any case.
        _ = send(descriptor, alert.baseAddress, alert.count, Int32(MSG_NOSIGNAL))
    }

    private enum Reading {
        /// Reads until nothing is left, within a limit that keeps other connections served.
        case shareOfTurn
        /// Reads until nothing is left.
        case everything
    }

    private func receive(_ reading: Reading) {
        var reads = 0
        while phase == .handshaking || phase == .open {
            reads += 1
            if reading == .shareOfTurn, reads > readsATurn { return }
            let count = recv(descriptor, loop.scratch.baseAddress, loop.scratch.count, 0)
            if count > 0 {
                tls.feed(UnsafeRawBufferPointer(rebasing: loop.scratch[..<count]))
                process()
                if reading == .shareOfTurn, count < loop.scratch.count { return }
            } else if count == 0 {
                return close("the peer closed the connection")
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                return
            } else if errno != EINTR {
                return close("read failed: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Decrypts received bytes and passes them on.
    private func process() {
        if phase == .handshaking { continueHandshake() }
        while phase == .open {
            switch tls.read(into: loop.plaintext) {
            case .bytes(let count):
                let bytes = UnsafeRawBufferPointer(rebasing: loop.plaintext[..<count])
                if let reason = user?.wireReceived(bytes) {
                    flush()
                    close(reason)
                }
            case .empty:
                return
            case .ended:
                close("the peer closed the TLS connection")
            case .failed(let reason):
                close(reason)
            }
        }
    }

    /// Encrypts the next batch as full TLS records; `false`: there is none.
    private func refill() -> Bool {
        guard let user else { return false }
        while tls.outbound.waiting.count < loop.scratch.count - loop.plaintext.count {
            switch user.wireFills(loop.plaintext) {
            case .success(0):
                return !tls.outbound.isEmpty
            case .success(let count):
                let bytes = UnsafeRawBufferPointer(rebasing: loop.plaintext[..<count])
                if let reason = tls.write(bytes) {
                    close(reason)
                    return false
                }
            case .failure(let failure):
                close(failure.description)
                return false
            }
        }
        return true
    }

    private func settle(to wanted: EventLoop.Interest) {
        guard phase != .closed, phase != .silent, phase != .suspended, wanted != interest else {
            return
        }
        interest = wanted
        do {
            try loop.change(descriptor, to: wanted)
        } catch {
            close(error.description)
        }
    }
}
