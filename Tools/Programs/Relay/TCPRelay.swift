internal import Dispatch
internal import Glibc
internal import Isolation

/// A relay between clients and a server on 127.0.0.1 that can be as bad as a network.
package final class TCPRelay: Sendable {
    package enum Conduct: Hashable, Sendable {
        case passes
        /// What clients send arrives that much later.
        case delays(milliseconds: Int64)
        /// Nothing passes and nothing is lost, as if a cable were out: later everything arrives.
        case holds
        /// All connections break, and new ones are refused.
        case refuses
    }

    /// Replaces bytes that clients send by as many others: for controls, which must find a fault.
    package struct Forgery: Sendable {
        let original: [UInt8]
        let forged: [UInt8]

        /// Both texts get spaces at the end, so that they are equally long.
        package init(_ original: String, _ forged: String) {
            self.original = Array(original.utf8)
            self.forged = Array(forged.utf8)
            precondition(
                self.original.count == self.forged.count,
                "\"\(original)\" and \"\(forged)\" are not equally long")
        }
    }

    private struct State {
        var target: UInt16
        var conduct = Conduct.passes
        var isOpen = true
    }

    /// The port that clients connect to.
    package let port: UInt16
    private let state: Locked<State>
    private let wake: Int32

    /// Starts a relay to a port, whose server sees its connections come from 127.0.0.`host`.
    package init(
        to target: UInt16, from host: UInt8 = 1, forging forgeries: [Forgery] = []
    ) throws(ProgramError) {
        let (listener, port) = try RelaySocket.bound(to: 0)
        var ends: [Int32] = [-1, -1]
        guard listen(listener, RelaySocket.backlog) == 0, pipe(&ends) == 0 else {
            throw ProgramError("no relay: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        self.port = port
        let state = Locked(State(target: target))
        self.state = state
        wake = ends[1]
        let wakened = ends[0]
        // It ends when the relay is closed. It blocks, so it has a queue of its own.
        DispatchQueue(label: "relay").async {
            var loop = RelayLoop(
                listener: listener, port: port, host: host, wakened: wakened,
                forgeries: forgeries)
            while true {
                let now = state.withLock { $0 }
                guard now.isOpen else { break }
                loop.turn(now.conduct, to: now.target)
            }
            loop.close()
        }
    }

    deinit { close() }

    package func be(_ conduct: Conduct) {
        state.withLock { $0.conduct = conduct }
        awaken()
    }

    /// Leads new connections to another port.
    package func lead(to target: UInt16) {
        state.withLock { $0.target = target }
        awaken()
    }

    /// Ends all connections and the relay.
    package func close() {
        let wasOpen = state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        guard wasOpen else { return }
        awaken()
        Glibc.close(wake)
    }

    private func awaken() {
        var byte: UInt8 = 0
        _ = write(wake, &byte, 1)
    }
}

/// The sockets of a relay.
enum RelaySocket {
    static let backlog: Int32 = 512

    /// Returns a socket on 127.0.0.1 that refuses connections until it listens.
    static func bound(to port: UInt16) throws(ProgramError) -> (socket: Int32, port: UInt16) {
        let socket = new()
        var (isReusable, length) = (Int32(1), socklen_t(MemoryLayout<sockaddr_in>.size))
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isReusable, 4)
        var address = LoopbackPort.address(port: port)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(socket, generic, length) | getsockname(socket, generic, &length)
            }
        }
        guard socket >= 0, status == 0 else {
            Glibc.close(socket)
            throw ProgramError("no port for a relay: \(String(cString: strerror(errno)))")
        }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// Returns a socket that connects from 127.0.0.`host` or has connected; reading and writing
    /// show which.
    static func connecting(to port: UInt16, from host: UInt8) -> Int32 {
        let socket = new()
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var own = LoopbackPort.address(port: 0, host: host)
        withUnsafePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                // If that fails, so does the connection, in the eyes of who looks at its source.
                _ = bind(socket, $0, length)
            }
        }
        var address = LoopbackPort.address(port: port)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, length)
            }
        }
        return socket
    }

    private static func new() -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        return socket(AF_INET, kind, 0)
    }

    /// Closes a socket so that the other side gets a reset.
    static func reset(_ socket: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        Glibc.close(socket)
    }
}
