/// Takes a head's parts as the library reports them, checks each in one pass, and measures the
/// gaps between them.
///
/// The library parses in place and is lenient: it takes a bare line feed for a line's end, stops
/// a value at a NUL, drops headers without a name and joins folded lines. None of that can be
/// seen in what it reports, but all of it in where the parts lie: in a request without such
/// tricks the parts of the first line are one byte apart, the headers two, and four follow.
extension RequestHead {
    /// Heads are smaller than the library's pool; whatever lies further away is no part of it.
    private static let bytesMax: UInt = 1 << 20

    /// A part of the head that must lie `separator` bytes behind the one before.
    mutating func passed(_ part: UnsafeRawBufferPointer, separator: UInt) {
        let start = UInt(bitPattern: part.baseAddress)
        if start != end &+ separator { lines = .ambiguous }
        end = start &+ UInt(part.count)
    }

    /// The next header, where the library has it.
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

    /// The whole head had this many bytes.
    package mutating func ended(after size: Int) {
        let last = UInt(bitPattern: methodWord.baseAddress) &+ UInt(bitPattern: size)
        if last != end &+ 4 { lines = .ambiguous }
    }

    private static func flaw(
        in name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) -> HeaderFlaw? {
        guard !name.isEmpty, name.allSatisfy({ $0.isTokenByte }) else { return .name }
        // Without an early end, so that many bytes are looked at at once.
        var isWrong = false
        for byte in value { isWrong = isWrong || !byte.isFieldByte }
        return isWrong ? .value : nil
    }
}
