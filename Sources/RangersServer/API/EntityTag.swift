internal import HTTPServer

/// Entity tags (RFC 9110 section 8.8.3), and the 304 for a client that has the response already.
enum EntityTag {
    /// Returns the headers of a response with this tag. A client may store it, and asks each time, so
    /// the tag alone tells languages apart. Tags that players share in spite of different names need
    /// `differsByPlayer`.
    static func headers(_ tag: String, differsByPlayer: Bool = false) -> [Response.Header] {
        let headers = [Response.Header("etag", tag), mayStore]
        return differsByPlayer ? headers + [depends] : headers
    }

    private static let mayStore = Response.Header("cache-control", "private, no-cache")
    private static let depends = Response.Header("vary", "authorization")

    /// Whether the value of an `If-None-Match` header names the tag. Quotes end a tag, so that it is
    /// no part of another one.
    static func matches(_ value: UnsafeRawBufferPointer, _ tag: String) -> Bool {
        if value.count == 1, value.first == UInt8(ascii: "*") { return true }
        var tag = tag
        return tag.withUTF8 { tag in
            guard value.count >= tag.count else { return false }
            let starts = 0...value.count - tag.count
            return starts.contains(where: { value[$0..<$0 + tag.count].elementsEqual(tag) })
        }
    }

    /// Returns the response to a GET with a tag, or a 304. A response without a tag gets the hash of
    /// its body.
    static func conditional(_ response: Response, to request: Request) -> Response {
        guard response.status == 200, response.headers.contains(where: isJSON) else {
            return response
        }
        var tagged = response
        let known = response.headers.first { $0.name == "etag" }?.value
        let tag = known ?? "\"\(String(UInt(bitPattern: response.body.hashValue), radix: 36))\""
        if known == nil { tagged.headers += headers(tag) }
        guard var wanted = request.headers["if-none-match"] else { return tagged }
        let isKnown = wanted.withUTF8 { matches(UnsafeRawBufferPointer($0), tag) }
        return isKnown ? .notModified(tagged) : tagged
    }

    private static func isJSON(_ header: Response.Header) -> Bool {
        header == Response.Header("content-type", "application/json")
    }
}
