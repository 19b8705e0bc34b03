internal import CCurl
internal import HTTPServer
internal import Secrets

/// The headers that nodes add for each other, and those that end at each of them.
enum NodeHeaders {
    static let keyName: StaticString = "node-key"
    static let hopName: StaticString = "node-hop"
    /// The client's address; `::` if none is known.
    static let clientName: StaticString = "node-client"
    static let key = "\(keyName)"
    static let hop = "\(hopName)"
    static let client = "\(clientName)"
    /// In a 401: the listener refuses the sender, and no handler has seen the request.
    static let refused = "node-refused"

    /// What a forwarder adds to a client's headers at most, `Host` included.
    static let extraMax = 4
    static let extraBytesMax = 1024

    /// Headers of a request that a client cannot set, and no handler sees.
    static let own = [keyName, hopName, clientName]

    /// Fields of one connection (RFC 9110 section 7.6.1), and those that frame a body.
    private static let single: Set<String> = [
        "connection", "content-length", "expect", "keep-alive", "proxy-authenticate",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Whether a field is for one connection only; `connection` is the value of that header.
    static func isSingle(_ lowercasedName: String, connection: String?) -> Bool {
        if single.contains(lowercasedName) { return true }
        guard let connection else { return false }
        return connection.lowercased().split { $0 == "," || $0 == " " }
            .contains { $0 == lowercasedName }
    }

    // MARK: Requests

    /// Headers that libcurl adds to a request, unless they are turned off.
    private static let offered = ["accept", "content-type", "expect", "user-agent"]

    /// Returns libcurl's list of the headers of a forwarded request; `nil` if out of memory. The
    /// caller frees it.
    static func list(
        for request: Request, _ hop: Hop, _ key: NodeKey
    ) -> UnsafeMutablePointer<curl_slist>? {
        var list = HeaderLines()
        list.append(Self.key, key.secret.revealed)
        list.append(Self.hop, hop.text)
        list.append(client, request.client.text ?? "::")
        let connection = request.headers["connection"]
        var missing = Set(offered)
        request.headers.forEach { name, value in
            let lowercased = String(decoding: name, as: UTF8.self).lowercased()
            guard !isSingle(lowercased, connection: connection),
                ![Self.key, Self.hop, client].contains(lowercased)
            else { return }
            missing.remove(lowercased)
            list.append(name, value)
        }
        for name in missing { list.leaveOut(name) }
        return list.finished()
    }
}

extension RequestHead {
    /// The only value of a header.
    func text(of name: StaticString) -> String? {
        guard case .one(let value) = header(name) else { return nil }
        return String(decoding: value, as: UTF8.self)
    }
}

/// Lines of headers in libcurl's form.
private struct HeaderLines {
    private var first: UnsafeMutablePointer<curl_slist>?
    private var isComplete = true

    mutating func append(_ name: String, _ value: String) {
        append(Array(name.utf8)[...], Array(value.utf8)[...])
    }

    /// An empty value needs a semicolon, because a colon without value leaves the header out.
    mutating func append(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        append(line: name + (value.isEmpty ? Array(";".utf8) : Array(": ".utf8) + value))
    }

    mutating func leaveOut(_ name: String) { append(line: Array("\(name):".utf8)[...]) }

    private mutating func append(line: ArraySlice<UInt8>) {
        let text = line.map { CChar(bitPattern: $0) } + [0]
        guard let longer = curl_slist_append(first, text) else {
            isComplete = false
            return
        }
        first = longer
    }

    /// Returns the list, for the caller to free; `nil` if a line is missing.
    func finished() -> UnsafeMutablePointer<curl_slist>? {
        if isComplete { return first }
        curl_slist_free_all(first)
        return nil
    }
}
