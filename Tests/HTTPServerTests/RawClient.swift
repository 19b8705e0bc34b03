import Glibc
import Isolation
import Testing

/// A client that sends any bytes it is told to, over a blocking socket on a thread of its own.
///
/// Every wait ends after the socket's own timeout, so a server that hangs fails the test.
actor RawClient {
    struct Answer: Equatable {
        var status: Int
        /// Names in lower case.
        var headers: [String: String]
        var body: String
    }

    private let executor = QueueExecutor(label: "RawClient")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let descriptor: Int32
    private var unread: [UInt8] = []
    private let isOpen: Bool

    /// Connects from 127.0.0.`host`.
    init(port: UInt16, from host: UInt8 = 1) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        let size4 = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound =
            host == 1 || Self.withLoopback(host, port: 0) { bind(descriptor, $0, size4) == 0 }
        isOpen = isBound && Self.withLoopback(1, port: port) { connect(descriptor, $0, size4) == 0 }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    private static func withLoopback(
        _ host: UInt8, port: UInt16, _ body: (UnsafePointer<sockaddr>) -> Bool
    ) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0000 + UInt32(host)).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }

    var isConnected: Bool { isOpen }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends what it can: a server may close in the middle.
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

    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Goes away without reading what is left.
    func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Sends a byte, looks a moment for an end, and so on: true if the server ends it.
    func tricklesUntilClosed(bytesMax: Int) -> Bool {
        for _ in 0..<bytesMax {
            send("a")
            var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&event, 1, 10) > 0 { return isClosedByServer() }
        }
        return false
    }

    /// The next answer, or nil if the server closes the connection first.
    func answer() -> Answer? {
        var head = readHead()
        while head?.status == 100 { head = readHead() }
        guard var answer = head else { return nil }
        let length = answer.headers["content-length"].flatMap { Int($0) } ?? 0
        while unread.count < length { guard readMore() else { return nil } }
        answer.body = String(decoding: unread.prefix(length), as: UTF8.self)
        unread.removeFirst(length)
        return answer
    }

    /// The answer to a HEAD: its length speaks of a body that does not come.
    func answerWithoutBody() -> Answer? { readHead() }

    /// The next chunk of a body; empty at its end, nil if the connection closes first.
    func chunk() -> String? {
        let end = Array("\r\n".utf8)
        var range = unread.firstRange(of: end)
        while range == nil {
            guard readMore() else { return nil }
            range = unread.firstRange(of: end)
        }
        guard let range,
            let size = Int(
                String(decoding: unread[..<range.lowerBound], as: UTF8.self), radix: 16)
        else { return nil }
        unread.removeFirst(range.upperBound)
        while unread.count < size + 2 { guard readMore() else { return nil } }
        defer { unread.removeFirst(size + 2) }
        return String(decoding: unread.prefix(size), as: UTF8.self)
    }

    /// Everything until the server closes.
    func rest() -> String {
        while readMore() {}
        defer { unread = [] }
        return String(decoding: unread, as: UTF8.self)
    }

    /// Sends and reads the answer.
    func ask(_ text: String) -> Answer? {
        send(text)
        return answer()
    }

    /// Whether the server closes the connection without another byte.
    func isClosedByServer() -> Bool { unread.isEmpty && !readMore() }

    /// The answers until the server closes.
    func answersUntilClosed() -> [Answer] {
        var answers: [Answer] = []
        while let answer = answer() { answers.append(answer) }
        return answers
    }

    private func readHead() -> Answer? {
        let end = Array("\r\n\r\n".utf8)
        var range = unread.firstRange(of: end)
        while range == nil {
            guard readMore() else { return nil }
            range = unread.firstRange(of: end)
        }
        guard let range else { return nil }
        let lines = String(decoding: unread[..<range.lowerBound], as: UTF8.self)
            .split(separator: "\r\n")
        unread.removeFirst(range.upperBound)
        let words = lines[0].split(separator: " ")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] =
                parts.count > 1 ? String(parts[1].drop(while: { $0 == " " })) : ""
        }
        return Answer(status: Int(words[1]) ?? 0, headers: headers, body: "")
    }

    private func readMore() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN { Issue.record("the server neither answers nor closes") }
        guard count > 0 else { return false }
        unread.append(contentsOf: buffer.prefix(count))
        return true
    }
}
