/// A request's head, written for nghttp2 field by field: a push costs no `String` and no allocation.
/// It detects what must not be sent.
package struct HTTP2RequestHead: ~Copyable {
    var block = HeaderBlock()
    /// Method, scheme, authority and path.
    private static let targetFields = 4
    /// What is wrong with the method or the path.
    private var badTarget: String?
    private let authority: String

    /// Creates heads of requests to one host.
    package init(authority: String) {
        self.authority = authority
    }

    /// Begins a new head. The path, in one piece or two, is never indexed: it may be a token.
    package mutating func begin(_ method: String, path: String, _ rest: String = "") {
        block.begin()
        badTarget = nil
        block.add(.method, method, indexing: .allowed)
        if method.isEmpty || !block.lastValue(passes: FieldRules.allowMethod) {
            badTarget = "the method '\(method)' is not allowed"
        }
        block.add(.scheme, "https", indexing: .allowed)
        block.add(.authority, authority, indexing: .allowed)
        block.add(.path, path, rest, indexing: .never)
        if path.utf8.first != UInt8(ascii: "/") || !block.lastValue(passes: FieldRules.allowPath) {
            badTarget = "the path is not allowed"
        }
    }

    /// Adds a field with a value of one or two pieces. Credentials are never indexed.
    package mutating func add(
        _ name: FieldName, _ value: String, _ rest: String = "",
        indexing: HTTP2Header.Indexing = .allowed
    ) {
        block.add(name, value, rest, indexing: name.isSecret ? .never : indexing)
    }

    /// Adds a field whose value is written in place, in full.
    package mutating func add(
        _ name: FieldName, count: Int, indexing: HTTP2Header.Indexing = .allowed,
        write: (UnsafeMutableBufferPointer<UInt8>) -> Void
    ) {
        block.add(name, count: count, indexing: name.isSecret ? .never : indexing, write: write)
    }

    /// Adds a field with an integer value.
    package mutating func add(
        _ name: FieldName, _ number: Int64, indexing: HTTP2Header.Indexing = .allowed
    ) {
        block.add(name, number, indexing: indexing)
    }

    /// Adds a field whose name is only known at run time.
    package mutating func add(_ header: HTTP2Header) {
        block.add(header)
    }

    /// Why the head must not be sent, or `nil`. It never contains paths or values, which may be
    /// secrets.
    package var problem: String? {
        if let badTarget { return badTarget }
        // Checks all bytes at once; the culprit matters only after a failure.
        guard !block.bytesPass(FieldRules.allowValue) || !block.namesAreFixed else { return nil }
        return fields.lazy.dropFirst(Self.targetFields).compactMap(\.problem).first
    }

    /// The written fields without pseudo-headers.
    package var headers: [HTTP2Header] { Array(fields.dropFirst(Self.targetFields)) }

    /// The written fields, pseudo-headers first.
    package var fields: [HTTP2Header] { block.texts }
}
