import Glibc
import Isolation

/// A server that keeps none of its connections.
actor OneShotListener {
    enum Manner {
        case answersThenBreaks
        case breaks
        /// Its port is taken, and connecting to it is refused.
        case doesNotListen
    }

    nonisolated let port: UInt16
    private let manner: Manner
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

    deinit { close(descriptor) }

    struct CannotListen: Error {
        let reason: Int32
    }

    /// The first line that came; the connection is closed when this returns.
    func serveOne() -> String {
        let connection = accept(descriptor, nil, nil)
        defer { close(connection) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = recv(connection, &bytes, bytes.count, 0)
        if manner == .answersThenBreaks {
            let answer = Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)
            send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        }
        return String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 13 }, as: UTF8.self)
    }
}
