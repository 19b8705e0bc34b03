internal import Glibc

/// Exchanges a proxy handshake over a non-blocking socket.
struct ProxyHandshake {
    /// What the handshake waits for, or how it ended.
    enum Step: Hashable, Sendable {
        case waitsToWrite, waitsToRead
        /// From now on the socket leads to the server.
        case open
        case failed(String)
    }

    private var tunnel: ProxyTunnel
    /// The unsent rest of the request.
    private var untold: ArraySlice<UInt8>

    init(_ tunnel: ProxyTunnel) {
        self.tunnel = tunnel
        untold = tunnel.request[...]
    }

    /// Continues as far as the socket allows. `buffer` is scratch space for input.
    mutating func advance(over descriptor: Int32, buffer: UnsafeMutableRawBufferPointer) -> Step {
        while !untold.isEmpty {
            let count = untold.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                untold = untold.dropFirst(count)
            } else if let step = Self.step(after: errno, else: .waitsToWrite) {
                return step
            }
        }
        return listen(to: descriptor, buffer: buffer)
    }

    private mutating func listen(
        to descriptor: Int32, buffer: UnsafeMutableRawBufferPointer
    ) -> Step {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 {
                switch tunnel.received(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
                case .wait: continue
                case .open: return .open
                case .refused(let reason): return .failed(reason)
                }
            }
            guard count != 0 else { return .failed("the proxy closed the connection") }
            if let step = Self.step(after: errno, else: .waitsToRead) { return step }
        }
    }

    /// Returns the meaning of a failed call; `nil`: a signal interrupted it, so try again.
    private static func step(after code: Int32, else waiting: Step) -> Step? {
        switch code {
        case EINTR: nil
        case EAGAIN, EWOULDBLOCK: waiting
        default: .failed("the handshake with the proxy failed: \(String(cString: strerror(code)))")
        }
    }
}
