internal import Glibc

/// A request's first line and headers in place, before validation.
///
/// It copies and allocates nothing. Its bytes belong to the library and the connection, so a head
/// and its parts are valid only until the call returns. `Request` is a copy to keep.
package struct RequestHead: ~Copyable {
    /// The length of the body.
    package enum Framing: Hashable, Sendable {
        case length(Int)
        case chunked
    }

    /// Whether the head has only one interpretation.
    enum Lines: Sendable {
        case clear
        case ambiguous
    }

    /// What is wrong with the first invalid header.
    enum HeaderFlaw: Sendable {
        case name
        case value
    }

    /// "GET". Its first byte is the head's first.
    let methodWord: UnsafeRawBufferPointer
    /// The undecoded path and query: a copy, because the library splits the query in place.
    let target: UnsafeRawBufferPointer
    /// Who sent it.
    package var client = ClientAddress.loopback
    package var sender = RequestOrigin.client
    /// "HTTP/1.1"
    let version: UnsafeRawBufferPointer
    private let pathCount: Int
    var fields = HeadFields()
    var singles = SingleHeaders()
    var lines = Lines.clear
    var headerFlaw: HeaderFlaw?
    /// The end of the last part.
    var end: UInt = 0

    /// Creates a head from the first line. `path` is where the library has the original of
    /// `target`.
    package init(
        method: UnsafeRawBufferPointer, path: UnsafeRawPointer, target: UnsafeRawBufferPointer,
        version: UnsafeRawBufferPointer
    ) {
        methodWord = method
        self.target = target
        self.version = version
        pathCount = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
        end = UInt(bitPattern: method.baseAddress)
        passed(method, separator: 0)
        passed(UnsafeRawBufferPointer(start: path, count: target.count), separator: 1)
        passed(version, separator: 1)
    }
}

// MARK: - Lookups for handlers

extension RequestHead {
    /// The result of a header lookup.
    package enum Value {
        case absent
        /// The value without surrounding blanks.
        case one(UnsafeRawBufferPointer)
        /// The header is repeated: `Request.headers` joins the values.
        case several
    }

    /// The method; nil if no route can have it. HEAD counts as GET; the library omits the body.
    package var method: Method? { Method(word: methodWord) }

    /// The percent-encoded path, without the query.
    package var path: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: target[..<pathCount])
    }

    /// The query without the "?"; empty if there is none.
    package var query: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: target[min(pathCount + 1, target.count)...])
    }

    /// Returns the header with this lower-case name.
    package func header(_ name: StaticString) -> Value {
        var found = Value.absent
        let count = name.utf8CodeUnitCount
        fields.forEach(nameCount: count) { field in
            guard self.name(of: field).equals(anyCaseOf: name) else { return }
            if case .absent = found { found = .one(value(of: field)) } else { found = .several }
        }
        return found
    }

    func name(of field: HeadField) -> UnsafeRawBufferPointer {
        bytes(Int(field.nameStart), Int(field.nameCount))
    }

    func value(of field: HeadField) -> UnsafeRawBufferPointer {
        bytes(Int(field.valueStart), Int(field.valueCount))
    }

    func value(of header: SingleHeader) -> UnsafeRawBufferPointer? {
        singles.index(of: header).map { value(of: fields[$0]) }
    }

    private func bytes(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: methodWord.baseAddress.map { $0 + start }, count: count)
    }

    /// Whether path and query are valid percent-encoded text. Text without escapes always is,
    /// because `framing()` has allowed only ASCII.
    var isWellEncoded: Bool {
        guard target.contains(UInt8(ascii: "%")) else { return true }
        return PercentEncoding.decode(path) != nil
            && QueryFields(query).allSatisfy {
                PercentEncoding.decode($0.value, plus: .space) != nil
            }
    }
}

/// Adds a head's parts as the library reports them, checks each in one pass, and measures the gaps
/// between them.
///
/// The library parses in place and is lenient: it accepts a bare line feed as a line's end, stops a
/// value at a NUL, drops headers without a name and joins folded lines. Its reports hide all of
/// that, but the positions of the parts reveal it: in a correct request the parts of the first line
/// are one byte apart, the headers two, and four follow.
extension RequestHead {
    /// Heads are smaller than the library's pool; anything farther away is not part of the head.
    private static let bytesMax: UInt = 1 << 20

    /// Checks a part of the head that must lie `separator` bytes after the previous one.
    mutating func passed(_ part: UnsafeRawBufferPointer, separator: UInt) {
        let start = UInt(bitPattern: part.baseAddress)
        if start != end &+ separator { lines = .ambiguous }
        end = start &+ UInt(part.count)
    }

    /// Adds the next header in the library's memory.
    package mutating func header(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        passed(name, separator: 2)
        end = UInt(bitPattern: value.baseAddress) &+ UInt(value.count)
        let trimmed = value.trimmedEnd
        let start = UInt(bitPattern: methodWord.baseAddress)
        let nameStart = UInt(bitPattern: name.baseAddress) &- start
        let valueStart = UInt(bitPattern: value.baseAddress) &- start
        guard nameStart < Self.bytesMax, valueStart < Self.bytesMax,
            name.count < Self.bytesMax, value.count < Self.bytesMax
        else {
            lines = .ambiguous
            return
        }
        let field = HeadField(
            nameStart: UInt32(nameStart), nameCount: UInt32(name.count),
            valueStart: UInt32(valueStart), valueCount: UInt32(trimmed.count))
        guard let index = fields.append(field) else { return }
        if let header = SingleHeader(name: name) { singles.found(header, at: index) }
        if headerFlaw == nil { headerFlaw = Self.flaw(in: name, trimmed) }
    }

    /// Records the size of the complete head.
    package mutating func ended(after size: Int) {
        let last = UInt(bitPattern: methodWord.baseAddress) &+ UInt(bitPattern: size)
        if last != end &+ 4 { lines = .ambiguous }
    }

    private static func flaw(
        in name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) -> HeaderFlaw? {
        guard !name.isEmpty, name.allSatisfy({ $0.isTokenByte }) else { return .name }
        // No early exit, so that many bytes are checked at once.
        var isWrong = false
        for byte in value { isWrong = isWrong || !byte.isFieldByte }
        return isWrong ? .value : nil
    }
}
