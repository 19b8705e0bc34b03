internal import HTTPServer

/// The status and the headers of a response, as their lines arrive. What precedes them, a 100, and
/// what follows the body counts for nothing.
struct ResponseHead {
    enum Progress {
        case readOn
        /// This line was the last one.
        case complete
        case malformed
    }

    private(set) var status = 0
    private(set) var headers: [Response.Header] = []
    private(set) var isComplete = false
    private(set) var byteCount = 0

    static let bytesMax = 64 * 1024

    /// Adds a line, with its end.
    mutating func add(_ line: UnsafeRawBufferPointer) -> Progress {
        byteCount += line.count
        guard byteCount <= Self.bytesMax else { return .malformed }
        guard !isComplete else { return .readOn }
        let text = String(decoding: line, as: UTF8.self).trimmed
        if text.hasPrefix("HTTP/") {
            let words = text.split(separator: " ", maxSplits: 2)
            guard words.count > 1, let status = Int(words[1]) else { return .malformed }
            (self.status, headers) = (status, [])
            return .readOn
        }
        guard !text.isEmpty else {
            // 100 and the like announce another response.
            isComplete = status >= 200
            return isComplete ? .complete : .readOn
        }
        guard let colon = text.firstIndex(of: ":") else { return .malformed }
        headers.append(
            Response.Header(
                String(text[..<colon]), String(text[text.index(after: colon)...]).trimmed))
        return .readOn
    }

    /// The value of the first header with this lower-case name.
    func value(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }

    /// Whether the body is made while it is sent: only streams are without a length.
    var isStream: Bool {
        status == 200 && value("transfer-encoding")?.lowercased() == "chunked"
    }

    var isRefusal: Bool { status == 401 && value(NodeHeaders.refused) != nil }

    /// The headers for the client.
    var passedOn: [Response.Header] {
        let connection = value("connection")
        return headers.filter {
            !NodeHeaders.isSingle($0.name.lowercased(), connection: connection)
        }
    }

    /// The whole response.
    func response(_ body: [UInt8]) -> Response {
        if status == 304 {
            let count = value("content-length").flatMap { Int($0) } ?? 0
            return .notModified(headers: passedOn, bodyByteCount: max(0, count))
        }
        return Response(status: status, headers: passedOn, body: body)
    }
}

extension String {
    /// The text without blanks and line ends around it.
    fileprivate var trimmed: String {
        var bytes = utf8[...]
        while let byte = bytes.first, [9, 10, 13, 32].contains(byte) { bytes.removeFirst() }
        while let byte = bytes.last, [9, 10, 13, 32].contains(byte) { bytes.removeLast() }
        return String(Substring(bytes))
    }
}
