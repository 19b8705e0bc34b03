import Foundation
import Glibc
import Isolation
import RangersServer
import Testing

/// A client of an event stream, over a blocking socket on a thread of its own. Every wait ends
/// after the socket's own timeout, so a server that hangs fails the test.
actor StreamClient {
    struct Message: Sendable {
        /// Empty: an event of the log.
        var name = ""
        var id: Int?
        /// The id as it was sent.
        var stamp: String?
        var data = ""
        /// Lines that clients ignore.
        var isHeartbeat = false

        var value: Value {
            (try? Value(json: data.utf8)) ?? .null
        }
    }

    private let executor = QueueExecutor(label: "StreamClient")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let proxy: FakeProxy?
    private let receiveBufferBytes: Int32?
    private var descriptor: Int32
    private var unread: [UInt8] = []
    private var text: [UInt8] = []
    private(set) var headers: [String: String] = [:]
    /// The id of the newest event, as a client keeps it.
    private(set) var lastID: Int?

    /// Connects. A small buffer stands for a client that reads slowly.
    init(to server: TestServer, receiveBufferBytes: Int32? = nil) {
        proxy = server.proxy
        self.receiveBufferBytes = receiveBufferBytes
        descriptor = Self.connected(to: server.server.port, receiveBufferBytes)
    }

    /// Connects to a real proxy.
    init(to port: UInt16) {
        (proxy, receiveBufferBytes) = (nil, nil)
        descriptor = Self.connected(to: port, nil)
    }

    private static func connected(to port: UInt16, _ receiveBufferBytes: Int32?) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        if var bytes = receiveBufferBytes {
            let size = socklen_t(MemoryLayout<Int32>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, size)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return descriptor
    }

    deinit { close(descriptor) }

    /// Sends a GET; returns the status.
    func get(_ path: String, as token: String?, _ headers: [String: String] = [:]) -> Int {
        head("GET", path, as: token, headers)
    }

    /// Sends a head and a body, which may be shorter than the head announces; returns the status.
    /// Follows to the node that the response names, as a proxy does.
    func head(
        _ method: String, _ path: String, as token: String?, _ headers: [String: String],
        body: [UInt8] = []
    ) -> Int {
        var headers = headers.merging(["host": "x"]) { given, _ in given }
        headers["authorization"] = token.map { "Bearer \($0)" }
        var request = "\(method) \(path) HTTP/1.1\r\n"
        for (name, value) in headers { request += "\(name): \(value)\r\n" }
        let bytes = Array((request + "\r\n").utf8) + body
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            return 0
        }
        let status = readHead()
        guard status == 503, headers["rangers-redirected"] == nil,
            let owner = proxy?.server(in: self.headers)
        else { return status }
        close(descriptor)
        (unread, text, self.headers) = ([], [], [:])
        descriptor = Self.connected(to: owner.port, receiveBufferBytes)
        headers["rangers-redirected"] = "1"
        return head(method, path, as: token, headers, body: body)
    }

    /// Opens the party's stream, after the newest event that this or another client has.
    func open(_ party: String, as player: TestPlayer, after: Int? = nil) -> Int {
        lastID = after
        return get(
            "/v1/parties/\(party)/stream", as: player.token,
            after.map { ["last-event-id": "\($0)"] } ?? [:])
    }

    /// The next message; `nil`: the server has closed the stream.
    func next(heartbeats: Heartbeats = .ignored) -> Message? {
        while true {
            if let end = text.firstRange(of: Array("\n\n".utf8)) {
                let message = parse(String(decoding: text[..<end.lowerBound], as: UTF8.self))
                text.removeFirst(end.upperBound)
                if let id = message.id { lastID = id }
                let isMeant = message.isHeartbeat ? heartbeats == .returned : !message.data.isEmpty
                if isMeant { return message }
            } else {
                guard let chunk = readChunk() else { return nil }
                text += chunk
            }
        }
    }

    enum Heartbeats: Sendable { case ignored, returned }

    /// The next event of the log; `nil`: the server has closed the stream.
    func nextEvent() -> Message? {
        while let message = next() {
            if message.name.isEmpty { return message }
        }
        return nil
    }

    /// Messages up to one that satisfies the condition, or to the end of the stream.
    func messages(until isLast: @Sendable (Message) -> Bool) -> [Message] {
        var messages: [Message] = []
        while let message = next() {
            messages.append(message)
            if isLast(message) { break }
        }
        return messages
    }

    /// Whether the server closes the connection, after anything else that it sends.
    func isClosedByServer() -> Bool {
        while readMore() {}
        return true
    }

    // MARK: Bytes

    private func parse(_ text: String) -> Message {
        var message = Message()
        for line in text.split(separator: "\n") {
            if line.hasPrefix("event: ") { message.name = String(line.dropFirst(7)) }
            if line.hasPrefix("id: ") {
                message.stamp = String(line.dropFirst(4))
                message.id = Int(line.dropFirst(4))
            }
            if line.hasPrefix("data: ") { message.data = String(line.dropFirst(6)) }
            if line.hasPrefix(":") { message.isHeartbeat = true }
        }
        return message
    }

    private func readHead() -> Int {
        guard let head = readLine(endedBy: "\r\n\r\n") else { return 0 }
        let lines = head.split(separator: "\r\n")
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].dropFirst()) : ""
        }
        return Int(lines[0].split(separator: " ")[1]) ?? 0
    }

    private func readChunk() -> [UInt8]? {
        guard let size = readLine(endedBy: "\r\n").flatMap({ Int($0, radix: 16) }), size > 0
        else { return nil }
        while unread.count < size + 2 { guard readMore() else { return nil } }
        defer { unread.removeFirst(size + 2) }
        return Array(unread.prefix(size))
    }

    private func readLine(endedBy end: String) -> String? {
        while true {
            if let range = unread.firstRange(of: Array(end.utf8)) {
                defer { unread.removeFirst(range.upperBound) }
                return String(decoding: unread[..<range.lowerBound], as: UTF8.self)
            }
            guard readMore() else { return nil }
        }
    }

    private func readMore() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN { Issue.record("the server neither sends nor closes") }
        guard count > 0 else { return false }
        unread.append(contentsOf: buffer.prefix(count))
        return true
    }
}
