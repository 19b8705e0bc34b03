/// Rejects everything that two servers in a chain could interpret differently.
///
/// The library accepts most of it, so it is rejected here, before the handler (RFC 9112, sections
/// 3.2, 5, 6.1 and 6.3).
extension RequestHead {
    static let headerBytesMax = 8 * 1024
    package static let targetBytesMax = 2 * 1024

    /// Returns the length of the body, or throws the reason to refuse the request and close the
    /// connection.
    package func framing() throws(Problem) -> Framing {
        try checkFirstLine()
        try checkHeaders()
        try checkHost()
        return try bodyLength()
    }

    private func checkFirstLine() throws(Problem) {
        guard version.equals("HTTP/1.1") || version.equals("HTTP/1.0") else {
            throw .malformed("The protocol is neither HTTP/1.1 nor HTTP/1.0.")
        }
        guard lines == .clear else {
            throw .malformed(
                """
                Send one space between the parts of the first line, CRLF after each line, no \
                folded lines, no header without a name, no NUL.
                """)
        }
        guard methodWord.allSatisfy({ $0.isTokenByte }) else {
            throw .malformed("The method contains invalid characters.")
        }
        guard target.count <= Self.targetBytesMax else {
            throw Problem(
                status: 414, title: "URI too long",
                detail:
                    "Path and query have \(target.count) bytes; the limit is \(Self.targetBytesMax)."
            )
        }
        guard target.first == UInt8(ascii: "/") else {
            throw .malformed("The request's target must be a path that begins with a slash.")
        }
        guard target.allSatisfy({ $0.isTargetByte }) else {
            throw .malformed("The path contains characters that must be percent-encoded.")
        }
    }

    private func checkHeaders() throws(Problem) {
        guard fields.count <= HeadFields.countMax, fields.byteCount <= Self.headerBytesMax else {
            throw Problem(
                status: 431, title: "Headers too large",
                detail: """
                    \(fields.count) headers with \(fields.byteCount) bytes; the limit is \
                    \(HeadFields.countMax) with \(Self.headerBytesMax) bytes.
                    """)
        }
        switch headerFlaw {
        case .name:
            throw .malformed("A header's name is empty or contains invalid characters.")
        case .value:
            throw .malformed("A header's value contains control characters.")
        case nil:
            break
        }
        if let header = singles.firstRepeated {
            throw .malformed("The header \(header.name) occurs more than once.")
        }
    }

    private func checkHost() throws(Problem) {
        guard let host = value(of: .host) else {
            guard version.equals("HTTP/1.0") else {
                throw .malformed("HTTP/1.1 needs a Host header.")
            }
            return
        }
        guard host.allSatisfy({ $0.isHostByte }) else {
            throw .malformed("The Host header is not one host with a port.")
        }
    }

    private func bodyLength() throws(Problem) -> Framing {
        let length = value(of: .contentLength)
        guard let coding = value(of: .transferEncoding) else {
            guard let length else { return .length(0) }
            guard let number = length.decimal else {
                throw .malformed("Content-Length is not a number.")
            }
            return .length(number)
        }
        guard length == nil else {
            throw .malformed("Content-Length and Transfer-Encoding are mutually exclusive.")
        }
        guard coding.equals(anyCaseOf: "chunked"), version.equals("HTTP/1.1") else {
            throw .malformed("The only supported transfer coding is chunked, in HTTP/1.1.")
        }
        return .chunked
    }
}
