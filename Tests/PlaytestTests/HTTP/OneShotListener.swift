import Glibc
import Isolation

/// A server that answers one request on each connection, at most.
actor OneShotListener {
    enum Manner {
        case answersThenBreaks
        /// It leaves the connection open, and reads no other request from it.
        case answers
        case breaks
        /// Its port is taken, and connecting to it is refused.
        case doesNotListen
    }

    nonisolated let port: UInt16
    private var manner: Manner
    private var open: [Int32] = []
    private let descriptor: Int32
    private let executor = QueueExecutor(label: "OneShotListener")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ manner: Manner) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        guard isBound, manner == .doesNotListen || listen(descriptor, 1) == 0 else {
            throw CannotListen(reason: errno)
        }
        self.manner = manner
        self.descriptor = descriptor
        port = address.sin_port.bigEndian
    }

    deinit { for descriptor in open + [descriptor] { close(descriptor) } }

    struct CannotListen: Error {
        let reason: Int32
    }

    func change(to manner: Manner) { self.manner = manner }

    /// The first line that came.
    func serveOne() -> String {
        let connection = accept(descriptor, nil, nil)
        defer { if manner == .answers { open.append(connection) } else { close(connection) } }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = recv(connection, &bytes, bytes.count, 0)
        if manner != .breaks {
            let answer = Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)
            send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        }
        return String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 13 }, as: UTF8.self)
    }
}
