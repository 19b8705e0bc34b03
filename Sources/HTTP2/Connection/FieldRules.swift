/// The rules of RFC 9110 and RFC 9113 for fields.
enum FieldRules {
    /// Allows lower-case letters, digits and the rest of a token (RFC 9110 section 5.6.2), at least
    /// one.
    static func allowName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// Allows visible ASCII, spaces, tabs and bytes above 127: no line break, no NUL.
    static func allowValue(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // Tabs are rare, so they are checked only after the fast rule fails.
        EightBytes.all(of: bytes) { $0.within(32, 126) | $0.aboveASCII }
            || EightBytes.all(of: bytes) { $0.within(32, 126) | $0.within(9, 9) | $0.aboveASCII }
    }

    /// Allows visible ASCII.
    static func allowPath(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        EightBytes.all(of: bytes) { $0.within(33, 126) }
    }

    static func allowMethod(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        EightBytes.all(of: bytes) { $0.within(UInt8(ascii: "A"), UInt8(ascii: "Z")) }
    }
}

extension String {
    /// Returns whether the text's bytes pass one of the rules.
    func passes(_ rule: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        var text = self
        return text.withUTF8(rule)
    }
}

extension HTTP2Header {
    /// Why the field must not be sent, or `nil`. It never contains the value.
    package var problem: String? {
        if !FieldRules.allowName(name) { return "the header name '\(name)' is not allowed" }
        return value.passes(FieldRules.allowValue)
            ? nil : "the value of header '\(name)' has a byte that is not allowed"
    }
}
