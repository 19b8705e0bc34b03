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
        all(bytes, unless: { hasLess(than: 32, $0) || hasLess(than: 1, $0 ^ (127 &* Self.ones)) }) {
            $0 == 9 || ($0 >= 32 && $0 != 127)
        }
    }

    /// Visible ASCII.
    static func allowPath(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        all(bytes, unless: { hasLess(than: 33, $0) || hasMore(than: 126, $0) }) {
            $0 > 32 && $0 < 127
        }
    }

    static func allowMethod(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.allSatisfy { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }
    }

    /// Looks at eight bytes together and only where they are suspicious at each, because these
    /// rules look at every byte of a head.
    @inline(__always)
    private static func all(
        _ bytes: UnsafeBufferPointer<UInt8>, unless isSuspicious: (UInt64) -> Bool,
        _ isAllowed: (UInt8) -> Bool
    ) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        var offset = 0
        while raw.count - offset >= 8 {
            let eight = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard !isSuspicious(eight) || raw[offset..<offset + 8].allSatisfy(isAllowed) else {
                return false
            }
            offset += 8
        }
        return raw[offset...].allSatisfy(isAllowed)
    }

    /// Is one of eight bytes less than a limit, which is at most 128?
    @inline(__always)
    private static func hasLess(than limit: UInt64, _ eight: UInt64) -> Bool {
        (eight &- limit &* ones) & ~eight & (128 &* ones) != 0
    }

    /// Is one of eight bytes more than a limit, which is at most 127?
    @inline(__always)
    private static func hasMore(than limit: UInt64, _ eight: UInt64) -> Bool {
        ((eight &+ (127 - limit) &* ones) | eight) & (128 &* ones) != 0
    }

    /// 1 in each of eight bytes.
    private static let ones: UInt64 = 0x0101_0101_0101_0101
}

extension String {
    /// Do the text's bytes pass one of the rules?
    func passes(_ rule: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        var text = self
        return text.withUTF8(rule)
    }
}

extension HTTP2Header {
    /// Why the field must not be sent, or `nil`. The value is never part of it.
    package var problem: String? {
        if !FieldRules.allowName(name) { return "the header name '\(name)' is not allowed" }
        return value.passes(FieldRules.allowValue)
            ? nil : "the value of header '\(name)' has a byte that is not allowed"
    }
}

extension HTTP2Request {
    /// Why the request must not be sent, or `nil`. The path, which may be a token, is never part
    /// of it.
    package var problem: String? {
        if !path.hasPrefix("/") || !path.passes(FieldRules.allowPath) {
            return "the path is not allowed"
        }
        if method.isEmpty || !method.passes(FieldRules.allowMethod) {
            return "the method '\(method)' is not allowed"
        }
        for header in headers {
            if let problem = header.problem { return problem }
        }
        return nil
    }
}
