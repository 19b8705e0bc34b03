internal import APNsClient
internal import Glibc
internal import JSONReader
package import OptionParsing
internal import Secrets

/// Calls the admin API of a running server, for the commands of `rangers`. It speaks plain HTTP/1.1,
/// one request a connection: it is meant for the server's own machine, or a tunnel to it.
package struct AdminClient: Sendable {
    package static let options = [
        Option(
            "server", "HOST:PORT",
            "The admin API's address: that of --admin-listen, or without it of --listen",
            default: "127.0.0.1:8080"),
        Option("admin-key-file", "FILE", "The file with the owner's key"),
    ]

    /// What a call failed at.
    package struct Failure: Error, CustomStringConvertible, Sendable {
        package let description: String
    }

    /// How long the server may take for a response, in seconds.
    private static let patienceSeconds = 10
    /// More than any response of the admin API.
    private static let responseBytesMax = 16 * 1024 * 1024

    private let host: String
    private let port: UInt16
    private let key: Secret

    package init(_ values: OptionValues) throws(OptionsError) {
        (host, port) = try values.address("server")
        let file = try values.required("admin-key-file")
        do throws(KeyFile.Unusable) {
            key = try KeyFile(file: file).secret
        } catch {
            throw values.invalid("admin-key-file", expected: error.expected)
        }
    }

    /// Creates a client with a key at hand.
    package init(host: String, port: UInt16, key: String) {
        self.host = host
        self.port = port
        self.key = Secret(key)
    }

    /// Sends a request. Returns the JSON of the response; `nil`: it has none.
    ///
    /// - Throws: The sentence of a refusal, or what is wrong with the connection.
    func call(
        _ method: String, _ path: String, body: [UInt8] = []
    ) throws(Failure) -> JSONValue? {
        let response = try response(to: method, path, body)
        let json = JSONValue(response.body)
        guard (200..<300).contains(response.status) else {
            throw Failure(
                description: json?["detail"]?.text ?? "the server responded \(response.status)")
        }
        return json
    }

    /// A response as text.
    struct Page {
        let status: Int
        let body: String
    }

    /// Returns a page of text, such as `/metrics`, whatever its status.
    func page(_ path: String) throws(Failure) -> Page {
        let response = try response(to: "GET", path, [])
        return Page(
            status: response.status, body: String(decoding: response.body, as: UTF8.self))
    }

    private func response(
        to method: String, _ path: String, _ body: [UInt8]
    ) throws(Failure) -> (status: Int, body: [UInt8]) {
        let head = """
            \(method) \(path) HTTP/1.1\r
            Host: \(host):\(port)\r
            Authorization: Bearer \(key.revealed)\r
            Content-Type: application/json\r
            Content-Length: \(body.count)\r
            Connection: close\r
            \r

            """
        let response = try exchange(Array(head.utf8) + body)
        guard let status = Self.status(of: response), let end = Self.endOfHead(in: response) else {
            throw Failure(description: "\(host):\(port) does not speak HTTP")
        }
        return (status, Array(response[end...]))
    }

    /// Returns the status of "HTTP/1.1 200 OK".
    private static func status(of response: [UInt8]) -> Int? {
        let words = response.prefix { $0 != UInt8(ascii: "\r") }.split(separator: UInt8(ascii: " "))
        guard words.count > 1, words[0].starts(with: Array("HTTP/1.".utf8)) else { return nil }
        return Int(String(decoding: words[1], as: UTF8.self))
    }

    private static func endOfHead(in response: [UInt8]) -> Int? {
        let end = Array("\r\n\r\n".utf8)
        guard response.count >= end.count else { return nil }
        return (0...response.count - end.count).first { response[$0...].starts(with: end) }
            .map { $0 + end.count }
    }

    // MARK: The socket

    private func exchange(_ request: [UInt8]) throws(Failure) -> [UInt8] {
        let socket = try connect()
        defer { close(socket) }
        var sent = 0
        while sent < request.count {
            let count = request[sent...].withUnsafeBytes {
                send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw failure("cannot be reached") }
            sent += count
        }
        var response: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = recv(socket, &part, part.count, 0)
            guard count >= 0, response.count < Self.responseBytesMax else {
                throw failure("did not respond")
            }
            guard count > 0 else { return response }
            response += part[..<count]
        }
    }

    private func connect() throws(Failure) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0 else {
            throw Failure(description: "there is no host \(host)")
        }
        defer { freeaddrinfo(found) }
        var next = found
        while let address = next?.pointee {
            next = address.ai_next
            let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
            guard descriptor >= 0 else { continue }
            var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
            if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 {
                return descriptor
            }
            close(descriptor)
        }
        throw failure("cannot be reached: is the server running?")
    }

    private func failure(_ what: String) -> Failure {
        Failure(description: "\(host):\(port) \(what)")
    }
}
