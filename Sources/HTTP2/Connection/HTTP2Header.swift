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
