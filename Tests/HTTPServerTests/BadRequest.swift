import Testing

/// A request that two servers in a row could read differently, or that no client sends in earnest.
struct BadRequest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: String

    init(_ name: String, _ bytes: String) {
        testDescription = name
        self.bytes = bytes
    }

    /// A GET with these header lines.
    init(_ name: String, headers: String) {
        self.init(name, "GET /bad HTTP/1.1\r\nhost: x\r\n\(headers)\r\n\r\n")
    }

    /// A POST with these header lines and a body.
    init(_ name: String, headers: String, body: String) {
        self.init(name, "POST /bad HTTP/1.1\r\nhost: x\r\n\(headers)\r\n\r\n\(body)")
    }

    static let all: [BadRequest] = [
        BadRequest(
            "Content-Length with Transfer-Encoding",
            headers: "content-length: 5\r\ntransfer-encoding: chunked", body: "0\r\n\r\n"),
        BadRequest(
            "Transfer-Encoding with Content-Length",
            headers: "transfer-encoding: chunked\r\ncontent-length: 5", body: "0\r\n\r\n"),
        BadRequest(
            "two equal lengths", headers: "content-length: 1\r\ncontent-length: 1", body: "a"),
        BadRequest(
            "two different lengths", headers: "content-length: 1\r\ncontent-length: 0", body: "a"),
        BadRequest("a list of lengths", headers: "content-length: 1, 1", body: "a"),
        BadRequest("a signed length", headers: "content-length: +1", body: "a"),
        BadRequest("a negative length", headers: "content-length: -1", body: "a"),
        BadRequest("a hexadecimal length", headers: "content-length: 0x1", body: "a"),
        BadRequest("a length of words", headers: "content-length: one", body: "a"),
        BadRequest("an empty length", headers: "content-length:", body: "a"),
        BadRequest(
            "a length beyond 64 bits", headers: "content-length: 18446744073709551617", body: "a"),
        BadRequest("an unknown coding", headers: "transfer-encoding: gzip", body: "0\r\n\r\n"),
        BadRequest(
            "chunked after gzip", headers: "transfer-encoding: gzip, chunked", body: "0\r\n\r\n"),
        BadRequest(
            "chunked before gzip", headers: "transfer-encoding: chunked, gzip", body: "0\r\n\r\n"),
        BadRequest("almost chunked", headers: "transfer-encoding: xchunked", body: "0\r\n\r\n"),
        BadRequest("identity", headers: "transfer-encoding: identity", body: "0\r\n\r\n"),
        BadRequest(
            "chunked twice",
            headers: "transfer-encoding: chunked\r\ntransfer-encoding: chunked", body: "0\r\n\r\n"),
        BadRequest(
            "chunked in HTTP/1.0",
            "POST /bad HTTP/1.0\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"),
        BadRequest("two hosts", headers: "host: y"),
        BadRequest("no host", "GET /bad HTTP/1.1\r\n\r\n"),
        BadRequest("a list of hosts", "GET /bad HTTP/1.1\r\nhost: x, y\r\n\r\n"),
        BadRequest("a host with a path", "GET /bad HTTP/1.1\r\nhost: x/y\r\n\r\n"),
        BadRequest("two credentials", headers: "authorization: a\r\nauthorization: b"),
        BadRequest("a space before the colon", headers: "content-length : 5"),
        BadRequest("a space in a name", headers: "content length: 5"),
        BadRequest("an empty name", headers: ": x"),
        BadRequest("a line without a colon", headers: "content-length"),
        BadRequest("a name with a control character", headers: "a\u{1}b: x"),
        BadRequest("a value with a control character", headers: "a: x\u{1}y"),
        BadRequest("a value with a NUL", headers: "a: x\u{0}y"),
        BadRequest("a name with a NUL", headers: "a\u{0}b: y"),
        BadRequest("a bare CR in a value", headers: "a: x\ry: z"),
        BadRequest("a bare LF between headers", headers: "a: x\ny: z"),
        BadRequest("a folded header", headers: "a: x\r\n y"),
        BadRequest("a bare LF before the body", "GET /bad HTTP/1.1\r\nhost: x\r\n\n"),
        BadRequest("an empty last name", headers: "a: b\r\n: x"),
        BadRequest("two spaces after the method", "GET  /bad HTTP/1.1\r\nhost: x\r\n\r\n"),
        BadRequest("two spaces before the version", "GET /bad  HTTP/1.1\r\nhost: x\r\n\r\n"),
        BadRequest("a space after the version", "GET /bad HTTP/1.1 \r\nhost: x\r\n\r\n"),
        BadRequest("a folded first header", "GET /bad HTTP/1.1\r\n host: x\r\n\r\n"),
        BadRequest("bare LFs only", "GET /bad HTTP/1.1\nhost: x\n\n"),
        BadRequest("HTTP/1.2", "GET /bad HTTP/1.2\r\nhost: x\r\n\r\n"),
        BadRequest("HTTP/1.10", "GET /bad HTTP/1.10\r\nhost: x\r\n\r\n"),
        BadRequest("HTTP/2.0", "GET /bad HTTP/2.0\r\nhost: x\r\n\r\n"),
        BadRequest("http/1.1", "GET /bad http/1.1\r\nhost: x\r\n\r\n"),
        BadRequest("no version", "GET /bad\r\nhost: x\r\n\r\n"),
        BadRequest("another protocol", "GET /bad RTSP/1.1\r\nhost: x\r\n\r\n"),
        BadRequest("a space in the path", "GET /b ad HTTP/1.1\r\nhost: x\r\n\r\n"),
        BadRequest("a tab in the path", "GET /b\tad HTTP/1.1\r\nhost: x\r\n\r\n"),
        BadRequest("a NUL in the path", "GET /b\u{0}ad HTTP/1.1\r\nhost: x\r\n\r\n"),
        BadRequest("a fragment", "GET /bad#x HTTP/1.1\r\nhost: x\r\n\r\n"),
        BadRequest("unescaped UTF-8", "GET /bäd HTTP/1.1\r\nhost: x\r\n\r\n"),
        BadRequest("a path without a slash", "GET bad HTTP/1.1\r\nhost: x\r\n\r\n"),
        BadRequest("an absolute target", "GET http://x/bad HTTP/1.1\r\nhost: x\r\n\r\n"),
        BadRequest("no path", "GET  HTTP/1.1\r\nhost: x\r\n\r\n"),
        BadRequest("a method of brackets", "G()T /bad HTTP/1.1\r\nhost: x\r\n\r\n"),
        BadRequest("not HTTP at all", "\u{16}\u{3}\u{1}\u{2}\u{0}\r\n\r\n"),
        BadRequest(
            "a chunk of no size", headers: "transfer-encoding: chunked", body: "zz\r\na\r\n"),
        BadRequest(
            "a chunk of negative size", headers: "transfer-encoding: chunked", body: "-1\r\na\r\n"),
        BadRequest(
            "a chunk of a signed size", headers: "transfer-encoding: chunked",
            body: "+1\r\na\r\n0\r\n\r\n"),
        BadRequest(
            "a chunk of prefixed size", headers: "transfer-encoding: chunked",
            body: "0x1\r\na\r\n0\r\n\r\n"),
        BadRequest(
            "a chunk beyond 64 bits", headers: "transfer-encoding: chunked",
            body: "10000000000000001\r\na\r\n0\r\n\r\n"),
        BadRequest(
            "a chunk longer than it says", headers: "transfer-encoding: chunked",
            body: "1\r\nabc\r\n0\r\n\r\n"),
        BadRequest(
            "a space before a chunk's size", headers: "transfer-encoding: chunked",
            body: " 1\r\na\r\n0\r\n\r\n"),
    ]
}
