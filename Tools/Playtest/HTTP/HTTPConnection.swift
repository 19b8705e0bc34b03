internal import Isolation

/// One kept connection to a server, which sends one request at a time.
actor HTTPConnection {
    struct Address: Sendable {
        let host: String
        let port: UInt16
    }

    struct Request: Sendable {
        let method: String
        let path: String
        let token: String?
        var language: String?
        let body: [UInt8]?
    }

    private let executor = QueueExecutor(label: "HTTPConnection")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let address: Address
    private var socket: ClientSocket?

    init(to address: Address) { self.address = address }

    /// Sends a request and returns its response; blocks this connection's thread only.
    func exchange(
        _ request: Request, by deadline: ContinuousClock.Instant
    ) throws(HTTPClientError) -> HTTPAnswer {
        let socket = try connected(by: deadline)
        // A connection is reused only after a complete response.
        self.socket = nil
        try socket.send(bytes(of: request), by: deadline)
        var head = try readHead(from: socket, by: deadline)
        while head.status == 100 { head = try readHead(from: socket, by: deadline) }
        let body = try readBody(of: head, from: socket, by: deadline)
        if head.headers["connection"] != "close" { self.socket = socket }
        return HTTPAnswer(status: head.status, headers: head.headers, body: body)
    }

    private func connected(
        by deadline: ContinuousClock.Instant
    ) throws(HTTPClientError) -> ClientSocket {
        if let socket, socket.isQuiet { return socket }
        return try ClientSocket(host: address.host, port: address.port, by: deadline)
    }

    private func bytes(of request: Request) -> [UInt8] {
        var lines = [
            "\(request.method) \(request.path) HTTP/1.1",
            "host: \(address.host):\(address.port)", "accept: application/json",
        ]
        if let language = request.language { lines.append("accept-language: \(language)") }
        if let token = request.token { lines.append("authorization: Bearer \(token)") }
        if let body = request.body {
            lines += ["content-type: application/json", "content-length: \(body.count)"]
        } else if request.method != "GET" {
            lines.append("content-length: 0")
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (request.body ?? [])
    }

    private struct Head {
        var status: Int
        var headers: [String: String] = [:]
    }

    private func readHead(
        from socket: ClientSocket, by deadline: ContinuousClock.Instant
    ) throws(HTTPClientError) -> Head {
        let lines = String(
            decoding: try socket.read(through: "\r\n\r\n", by: deadline), as: UTF8.self
        ).split(separator: "\r\n")
        guard let words = lines.first?.split(separator: " "), words.count >= 2,
            words[0].hasPrefix("HTTP/1."), let status = Int(words[1])
        else { throw .lost }
        var head = Head(status: status)
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            head.headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        return head
    }

    /// Reads the body by its length; the servers that bots use have no other framing.
    private func readBody(
        of head: Head, from socket: ClientSocket, by deadline: ContinuousClock.Instant
    ) throws(HTTPClientError) -> [UInt8] {
        guard head.headers["transfer-encoding"] == nil else { throw .lost }
        guard let length = Int(head.headers["content-length"] ?? "0"), length >= 0 else {
            throw .lost
        }
        return try socket.read(count: length, by: deadline)
    }
}
