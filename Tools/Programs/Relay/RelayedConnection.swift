internal import Glibc

/// A client's connection and the one to the server, and what is on its way between them.
struct RelayedConnection {
    private var toServer: RelayedDirection
    private var toClient: RelayedDirection
    private(set) var isOver = false

    init(client: Int32, server: Int32) {
        toServer = RelayedDirection(source: client, sink: server)
        toClient = RelayedDirection(source: server, sink: client)
    }

    /// When bytes that are delayed are due.
    var nextAt: Int64? { toServer.nextAt }

    /// Returns what to wait for: source and sink of both streams.
    func wanted(at now: Int64) -> [pollfd] { toServer.wanted(at: now) + toClient.wanted(at: now) }

    /// Moves what can move, after waiting.
    mutating func move(
        _ states: [pollfd], at now: Int64, delay: Int64, _ forgeries: [TCPRelay.Forgery]
    ) {
        let isIntact =
            toServer.move(states[0], states[1], at: now, delay: delay, forgeries)
            && toClient.move(states[2], states[3], at: now, delay: 0, [])
        isOver = !isIntact || toServer.hasEnded && toClient.hasEnded
    }

    func close() {
        RelaySocket.reset(toServer.source)
        RelaySocket.reset(toServer.sink)
    }
}

/// One direction of a connection.
private struct RelayedDirection {
    private static let pieceBytes = 65_536
    /// More waits in the sender's socket.
    private static let waitingMax = 64

    let source: Int32
    let sink: Int32
    /// In order, with when each is due.
    private var waiting: [(at: Int64, bytes: ArraySlice<UInt8>)] = []
    private var isRead = false
    private(set) var hasEnded = false

    init(source: Int32, sink: Int32) { (self.source, self.sink) = (source, sink) }

    var nextAt: Int64? { waiting.first?.at }

    func wanted(at now: Int64) -> [pollfd] {
        let reads = !isRead && waiting.count < Self.waitingMax
        let writes = nextAt.map { $0 <= now } ?? false
        return [
            pollfd(fd: reads ? source : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: writes ? sink : -1, events: Int16(POLLOUT), revents: 0),
        ]
    }

    /// Returns whether the connection is still intact.
    mutating func move(
        _ readable: pollfd, _ writable: pollfd, at now: Int64, delay: Int64,
        _ forgeries: [TCPRelay.Forgery]
    ) -> Bool {
        if readable.revents != 0 {
            var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
            let count = read(source, &piece, piece.count)
            if count > 0 {
                for forgery in forgeries { piece.forge(forgery, in: count) }
                waiting.append((now + delay, piece[..<count]))
            } else if count == 0 {
                isRead = true
            } else if errno != EAGAIN && errno != EINTR {
                return false
            }
        }
        if writable.revents != 0 || readable.revents != 0, !write(at: now) { return false }
        if isRead, waiting.isEmpty, !hasEnded {
            shutdown(sink, Int32(SHUT_WR))
            hasEnded = true
        }
        return true
    }

    private mutating func write(at now: Int64) -> Bool {
        while let next = waiting.first, next.at <= now {
            let count = next.bytes.withUnsafeBytes {
                send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // ENOTCONN: the connection to the server is not there yet.
            guard count >= 0 else {
                return errno == EAGAIN || errno == EINTR || errno == ENOTCONN
            }
            waiting[0].bytes = next.bytes.dropFirst(count)
            if waiting[0].bytes.isEmpty { waiting.removeFirst() }
        }
        return true
    }
}

extension [UInt8] {
    fileprivate mutating func forge(_ forgery: TCPRelay.Forgery, in count: Int) {
        let length = forgery.original.count
        var start = 0
        while start + length <= count {
            guard self[start] == forgery.original[0],
                self[start..<start + length].elementsEqual(forgery.original)
            else {
                start += 1
                continue
            }
            replaceSubrange(start..<start + length, with: forgery.forged)
            start += length
        }
    }
}
