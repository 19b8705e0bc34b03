internal import Glibc

/// The thread of a relay: waits for its sockets, and moves what has arrived.
struct RelayLoop {
    /// How long a turn waits when nothing happens.
    private static let turnMilliseconds: Int32 = 1000

    private var listener: Int32
    private var listens = true
    private let port: UInt16
    private let host: UInt8
    private let wakened: Int32
    private let forgeries: [TCPRelay.Forgery]
    private var connections: [RelayedConnection] = []

    init(
        listener: Int32, port: UInt16, host: UInt8, wakened: Int32, forgeries: [TCPRelay.Forgery]
    ) {
        (self.listener, self.port, self.host, self.wakened) = (listener, port, host, wakened)
        self.forgeries = forgeries
    }

    /// Waits until something can move, and moves it.
    mutating func turn(_ conduct: TCPRelay.Conduct, to target: UInt16) {
        listen(conduct)
        let now = Self.now()
        let moves = conduct != .holds
        var states = [
            pollfd(fd: wakened, events: Int16(POLLIN), revents: 0),
            // A negative descriptor is ignored.
            pollfd(fd: moves && listens ? listener : -1, events: Int16(POLLIN), revents: 0),
        ]
        if moves { states += connections.flatMap { $0.wanted(at: now) } }
        let due = moves ? connections.compactMap(\.nextAt).filter { $0 > now }.min() : nil
        let wait = due.map { Int32(min($0 - now, Int64(Self.turnMilliseconds))) }
        guard poll(&states, nfds_t(states.count), wait ?? Self.turnMilliseconds) >= 0 else {
            return
        }
        guard states[0].revents == 0 else {
            // What was decided before the wait no longer holds.
            drainWake()
            return
        }
        guard moves else { return }
        move(conduct, states[2...])
        if states[1].revents != 0 { accept(to: target) }
    }

    private mutating func move(_ conduct: TCPRelay.Conduct, _ states: ArraySlice<pollfd>) {
        let delay: Int64 = if case .delays(let milliseconds) = conduct { milliseconds } else { 0 }
        let now = Self.now()
        for (index, first) in zip(connections.indices, stride(from: 2, to: states.endIndex, by: 4))
        {
            connections[index].move(
                Array(states[first..<first + 4]), at: now, delay: delay, forgeries)
        }
        for connection in connections where connection.isOver { connection.close() }
        connections.removeAll { $0.isOver }
    }

    private mutating func accept(to target: UInt16) {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { return }
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            connections.append(
                RelayedConnection(
                    client: client, server: RelaySocket.connecting(to: target, from: host)))
        }
    }

    /// A bound socket that does not listen keeps the port and refuses connections.
    private mutating func listen(_ conduct: TCPRelay.Conduct) {
        if conduct == .refuses {
            // The listener first: who sees a broken connection must not get a new one.
            if listens {
                Glibc.close(listener)
                listener = -1
                listens = false
            }
            for connection in connections { connection.close() }
            connections = []
        }
        if listener < 0 {
            do throws(ProgramError) {
                listener = try RelaySocket.bound(to: port).socket
            } catch {
                // Another connection still has the port: the next turn tries again.
                listener = -1
            }
        }
        if conduct != .refuses, !listens, listener >= 0 {
            listens = Glibc.listen(listener, RelaySocket.backlog) == 0
        }
    }

    private func drainWake() {
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = read(wakened, &bytes, bytes.count)
    }

    func close() {
        for connection in connections { connection.close() }
        Glibc.close(listener)
        Glibc.close(wakened)
    }

    /// Milliseconds of the clock that never steps.
    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
