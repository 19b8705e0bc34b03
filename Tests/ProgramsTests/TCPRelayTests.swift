import Glibc
import Programs
import Testing

@Suite("A relay passes, holds, refuses and forges")
struct TCPRelayTests {
    /// A server on a port of its own, of which a test accepts one connection at a time.
    private final class Target {
        let listener: Int32
        let port: UInt16

        init() throws {
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            port = try LoopbackPort.free()
            try #require(LoopbackSocket.bind(listener, port) && listen(listener, 8) == 0)
        }

        deinit { close(listener) }

        /// Accepts one connection.
        func accept() -> LoopbackSocket { LoopbackSocket(Glibc.accept(listener, nil, nil)) }

        /// Accepts one connection; returns the last number of its client's address.
        func acceptedHost() -> UInt32 {
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let accepted = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.accept(listener, $0, &length)
                }
            }
            close(accepted)
            return UInt32(bigEndian: address.sin_addr.s_addr) & 0xFF
        }
    }

    @Test("the server sees connections come from the address that is given")
    func source() throws {
        let target = try Target()
        let relay = try TCPRelay(to: target.port, from: 2)
        let client = try #require(LoopbackSocket(connectedTo: relay.port))
        #expect(target.acceptedHost() == 2)
        client.finish()
    }

    @Test("what both sides send passes, and so does an end")
    func passes() throws {
        let target = try Target()
        let relay = try TCPRelay(to: target.port)
        let client = try #require(LoopbackSocket(connectedTo: relay.port))
        let server = target.accept()
        client.send("to the server")
        #expect(server.receive(13) == "to the server")
        server.send("to the client")
        #expect(client.receive(13) == "to the client")
        client.finish()
        #expect(server.receive(1) == "")
    }

    @Test("what is held or delayed arrives later, whole and in order")
    func holds() throws {
        let target = try Target()
        let relay = try TCPRelay(to: target.port)
        let client = try #require(LoopbackSocket(connectedTo: relay.port))
        let server = target.accept()
        client.send("1")
        #expect(server.receive(1) == "1")
        relay.be(.holds)
        client.send("2")
        relay.be(.delays(milliseconds: 20))
        client.send("3")
        #expect(server.receive(2) == "23")
        relay.be(.passes)
        client.send("4")
        #expect(server.receive(1) == "4")
    }

    @Test("when it refuses, connections break and new ones fail, until it passes again")
    func refuses() throws {
        let target = try Target()
        let relay = try TCPRelay(to: target.port)
        let client = try #require(LoopbackSocket(connectedTo: relay.port))
        let server = target.accept()
        client.send("1")
        #expect(server.receive(1) == "1")
        relay.be(.refuses)
        #expect(client.receive(1) == "")
        #expect(server.receive(1) == "")
        #expect(LoopbackSocket(connectedTo: relay.port) == nil)
        relay.be(.passes)
        let again = try #require(LoopbackSocket(untilConnectedTo: relay.port))
        again.send("2")
        #expect(target.accept().receive(1) == "2")
    }

    @Test("new connections go to another port when it says so")
    func leads() throws {
        let (first, second) = (try Target(), try Target())
        let relay = try TCPRelay(to: first.port)
        relay.lead(to: second.port)
        let client = try #require(LoopbackSocket(connectedTo: relay.port))
        client.send("here")
        #expect(second.accept().receive(4) == "here")
    }

    @Test("it forges what clients send, and nothing else")
    func forges() throws {
        let target = try Target()
        let relay = try TCPRelay(to: target.port, forging: [TCPRelay.Forgery("a = 1", "a > 0")])
        let client = try #require(LoopbackSocket(connectedTo: relay.port))
        let server = target.accept()
        client.send("WHERE a = 1 AND a = 2")
        #expect(server.receive(21) == "WHERE a > 0 AND a = 2")
        server.send("a = 1")
        #expect(client.receive(5) == "a = 1")
    }
}

/// A socket of a test, whose calls block for 10 seconds at most.
private final class LoopbackSocket {
    private let socket: Int32

    init(_ socket: Int32) {
        self.socket = socket
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// `nil`: refused.
    convenience init?(connectedTo port: UInt16) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let status = Self.withAddress(port) { connect(socket, $0, $1) }
        self.init(socket)
        guard status == 0 else { return nil }
    }

    /// Tries until the relay's thread has seen that it passes again.
    convenience init?(untilConnectedTo port: UInt16) {
        for _ in 0..<100_000 {
            let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            if Self.withAddress(port, { connect(socket, $0, $1) }) == 0 {
                self.init(socket)
                return
            }
            close(socket)
            sched_yield()
        }
        return nil
    }

    deinit { close(socket) }

    func send(_ text: String) { _ = Glibc.send(socket, text, text.utf8.count, 0) }

    /// Returns so many bytes, or fewer at the end of the connection.
    func receive(_ count: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = recv(socket, &bytes, count, Int32(MSG_WAITALL))
        return String(decoding: bytes.prefix(max(0, got)), as: UTF8.self)
    }

    func finish() { shutdown(socket, Int32(SHUT_WR)) }

    static func bind(_ socket: Int32, _ port: UInt16) -> Bool {
        withAddress(port) { Glibc.bind(socket, $0, $1) } == 0
    }

    private static func withAddress(
        _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
