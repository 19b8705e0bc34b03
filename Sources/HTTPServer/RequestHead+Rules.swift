/// What a request must not be: everything that two servers in a row could read differently.
///
/// The library accepts most of it, so it is refused here, before the handler (RFC 9112, sections
/// 3.2, 5, 6.1 and 6.3).
extension RequestHead {
    static let headersMax = 64
    static let headerBytesMax = 8 * 1024
    static let targetBytesMax = 2 * 1024

    /// Headers whose repetition has no meaning but confusion.
    private static let single = [
        "host", "content-length", "transfer-encoding", "authorization", "content-type", "expect",
    ]

    /// The length of the body, or the reason to refuse the request and close the connection.
    func framing() throws(Problem) -> Framing {
        try checkFirstLine()
        try checkHeaders()
        try checkHost()
        return try bodyLength()
    }

    private func checkFirstLine() throws(Problem) {
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw .malformed("The protocol is neither HTTP/1.1 nor HTTP/1.0.")
        }
        guard lines == .clear else {
            throw .malformed(
                """
                Send one space between the parts of the first line, CRLF after each line, no \
                folded lines, no header without a name, no NUL.
                """)
        }
        guard method.utf8.allSatisfy(\.isTokenByte) else {
            throw .malformed("The method has characters that no method may have.")
        }
        guard target.utf8.count <= Self.targetBytesMax else {
            throw Problem(
                status: 414, title: "URI too long",
                detail: "Path and query have \(target.utf8.count) bytes of \(Self.targetBytesMax).")
        }
        guard target.utf8.first == UInt8(ascii: "/") else {
            throw .malformed("The request's target must be a path that begins with a slash.")
        }
        guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") }) else {
            throw .malformed("The path has characters that must be percent-encoded.")
        }
    }

    private func checkHeaders() throws(Problem) {
        let bytes = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard headers.count <= Self.headersMax, bytes <= Self.headerBytesMax else {
            throw Problem(
                status: 431, title: "Headers too large",
                detail: """
                    \(headers.count) headers with \(bytes) bytes; at most \(Self.headersMax) with \
                    \(Self.headerBytesMax) bytes are read.
                    """)
        }
        for header in headers {
            guard !header.name.isEmpty, header.name.utf8.allSatisfy(\.isTokenByte) else {
                throw .malformed("A header's name is empty or has characters it may not have.")
            }
            guard header.value.utf8.allSatisfy(\.isFieldByte) else {
                throw .malformed("A header's value has control characters.")
            }
        }
        for name in Self.single where values(of: name).count > 1 {
            throw .malformed("The header \(name) comes more than once.")
        }
    }

    private func checkHost() throws(Problem) {
        guard let host = values(of: "host").first else {
            guard version == "HTTP/1.0" else {
                throw .malformed("HTTP/1.1 needs a Host header.")
            }
            return
        }
        guard host.utf8.allSatisfy({ !" \t,/\\@?#".utf8.contains($0) }) else {
            throw .malformed("The Host header is not one host with a port.")
        }
    }

    private func bodyLength() throws(Problem) -> Framing {
        let length = values(of: "content-length").first
        guard let coding = values(of: "transfer-encoding").first else {
            return .length(try Self.number(length ?? "0"))
        }
        guard length == nil else {
            throw .malformed("Content-Length and Transfer-Encoding exclude each other.")
        }
        guard coding.lowercased() == "chunked", version == "HTTP/1.1" else {
            throw .malformed("The only transfer coding is chunked, in HTTP/1.1.")
        }
        return .chunked
    }

    private static func number(_ text: String) throws(Problem) -> Int {
        let isDigits = text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        guard isDigits, let number = Int(text) else {
            throw .malformed("Content-Length is not a number.")
        }
        return number
    }

    private func values(of name: String) -> [String] {
        headers.filter { $0.name == name }.map(\.value)
    }
}

extension UInt8 {
    /// A character of a method or of a header's name (RFC 9110, section 5.6.2).
    fileprivate var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }

    /// A character of a header's value: no control characters but the tab.
    fileprivate var isFieldByte: Bool { self >= 0x20 && self != 0x7f || self == 0x09 }
}
