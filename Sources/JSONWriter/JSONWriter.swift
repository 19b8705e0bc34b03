/// A JSON writer (RFC 8259) that writes directly to bytes, without Foundation, for hot paths.
///
/// It writes the commas; the caller must balance every `begin…` with its `end…`. Keys keep the
/// order in which they are written.
///
/// ```swift
/// var json = JSONWriter()
/// json.beginObject()
/// json.field("name", "Power Panda")
/// json.endObject()
/// json.bytes  // {"name":"Power Panda"}
/// ```
///
/// Public, so that it is inlined into other modules.
public struct JSONWriter: Sendable {
    /// The JSON written so far, in UTF-8.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Creates an empty writer with a capacity in bytes.
    public init(reserving capacity: Int = 256) {
        // Reserving a capacity of 0 would allocate too.
        if capacity > 0 { bytes.reserveCapacity(capacity) }
    }

    // MARK: Structure

    /// Writes `{`.
    public mutating func beginObject() { open(UInt8(ascii: "{")) }
    /// Writes `}`.
    public mutating func endObject() { close(UInt8(ascii: "}")) }
    /// Writes `[`.
    public mutating func beginArray() { open(UInt8(ascii: "[")) }
    /// Writes `]`.
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes an object's key with any content; its value must follow.
    public mutating func key(named name: String) {
        quote(name, as: .key)
        needsComma = false
    }

