internal import Glibc

/// A TCP connection with a deadline for every operation.
final class ClientSocket {
    private let descriptor: Int32
    private var unread: [UInt8] = []

    /// Connects; throws `refused` if nothing listens or the name does not resolve.
    init(
        host: String, port: UInt16, by deadline: ContinuousClock.Instant
    ) throws(HTTPClientError) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found else {
            throw .refused
        }
        defer { freeaddrinfo(found) }
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        descriptor = socket(address.pointee.ai_family, Int32(kind), 0)
        guard descriptor >= 0 else { throw .refused }
        let status = connect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen)
        guard status == 0 || errno == EINPROGRESS else { throw .refused }
        try wait(for: POLLOUT, by: deadline)
        guard pendingError == 0 else { throw .refused }
        var yes: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes,
            socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Whether the connection can carry another request: no bytes are left over, and the peer has
    /// not closed it.
    var isQuiet: Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unread.isEmpty && poll(&event, 1, 0) == 0
    }

    func send(_ bytes: [UInt8], by deadline: ContinuousClock.Instant) throws(HTTPClientError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                try wait(for: POLLOUT, by: deadline)
            } else if errno != EINTR {
                throw .lost
            }
        }
    }

    /// Reads the bytes before `mark` and drops the mark.
    func read(
        through mark: String, by deadline: ContinuousClock.Instant
    ) throws(HTTPClientError) -> [UInt8] {
        let mark = Array(mark.utf8)
        while true {
            if let range = unread.firstRange(of: mark) {
                defer { unread.removeFirst(range.upperBound) }
                return Array(unread[..<range.lowerBound])
            }
            try readMore(by: deadline)
        }
    }

    func read(
        count: Int, by deadline: ContinuousClock.Instant
    ) throws(HTTPClientError) -> [UInt8] {
        while unread.count < count { try readMore(by: deadline) }
        defer { unread.removeFirst(count) }
        return Array(unread.prefix(count))
    }

    private func readMore(by deadline: ContinuousClock.Instant) throws(HTTPClientError) {
        try wait(for: POLLIN, by: deadline)
        let before = unread.count
        var failure: Int32 = 0
        unread += [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
            let received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            failure = received < 0 ? errno : 0
            count = max(0, received)
        }
        let isInterrupted = failure == EAGAIN || failure == EINTR
        guard unread.count > before || isInterrupted else { throw .lost }
    }

    private func wait(
        for event: Int32, by deadline: ContinuousClock.Instant
    ) throws(HTTPClientError) {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw .timedOut }
            let milliseconds = Int32(min(left / .milliseconds(1), 60_000)) + 1
            var event = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            let ready = poll(&event, 1, milliseconds)
            if ready > 0 { return }
            guard ready == 0 || errno == EINTR else { throw .lost }
        }
    }

    private var pendingError: Int32 {
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
        return error
    }
}
