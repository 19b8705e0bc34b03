import HTTPServer

/// The rules for heads once more, simple and slow, on texts: what the checks in place must find.
struct ReferenceHead {
    private let method: String
    private let target: String
    private let version: String
    private let headers: [(name: String, value: String)]
    private let isClear: Bool

    init(_ head: LenientHead) {
        func text(_ range: Range<Int>) -> String {
            // One character a byte: broken UTF-8 needs no rule of its own.
            String(String.UnicodeScalarView(head.bytes[range].map { Unicode.Scalar($0) }))
        }
        method = text(head.method)
        target = text(head.target)
        version = text(head.version)
        headers = head.headers.map { name, value in
            let kept = text(value).unicodeScalars.reversed().drop { $0 == " " || $0 == "\t" }
            return (lower(text(name)), String(String.UnicodeScalarView(kept.reversed())))
        }
        let starts =
            [head.target.lowerBound - 1, head.version.lowerBound - 1]
            + head.headers.map { $0.name.lowerBound - 2 }
            + [head.method.lowerBound + head.size - 4]
        let ends =
            [head.method.upperBound, head.target.upperBound, head.version.upperBound]
            + head.headers.map(\.value.upperBound)
        isClear = starts == ends
    }

    /// "length 5", "chunked", or the status and the reason of the refusal.
    var verdict: String {
        if version != "HTTP/1.1", version != "HTTP/1.0" { return "400 protocol" }
        if !isClear { return "400 lines" }
        if !method.unicodeScalars.allSatisfy(isToken) { return "400 method" }
        if target.unicodeScalars.count > 2048 { return "414" }
        if target.unicodeScalars.first != "/" { return "400 slash" }
        if !target.unicodeScalars.allSatisfy({ ("!"..."~").contains($0) && $0 != "#" }) {
            return "400 path"
        }
        let bytes = headers.reduce(0) {
            $0 + $1.name.unicodeScalars.count + $1.value.unicodeScalars.count + 4
        }
        if headers.count > 64 || bytes > 8192 { return "431" }
        for (name, value) in headers {
            if name.isEmpty || !name.unicodeScalars.allSatisfy(isToken) { return "400 name" }
            let isText = value.unicodeScalars.allSatisfy {
                $0 == "\t" || $0.value >= 0x20 && $0.value != 0x7f
            }
            if !isText { return "400 value" }
        }
        for name in Self.single where values(name).count > 1 { return "400 repeated \(name)" }
        guard let host = values("host").first else {
            return version == "HTTP/1.0" ? framing : "400 no host"
        }
        let isHost = host.unicodeScalars.allSatisfy { !" \t,/\\@?#".unicodeScalars.contains($0) }
        return isHost ? framing : "400 host"
    }

    private var framing: String {
        let length = values("content-length").first
        guard let coding = values("transfer-encoding").first else {
            let text = length ?? "0"
            let isNumber = text.unicodeScalars.allSatisfy { ("0"..."9").contains($0) }
            guard isNumber, let number = Int(text) else { return "400 length" }
            return "length \(number)"
        }
        if length != nil { return "400 both" }
        return lower(coding) == "chunked" && version == "HTTP/1.1" ? "chunked" : "400 coding"
    }

    private static let single = [
        "host", "content-length", "transfer-encoding", "authorization", "content-type", "expect",
    ]

    private func values(_ name: String) -> [String] {
        headers.filter { $0.name == name }.map(\.value)
    }

    // MARK: What a handler gets

    /// "GET /path a=1 b=", or the status of the refusal: what the request's copy must say.
    var request: String {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var query: [String: String] = [:]
        for field in parts.count == 2 ? parts[1].split(separator: "&") : [] {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let raw = pair.count == 2 ? String(pair[1]).replacing("+", with: " ") : ""
            guard let value = decode(String(raw)) else { return "400" }
            if query[String(pair[0])] == nil { query[String(pair[0])] = value }
        }
        guard decode(String(parts[0])) != nil else { return "400" }
        let word = method == "HEAD" ? "GET" : method
        guard ["GET", "POST", "PUT", "DELETE"].contains(word) else { return "501" }
        return ([word, String(parts[0])] + query.map { "\($0)=\($1)" }.sorted())
            .joined(separator: " ")
    }
}

private func lower(_ text: String) -> String {
    String(
        String.UnicodeScalarView(
            text.unicodeScalars.map {
                ("A"..."Z").contains($0) ? Unicode.Scalar($0.value + 32) ?? $0 : $0
            }))
}

private func isToken(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "a"..."z", "A"..."Z": true
    default: "!#$%&'*+-.^_`|~".unicodeScalars.contains(scalar)
    }
}

/// `%HH` decoded; nil where that is broken, NUL or not UTF-8.
private func decode(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
            let value = UInt8(digits, radix: 16), value != 0
        else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
}