    /// Writes an object's key that is known at compile time and needs no escapes.
    public mutating func key(_ name: StaticString) {
        assert(!"\(name)".utf8.contains(where: Self.mustEscape), "\(name) needs escapes")
        let needsComma = needsComma
        bytes.append(addingCapacity: name.utf8CodeUnitCount + 4) { room in
            if needsComma { room.append(UInt8(ascii: ",")) }
            room.append(UInt8(ascii: "\""))
            Self.append(
                UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), to: &room
            )
            room.append(UInt8(ascii: "\""))
            room.append(UInt8(ascii: ":"))
        }
        self.needsComma = false
    }

    // MARK: Values

    /// Writes a text, escaped where necessary.
    public mutating func value(_ text: String) {
        quote(text, as: .value)
    }

    /// Writes an integer.
    public mutating func value(_ number: Int64) {
        separate()
        append(number)
    }

    /// Writes an integer of any size.
    @inlinable
    public mutating func value(_ number: some BinaryInteger) {
        if let number = Int64(exactly: number) {
            value(number)
        } else {
            raw(Array(number.description.utf8))
        }
    }

    /// Writes the shortest digits that read back as the same number.
    ///
    /// The number must be finite, because JSON has no infinities and no NaN.
    public mutating func value(_ number: Double) {
        precondition(number.isFinite, "JSON cannot hold \(number)")
        separate()
        if let thousandths = Self.thousandths(number) {
            append(thousandths: thousandths)
        } else {
            bytes.append(contentsOf: number.description.utf8)
        }
    }

    /// Writes `true` or `false`.
    public mutating func value(_ truth: Bool) {
        separate()
        bytes.append(contentsOf: (truth ? "true" : "false").utf8)
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes bytes that are already one JSON value.
    public mutating func raw(_ json: [UInt8]) { raw(json[...]) }

    /// Writes bytes that are already one JSON value, or several with commas between them.
    public mutating func raw(_ json: ArraySlice<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    // MARK: Fields

    /// Writes a field whose name is known at compile time and needs no escapes.
    public mutating func field(_ name: StaticString, _ text: String) {
        key(name)
        value(text)
    }

    /// Writes a field with an integer.
    public mutating func field(_ name: StaticString, _ number: Int64) {
        key(name)
        value(number)
    }

    /// Writes a field with an integer of any size.
    @inlinable
    public mutating func field(_ name: StaticString, _ number: some BinaryInteger) {
        key(name)
        value(number)
    }

    /// Writes a field with a finite number.
    public mutating func field(_ name: StaticString, _ number: Double) {
        key(name)
        value(number)
    }

    /// Writes a field with `true` or `false`.
    public mutating func field(_ name: StaticString, _ truth: Bool) {
        key(name)
        value(truth)
    }

    /// Writes a field with an object; `body` writes its fields.
    @inlinable
    public mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        key(name)
        beginObject()
        body(&self)
        endObject()
    }

    /// Writes a field with an array; `body` writes each element as one value.
    @inlinable
    public mutating func array<Element>(
        _ name: StaticString, _ elements: some Sequence<Element>,
        _ body: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        beginArray()
        for element in elements { body(&self, element) }
        endArray()
    }

    // MARK: Bytes

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private enum Role {
        case key, value
    }

    private mutating func quote(_ text: String, as role: Role) {
        // Nearly all texts are contiguous and are read without reference counting.
        if text.utf8.withContiguousStorageIfAvailable({ quote($0, as: role) }) == nil {
            var text = text
            text.withUTF8 { quote($0, as: role) }
        }
        needsComma = true
    }

    /// Writes the text with one capacity check, because most output is keys and texts.
    private mutating func quote(_ text: UnsafeBufferPointer<UInt8>, as role: Role) {
        let needsComma = needsComma
        guard Self.isPlain(text) else { return quoteEscaping(text, as: role) }
        bytes.append(addingCapacity: text.count + 4) { room in
            if needsComma { room.append(UInt8(ascii: ",")) }
            room.append(UInt8(ascii: "\""))
            Self.append(text, to: &room)
            room.append(UInt8(ascii: "\""))
            if role == .key { room.append(UInt8(ascii: ":")) }
        }
    }

    private static func append(
        _ text: UnsafeBufferPointer<UInt8>, to room: inout OutputSpan<UInt8>
    ) {
        room.withUnsafeMutableBufferPointer { memory, count in
            guard let from = text.baseAddress, let to = memory.baseAddress else { return }
            (to + count).initialize(from: from, count: text.count)
            count += text.count
        }
    }

    private mutating func quoteEscaping(_ text: UnsafeBufferPointer<UInt8>, as role: Role) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for byte in text {
            if Self.mustEscape(byte) { appendEscape(of: byte) } else { bytes.append(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
        if role == .key { bytes.append(UInt8(ascii: ":")) }
    }

    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= 8 else { return !text.contains(where: mustEscape) }
        for start in stride(from: 0, to: text.count - 8, by: 8)
        where mayNeedEscapes(eightOf: text, from: start) {
            return false
        }
        return !mayNeedEscapes(eightOf: text, from: text.count - 8)
    }

    /// Checks eight bytes together: nearly all texts have nothing to escape.
    private static func mayNeedEscapes(
        eightOf text: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Bool {
        let eight = UnsafeRawBufferPointer(text)
            .loadUnaligned(fromByteOffset: start, as: UInt64.self)
        // The highest bit is set only where a byte was less than the subtrahend.
        let control = (eight &- 0x20 &* ones) & ~eight
        let quote = eight ^ (UInt64(UInt8(ascii: "\"")) &* ones)
        let backslash = eight ^ (UInt64(UInt8(ascii: "\\")) &* ones)
        let isQuote = (quote &- ones) & ~quote
        let isBackslash = (backslash &- ones) & ~backslash
        return (control | isQuote | isBackslash) & (0x80 &* ones) != 0
    }

    /// 1 in each of eight bytes.
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func appendEscape(of byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
        case UInt8(ascii: "\n"): bytes.append(contentsOf: #"\n"#.utf8)
        case UInt8(ascii: "\r"): bytes.append(contentsOf: #"\r"#.utf8)
        case UInt8(ascii: "\t"): bytes.append(contentsOf: #"\t"#.utf8)
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: #"\u00"#.utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
    }
}

// MARK: - Numbers

extension JSONWriter {
    /// Returns a number as whole thousandths if it is exactly that, as a hero's health is. Its
    /// shortest digits then need no general algorithm.
    private static func thousandths(_ number: Double) -> Int64? {
        guard number.sign == .plus, number < 1_000_000 else { return nil }
        let thousandths = (number * 1_000).rounded()
        return thousandths / 1_000 == number ? Int64(thousandths) : nil
    }

    private mutating func append(thousandths number: Int64) {
        bytes.append(addingCapacity: Self.digitsMax + 4) { room in
            Self.append(number.magnitude / 1_000, to: &room)
            room.append(UInt8(ascii: "."))
            var rest = number % 1_000
            repeat {
                room.append(UInt8(ascii: "0") + UInt8(rest / 100))
                rest = rest % 100 * 10
            } while rest > 0
        }
    }

    private mutating func append(_ number: Int64) {
        bytes.append(addingCapacity: Self.digitsMax + 1) { room in
            if number < 0 { room.append(UInt8(ascii: "-")) }
            Self.append(number.magnitude, to: &room)
        }
    }

    /// The digits of the largest 64-bit number.
    private static let digitsMax = 20

    private static func append(_ number: UInt64, to room: inout OutputSpan<UInt8>) {
        var digits = 1
        var rest = number
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        room.withUnsafeMutableBufferPointer { memory, count in
            var rest = number
            // From the last digit to the first.
            for place in (count..<count + digits).reversed() {
                memory[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            count += digits
        }
    }
}
