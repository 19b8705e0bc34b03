/// What RFC 9110 and RFC 9113 allow in fields.
enum FieldRules {
    /// Lower-case letters, digits and the rest of a token (RFC 9110 section 5.6.2), at least one.
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

    /// Visible ASCII, spaces, tabs and bytes above 127: no line break, no NUL.
    static func allowValue(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        none(of: bytes) { ($0 < 32 && $0 != 9) || $0 == 127 }
    }

    /// Visible ASCII.
    static func allowPath(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        none(of: bytes) { $0 <= 32 || $0 >= 127 }
    }

    static func allowMethod(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        none(of: bytes) { $0 < UInt8(ascii: "A") || $0 > UInt8(ascii: "Z") }
    }

    static func allowValue(_ text: String) -> Bool {
        var text = text
        return text.withUTF8(allowValue)
    }

    static func allowPath(_ text: String) -> Bool {
        var text = text
        return text.withUTF8(allowPath)
    }

    static func allowMethod(_ text: String) -> Bool {
        var text = text
        return text.withUTF8(allowMethod)
    }

    /// Looks at all of them without a branch, so that the compiler takes many bytes at a time.
    @inline(__always)
    private static func none(
        of bytes: UnsafeBufferPointer<UInt8>, _ isBad: (UInt8) -> Bool
    ) -> Bool {
        var bad: UInt8 = 0
        for byte in bytes { bad |= isBad(byte) ? 1 : 0 }
        return bad == 0
    }
}

extension HTTP2Header {
    /// Why the field must not be sent, or `nil`. The value is never part of it.
    package var problem: String? {
        if !FieldRules.allowName(name) { return "the header name '\(name)' is not allowed" }
        return FieldRules.allowValue(value)
            ? nil : "the value of header '\(name)' has a byte that is not allowed"
    }
}

extension HTTP2Request {
    /// Why the request must not be sent, or `nil`. The path, which may be a token, is never part
    /// of it.
    package var problem: String? {
        if !path.hasPrefix("/") || !FieldRules.allowPath(path) { return "the path is not allowed" }
        if method.isEmpty || !FieldRules.allowMethod(method) {
            return "the method '\(method)' is not allowed"
        }
        for header in headers {
            if let problem = header.problem { return problem }
        }
        return nil
    }
}
