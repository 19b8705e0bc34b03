internal import Glibc

/// A field name known at compile time. It is checked once, and nghttp2 reads it from the program's
/// static data.
package struct FieldName: Sendable {
    let text: StaticString
    /// Whether the value is a credential.
    let isSecret: Bool

    /// Creates a name, which must be in lower case.
    package init(_ text: StaticString) {
        precondition(FieldRules.allowName("\(text)"), "'\(text)' is not a field name")
        self.text = text
        isSecret = "\(text)" == "authorization"
    }

    private init(pseudo text: StaticString) {
        self.text = text
        isSecret = false
    }

    static let method = FieldName(pseudo: ":method")
    static let scheme = FieldName(pseudo: ":scheme")
    static let authority = FieldName(pseudo: ":authority")
    static let path = FieldName(pseudo: ":path")
    static let status = FieldName(pseudo: ":status")
    /// The only name whose value is a credential.
    package static let authorization = FieldName("authorization")

    func isSame(as name: UnsafeBufferPointer<UInt8>) -> Bool {
        name.count == text.utf8CodeUnitCount
            && name.baseAddress.map { memcmp($0, text.utf8Start, name.count) } == 0
    }
}
