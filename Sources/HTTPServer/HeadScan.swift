/// Copies a request's head out of the library's memory, and measures the gaps on the way.
///
/// The library parses in place and is lenient: it takes a bare line feed for a line's end, stops
/// a value at a NUL, drops headers without a name and joins folded lines. None of that can be
/// seen in what it reports, but all of it in where the parts lie: in a request without such
/// tricks the parts of the first line are one byte apart, the headers two, and four follow.
final class HeadScan {
    private(set) var head: RequestHead
    /// Where the part that was seen last ends.
    private var end: UInt?

    init(_ head: RequestHead) { self.head = head }

    /// A part of the head that must lie `separator` bytes behind the one before.
    func passed(_ part: UnsafePointer<CChar>, _ size: Int, separator: UInt) {
        let start = UInt(bitPattern: part)
        if let end, start != end &+ separator { head.lines = .ambiguous }
        end = start &+ UInt(bitPattern: size)
    }

    func header(
        _ name: UnsafePointer<CChar>, _ nameSize: Int,
        _ value: UnsafePointer<CChar>, _ valueSize: Int
    ) {
        passed(name, nameSize, separator: 2)
        end = UInt(bitPattern: value) &+ UInt(bitPattern: valueSize)
        let text = Self.text(value, valueSize)
        head.headers.append(
            RequestHead.Header(
                name: Self.text(name, nameSize).lowercased(), value: text.trimmed))
    }

    /// The whole head had this many bytes.
    func ended(after size: Int, from start: UnsafePointer<CChar>) {
        let last = UInt(bitPattern: start) &+ UInt(bitPattern: size)
        if let end, last != end &+ 4 { head.lines = .ambiguous }
    }

    /// Bytes as text; broken UTF-8 is replaced, and a replaced text equals nothing of ours.
    private static func text(_ bytes: UnsafePointer<CChar>, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}

extension String {
    /// Without the blanks that may surround a header's value.
    fileprivate var trimmed: String {
        guard utf8.last == UInt8(ascii: " ") || utf8.last == UInt8(ascii: "\t") else { return self }
        let end = utf8.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        return end.map { String(self[...$0]) } ?? ""
    }
}
