/// A request's first line and headers as they came, before anything is believed.
struct RequestHead: Sendable {
    struct Header: Sendable {
        /// In lower case.
        var name: String
        var value: String
    }

    /// How long the body is.
    enum Framing: Hashable, Sendable {
        case length(Int)
        case chunked
    }

    /// The method's word: "GET".
    var method: String
    /// Path and query, undecoded.
    var target: String
    /// "HTTP/1.1"
    var version: String
    var headers: [Header] = []
    var lines = Lines.clear

    /// Whether the head could be taken apart in one way only.
    enum Lines: Sendable {
        case clear
        case ambiguous
    }

    /// The request, still without its body, once `framing()` has found nothing wrong.
    func request(body: [UInt8]) throws(Problem) -> Request {
        let (path, query) = try splitTarget()
        var fields: [String: String] = [:]
        for header in headers {
            if let earlier = fields[header.name] {
                fields[header.name] = earlier + ", " + header.value
            } else {
                fields[header.name] = header.value
            }
        }
        return Request(
            method: try knownMethod(), path: path, query: query, headers: fields, body: body)
    }

    /// HEAD is answered as GET; the library leaves the body away.
    func knownMethod() throws(Problem) -> Method {
        if method == "HEAD" { return .get }
        guard let known = Method(rawValue: method) else {
            throw .methodNotAllowed(Method.allCases)
        }
        return known
    }

    private func splitTarget() throws(Problem) -> (path: String, query: [String: String]) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, PercentEncoding.decode(path) != nil else {
            throw .malformed("The path is not well percent-encoded: send UTF-8 as %HH.")
        }
        return (String(path), parts.count == 2 ? try Self.parse(query: parts[1]) : [:])
    }

    private static func parse(query: Substring) throws(Problem) -> [String: String] {
        var values: [String: String] = [:]
        for field in query.split(separator: "&") {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let value = PercentEncoding.decode(pair.count == 2 ? pair[1] : "", plus: .space)
            else {
                throw .malformed("The query is not well percent-encoded: send UTF-8 as %HH.")
            }
            let name = String(pair[0])
            if values[name] == nil { values[name] = value }
        }
        return values
    }
}
