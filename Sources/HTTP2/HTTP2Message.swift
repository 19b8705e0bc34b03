/// A header field. Names are lower case (RFC 9113 section 8.2).
package struct HTTP2Header: Hashable, Sendable {
    /// Whether HPACK may add the field to its table (RFC 7541 section 6.2.3).
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

/// A complete request. `headers` has no pseudo-header; `:path` is never indexed.
package struct HTTP2Request: Hashable, Sendable {
    package private(set) var method: String
    package private(set) var path: String
    package private(set) var headers: [HTTP2Header]
    package internal(set) var body: [UInt8]

    package init(method: String, path: String, headers: [HTTP2Header], body: [UInt8]) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }

    /// Returns the first value of a header, by its lower-case name.
    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// Adds a received field; invalid UTF-8 becomes U+FFFD. Drops the pseudo-headers that handlers
    /// do not need.
    mutating func take(
        name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>,
        indexing: HTTP2Header.Indexing
    ) {
        let text = String(decoding: value, as: UTF8.self)
        if name.first != UInt8(ascii: ":") {
            let name = String(decoding: name, as: UTF8.self)
            headers.append(HTTP2Header(name, text, indexing: indexing))
        } else if FieldName.path.isSame(as: name) {
            path = text
        } else if FieldName.method.isSame(as: name) {
            method = text
        }
    }
}

/// A complete response.
package struct HTTP2Response: Hashable, Sendable {
    package let status: Int
    package let headers: [HTTP2Header]
    package let body: [UInt8]

    package init(status: Int, headers: [HTTP2Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Returns the first value of a header, by its lower-case name.
    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

/// Why a request has no response, by what is known of its outcome.
package enum HTTP2Failure: Error, Hashable, Sendable {
    /// Its HEADERS were not sent: safe to repeat.
    case neverSent(String)
    /// This side did not accept it, so it was not sent; an immediate retry would fail alike.
    case notTaken(String)
    /// Too many requests are waiting on this side, so it was not sent: safe to repeat later.
    case queueFull(String)
    /// The peer reported that it did nothing (REFUSED_STREAM, above GOAWAY's last id): safe to
    /// repeat.
    case refused(String)
    /// The peer may have acted on it.
    case unknown(String)
}

/// A request with its completion, called exactly once.
package struct HTTP2Exchange: Sendable {
    package let request: HTTP2Request
    /// Called on the loop's thread; it must not block.
    package let completion: @Sendable (Result<HTTP2Response, HTTP2Failure>) -> Void

    package init(
        request: HTTP2Request,
        completion: @escaping @Sendable (Result<HTTP2Response, HTTP2Failure>) -> Void
    ) {
        self.request = request
        self.completion = completion
    }
}
