import Foundation
import Glibc
import Isolation

/// An HTTP proxy for one host on this machine: enough of CONNECT for tests, by blocking threads.
final class ConnectProxy: Sendable {
    let port: UInt16
    private let answer: String
    private let state = Locked(State())

    private struct State {
        var heads: [String] = []
        var descriptors: [Int32] = []
    }

    /// Answers each CONNECT with this head; after a 200 it relays to the port that was asked for.
    init(answering answer: String = "HTTP/1.1 200 Connection established") throws {
        self.answer = answer
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, size) | listen(listening, 16)
                    | getsockname(listening, $0, &size)
            }
        }
        guard status == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
        state.withLock { $0.descriptors = [listening] }
        Thread.detachNewThread { [self] in serve(listening) }
    }

    /// The request heads that came, in order.
    var heads: [String] { state.withLock { $0.heads } }

    /// Closes everything.
    func stop() {
        let all = state.withLock { state in
            let all = state.descriptors
            state.descriptors = []
            return all
        }
        for descriptor in all { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    private func serve(_ listening: Int32) {
        while true {
            let client = accept(listening, nil, nil)
            guard client >= 0 else { break }
            keep(client)
            Thread.detachNewThread { [self] in handle(client) }
        }
        close(listening)
    }

    private func handle(_ client: Int32) {
        let head = readHead(client)
        state.withLock { $0.heads.append(head) }
        write(client, answer + "\r\n\r\n")
        let port = head.split(separator: " ").dropFirst().first?.split(separator: ":").last
        guard answer.contains(" 200 "), let port = port.flatMap({ UInt16($0) }) else {
            shutdown(client, Int32(SHUT_RDWR))
            return
        }
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(port)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        keep(server)
        guard status == 0 else {
            shutdown(client, Int32(SHUT_RDWR))
            return
        }
        Thread.detachNewThread { Self.relay(from: server, to: client) }
        Self.relay(from: client, to: server)
    }

    private func keep(_ descriptor: Int32) {
        state.withLock { $0.descriptors.append(descriptor) }
    }

    private func readHead(_ client: Int32) -> String {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), read(client, &byte, 1) == 1 {
            head.append(byte)
        }
        return String(decoding: head, as: UTF8.self)
    }

    private func write(_ client: Int32, _ text: String) {
        let bytes = Array(text.utf8)
        _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    private static func relay(from: Int32, to: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(from, &buffer, buffer.count)
            guard count > 0, send(to, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(SHUT_RDWR))
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
