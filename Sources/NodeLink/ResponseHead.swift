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
        let line = line[...].trimmed
        guard !line.isEmpty else {
            // 100 and the like announce another response.
            isComplete = status >= 200
            return isComplete ? .complete : .readOn
        }
        if line.starts(with: "HTTP/".utf8) { return begin(line) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return .malformed }
        headers.append(
            Response.Header(
                String(decoding: line[..<colon], as: UTF8.self),
                String(decoding: line[(colon + 1)...].trimmed, as: UTF8.self)))
        return .readOn
    }

    /// Takes the line with the status.
    private mutating func begin(_ line: Slice<UnsafeRawBufferPointer>) -> Progress {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count > 1, let status = Int(String(decoding: words[1], as: UTF8.self)) else {
            return .malformed
        }
        (self.status, headers) = (status, [])
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

extension Slice<UnsafeRawBufferPointer> {
    /// The bytes without blanks and line ends around them.
    fileprivate var trimmed: Self {
        var bytes = self
        while let byte = bytes.first, byte.isBlank { bytes.removeFirst() }
        while let byte = bytes.last, byte.isBlank { bytes.removeLast() }
        return bytes
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 9 || self == 10 || self == 13 || self == 32 }
}
