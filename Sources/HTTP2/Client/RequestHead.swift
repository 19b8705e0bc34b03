/// A request's head on its way to nghttp2, field by field. It remembers what must not be sent.
package struct RequestHead: ~Copyable {
    var block = HeaderBlock()
    /// Why the head must not be sent, or `nil`. Paths and values, which may be secrets, are never
    /// part of it.
    package private(set) var problem: String?
    private let authority: String

    /// Heads of requests to one host.
    package init(authority: String) {
        self.authority = authority
    }

    /// Starts anew. The path, in one piece or two, is never indexed: it may be a token.
    package mutating func begin(_ method: String, path: String, _ rest: String = "") {
        block.begin()
        problem = nil
        block.add(.method, method, indexing: .allowed)
        if method.isEmpty || !block.lastValue(passes: FieldRules.allowMethod) {
            problem = "the method '\(method)' is not allowed"
        }
        block.add(.scheme, "https", indexing: .allowed)
        block.add(.authority, authority, indexing: .allowed)
        block.add(.path, path, rest, indexing: .never)
        if !path.hasPrefix("/") || !block.lastValue(passes: FieldRules.allowPath) {
            problem = "the path is not allowed"
        }
    }

    /// Adds a field. Credentials are never indexed, whatever the caller says.
    package mutating func add(
        _ name: FieldName, _ value: String, indexing: HTTP2Header.Indexing = .allowed
    ) {
        block.add(name, value, indexing: name.isSecret ? .never : indexing)
        if !block.lastValue(passes: FieldRules.allowValue) { refuseValue(of: "\(name.text)") }
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
        problem = problem ?? header.problem
    }

    /// What has been written, pseudo-headers first.
    fileprivate var fields: [HTTP2Header] { block.texts }

    private mutating func refuseValue(of name: String) {
        problem = problem ?? "the value of header '\(name)' has a byte that is not allowed"
    }
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
