/// A request's head on its way to nghttp2, field by field. It knows what must not be sent.
package struct RequestHead: ~Copyable {
    var block = HeaderBlock()
    /// Method, scheme, authority and path.
    private static let targetFields = 4
    /// What is wrong with method or path.
    private var badTarget: String?
    private let authority: String

    /// Heads of requests to one host.
    package init(authority: String) {
        self.authority = authority
    }

    /// Starts anew. The path, in one piece or two, is never indexed: it may be a token.
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

    /// Adds a field, whose value may come in two pieces. Credentials are never indexed, whatever
    /// the caller says.
    package mutating func add(
        _ name: FieldName, _ value: String, _ rest: String = "",
        indexing: HTTP2Header.Indexing = .allowed
    ) {
        block.add(name, value, rest, indexing: name.isSecret ? .never : indexing)
    }

    /// Adds a field whose value is written into its place, all of it.
    package mutating func add(
        _ name: FieldName, count: Int, indexing: HTTP2Header.Indexing = .allowed,
        write: (UnsafeMutableBufferPointer<UInt8>) -> Void
    ) {
        block.add(name, count: count, indexing: name.isSecret ? .never : indexing, write: write)
    }

    /// Adds a field whose value is a whole number.
    package mutating func add(
        _ name: FieldName, _ number: Int64, indexing: HTTP2Header.Indexing = .allowed
    ) {
        block.add(name, number, indexing: indexing)
    }

    /// Adds a field whose name is known only now.
    package mutating func add(_ header: HTTP2Header) {
        block.add(header)
    }

    /// Why the head must not be sent, or `nil`. Paths and values, which may be secrets, are never
    /// part of it.
    package var problem: String? {
        if let badTarget { return badTarget }
        // All bytes in one go; who it was matters only where one is refused.
        guard !block.bytesPass(FieldRules.allowValue) || !block.namesAreFixed else { return nil }
        return fields.lazy.dropFirst(Self.targetFields).compactMap(\.problem).first
    }

    /// What has been written, pseudo-headers first.
    fileprivate var fields: [HTTP2Header] { block.texts }
}

extension HTTP2Request {
    /// The request that a head begins, in values of its own.
    package init(_ head: borrowing RequestHead, body: [UInt8]) {
        let fields = head.fields
        let value = { name in fields.first { $0.name == name }?.value ?? "" }
        self.init(
            method: value(":method"), path: value(":path"),
            headers: fields.filter { !$0.name.hasPrefix(":") }, body: body)
    }
}
