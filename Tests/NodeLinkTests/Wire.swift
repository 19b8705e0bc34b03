import Glibc
import Isolation

/// A blocking TCP socket on loopback, on a thread of its own: a client, or a peer that a test
/// scripts. Every wait ends after the socket's own timeout.
actor Wire {
    private let executor = QueueExecutor(label: "Wire")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let descriptor: Int32
    private var unread: [UInt8] = []

    /// Connects to a port.
    init(to port: UInt16) {
        descriptor = Self.limited(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        Self.withAddress(port) { _ = connect(descriptor, $0, $1) }
    }

    fileprivate init(_ descriptor: Int32) { self.descriptor = Self.limited(descriptor) }

    deinit { close(descriptor) }

    fileprivate static func limited(_ descriptor: Int32) -> Int32 {
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        return descriptor
    }

    fileprivate static func withAddress(
        _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Void
    ) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// A head without its empty line; nil if the connection closes first.
    func head() -> String? { text(upTo: "\r\n\r\n") }

    /// The next chunk of a body; empty at its end, nil if the connection closes first.
    func chunk() -> [UInt8]? {
        guard let size = text(upTo: "\r\n").flatMap({ Int($0, radix: 16) }),
            let bytes = bytes(size + 2)
        else { return nil }
        return Array(bytes.dropLast(2))
    }

    func bytes(_ count: Int) -> [UInt8]? {
        while unread.count < count { guard readMore() else { return nil } }
        defer { unread.removeFirst(count) }
        return Array(unread.prefix(count))
    }

    /// The head and the body of a message with a length.
    func message() -> (head: String, body: [UInt8])? {
        guard let head = head() else { return nil }
        let length = head.lowercased().split(separator: "\r\n")
            .first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.split(separator: ":")[1].drop { $0 == " " }) }
        return bytes(length ?? 0).map { (head, $0) }
    }

    private func text(upTo end: String) -> String? {
        let end = Array(end.utf8)
        var range = unread.firstRange(of: end)
        while range == nil {
            guard readMore() else { return nil }
            range = unread.firstRange(of: end)
        }
        guard let range else { return nil }
        defer { unread.removeFirst(range.upperBound) }
        return String(decoding: unread[..<range.lowerBound], as: UTF8.self)
    }

    private func readMore() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        unread.append(contentsOf: buffer.prefix(count))
        return true
    }
}

/// A listening socket on loopback whose connections a test scripts.
actor WireListener {
    private let executor = QueueExecutor(label: "WireListener")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let port: UInt16
    private let descriptor: Int32

    init() {
        descriptor = Wire.limited(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        let descriptor = descriptor
        Wire.withAddress(0) { _ = bind(descriptor, $0, $1) }
        listen(descriptor, 16)
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        port = address.sin_port.bigEndian
    }

    deinit { close(descriptor) }

    func accept() -> Wire { Wire(Glibc.accept(descriptor, nil, nil)) }

    /// Refuses connections from now on.
    func refuse() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
