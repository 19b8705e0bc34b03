import HTTPServer

/// A head taken apart as leniently as libmicrohttpd does it: the worst that the checks may meet.
///
/// Each part is a range of `bytes`, so that the gaps between them are as they would be there.
struct LenientHead {
    var bytes: [UInt8]
    private(set) var method = 0..<0
    private(set) var target = 0..<0
    private(set) var version = 0..<0
    private(set) var headers: [(name: Range<Int>, value: Range<Int>)] = []
    private(set) var size = 0

    /// Nil where the library would not call a handler: no whole head, or a line without a colon.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        var start = bytes.firstIndex { $0 != 0x0d && $0 != 0x0a } ?? bytes.count
        guard let first = line(from: start), readFirst(first.line) else { return nil }
        start = first.next
        while let (line, next) = line(from: start) {
            start = next
            guard !line.isEmpty else {
                size = next - method.lowerBound
                return
            }
            guard readHeader(line) else { return nil }
        }
        return nil
    }

    /// Ends at a line feed, with or without a carriage return before it.
    private func line(from start: Int) -> (line: Range<Int>, next: Int)? {
        guard let feed = bytes[start...].firstIndex(of: 0x0a) else { return nil }
        let end = feed > start && bytes[feed - 1] == 0x0d ? feed - 1 : feed
        return (start..<end, feed + 1)
    }

    private mutating func readFirst(_ line: Range<Int>) -> Bool {
        let blank = UInt8(ascii: " ")
        guard let space = bytes[line].firstIndex(of: blank) else { return false }
        guard let begin = bytes[space..<line.upperBound].firstIndex(where: { $0 != blank }),
            let last = bytes[begin..<line.upperBound].lastIndex(where: { $0 != blank }),
            let between = bytes[begin..<last].lastIndex(of: blank)
        else { return false }
        method = upToNUL(line.lowerBound..<space)
        target = upToNUL(begin..<between)
        version = upToNUL(between + 1..<line.upperBound)
        return true
    }

    private mutating func readHeader(_ line: Range<Int>) -> Bool {
        guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")) else {
            // A folded line belongs to the header before, and leaves a gap.
            return bytes[line.lowerBound] == UInt8(ascii: " ")
        }
        let value = bytes[(colon + 1)..<line.upperBound]
        let start = value.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? line.upperBound
        // Nameless ones are dropped.
        guard colon > line.lowerBound else { return true }
        headers.append((line.lowerBound..<colon, upToNUL(start..<line.upperBound)))
        return true
    }

    private func upToNUL(_ range: Range<Int>) -> Range<Int> {
        range.lowerBound..<(bytes[range].firstIndex(of: 0) ?? range.upperBound)
    }

    /// Shows the head to the checks that are made in place.
    func inPlace<Result>(_ body: (borrowing RequestHead) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { bytes in
            func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
                UnsafeRawBufferPointer(rebasing: bytes[range])
            }
            guard let start = bytes.baseAddress else { preconditionFailure("a head of no bytes") }
            var head = RequestHead(
                method: part(method), path: start + target.lowerBound, target: part(target),
                version: part(version))
            for header in headers { head.header(part(header.name), part(header.value)) }
            head.ended(after: size)
            return try body(head)
        }
    }
}
