internal import Glibc

/// A field's name that is known when the program is compiled. It is checked once, and nghttp2
/// reads it where it lies in the program.
package struct FieldName: Sendable {
    let text: StaticString
    /// Is its value a credential?
    let isSecret: Bool

    /// A name in lower case; another one is our bug.
    package init(_ text: StaticString) {
        precondition(FieldRules.allowName("\(text)"), "'\(text)' is no name of a field")
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
    /// The one name that says that its value is a credential.
    package static let authorization = FieldName("authorization")

    func isSame(as name: UnsafeBufferPointer<UInt8>) -> Bool {
        name.count == text.utf8CodeUnitCount
            && name.baseAddress.map { memcmp($0, text.utf8Start, name.count) } == 0
    }
}
