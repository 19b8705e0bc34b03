/// A header field. Names are lower case (RFC 9113 section 8.2).
package struct HTTP2Header: Hashable, Sendable {
    /// Whether HPACK may put the field into its table (RFC 7541 section 6.2.3).
    package enum Indexing: Hashable, Sendable {
        case allowed, never
    }

    package let name: String
    package let value: String
    package let indexing: Indexing

    package init(_ name: String, _ value: String, indexing: Indexing = .allowed) {
        self.name = name
        self.value = value
        self.indexing = indexing
    }
}

/// A whole request. `headers` has no pseudo-header; `:path` is never indexed.
package struct HTTP2Request: Hashable, Sendable {
    package let method: String
    package let path: String
    package let headers: [HTTP2Header]
    package let body: [UInt8]

    package init(method: String, path: String, headers: [HTTP2Header], body: [UInt8]) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }

    /// The first value of a header, by its lower-case name.
    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

/// A whole response.
package struct HTTP2Response: Hashable, Sendable {
    package let status: Int
    package let headers: [HTTP2Header]
    package let body: [UInt8]

    package init(status: Int, headers: [HTTP2Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first value of a header, by its lower-case name.
    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

/// A request without an answer, by what is known of its fate.
package enum HTTP2Failure: Error, Hashable, Sendable {
    /// Its HEADERS never left: safe to send again.
    case neverSent(String)
    /// This side did not take it, so it never left; another try at once would end alike.
    case notTaken(String)
    /// The peer said that it did nothing (REFUSED_STREAM, above GOAWAY's last id): safe too.
    case refused(String)
    /// The peer may or may not have acted on it.
    case unknown(String)
}

/// A request and who hears of its end, exactly once.
package struct HTTP2Exchange: Sendable {
    package let request: HTTP2Request
    /// Called on the loop's thread: it must not block.
    package let completion: @Sendable (Result<HTTP2Response, HTTP2Failure>) -> Void

    package init(
        request: HTTP2Request,
        completion: @escaping @Sendable (Result<HTTP2Response, HTTP2Failure>) -> Void
    ) {
        self.request = request
        self.completion = completion
    }
}
