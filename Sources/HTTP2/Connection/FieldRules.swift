/// What RFC 9110 and RFC 9113 allow in fields, as one look into a table a byte.
struct FieldRules {
    private let allowed: [Bool]

    /// Lower-case letters, digits and the rest of a token (RFC 9110 section 5.6.2).
    static let name = FieldRules { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
    /// Visible ASCII, spaces, tabs and bytes above 127: no line break, no NUL.
    static let value = FieldRules { $0 == 9 || ($0 >= 32 && $0 != 127) }
    /// Visible ASCII.
    static let path = FieldRules { $0 > 32 && $0 < 127 }
    static let method = FieldRules { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }

    private init(_ isAllowed: (UInt8) -> Bool) {
        allowed = (UInt8.min...UInt8.max).map(isAllowed)
    }

    func allow(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            for byte in bytes where !allowed[Int(byte)] { return false }
            return true
        }
    }
}

extension HTTP2Header {
    /// Why the field must not be sent, or `nil`. The value is never part of it.
    package var problem: String? {
        if name.isEmpty || !FieldRules.name.allow(name) {
            return "the header name '\(name)' is not allowed"
        }
        return FieldRules.value.allow(value)
            ? nil : "the value of header '\(name)' has a byte that is not allowed"
    }
}

extension HTTP2Request {
    /// Why the request must not be sent, or `nil`. The path, which may be a token, is never part
    /// of it.
    package var problem: String? {
        if !path.hasPrefix("/") || !FieldRules.path.allow(path) { return "the path is not allowed" }
        if method.isEmpty || !FieldRules.method.allow(method) {
            return "the method '\(method)' is not allowed"
        }
        for header in headers {
            if let problem = header.problem { return problem }
        }
        return nil
    }
}
