/// Writes JSON (RFC 8259) straight into bytes, without Foundation, for hot paths.
///
/// Commas are its business, balance is the caller's: every `begin…` has its `end…`. Keys come in
/// the order in which they are written.
///
/// ```swift
/// var json = JSONWriter()
/// json.beginObject()
/// json.field("name", "Power Panda")
/// json.endObject()
/// json.bytes  // {"name":"Power Panda"}
/// ```
package struct JSONWriter: Sendable {
    /// What has been written so far, in UTF-8.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(reserving capacity: Int = 256) {
        // Even room for nothing would be allocated.
        if capacity > 0 { bytes.reserveCapacity(capacity) }
    }

    // MARK: Structure

    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes an object's key; its value must follow.
    package mutating func key(_ name: String) {
        quote(name, as: .key)
        needsComma = false
    }

    /// Writes an object's key that is known when the program is compiled, and needs no escapes.
    package mutating func key(_ name: StaticString) {
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

    package mutating func value(_ text: String) {
        quote(text, as: .value)
    }

    package mutating func value(_ number: Int64) {
        separate()
        append(number)
    }

    package mutating func value(_ number: some BinaryInteger) {
        if let number = Int64(exactly: number) { return value(number) }
        separate()
        bytes.append(contentsOf: number.description.utf8)
    }

    /// Writes the shortest digits that read back as the same number.
    ///
    /// JSON has no infinities and no NaN: they are our bug.
    package mutating func value(_ number: Double) {
        precondition(number.isFinite, "JSON cannot hold \(number)")
        separate()
        if let thousandths = Self.thousandths(number) {
            append(thousandths: thousandths)
        } else {
            bytes.append(contentsOf: number.description.utf8)
        }
    }

    package mutating func value(_ truth: Bool) {
        separate()
        bytes.append(contentsOf: (truth ? "true" : "false").utf8)
    }

    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes bytes that are already one JSON value.
    package mutating func raw(_ json: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    // MARK: Fields

    package mutating func field(_ name: String, _ text: String) {
        key(name)
        value(text)
    }

    package mutating func field(_ name: String, _ number: Int64) {
        key(name)
        value(number)
    }

    package mutating func field(_ name: String, _ number: some BinaryInteger) {
        key(name)
        value(number)
    }

    package mutating func field(_ name: String, _ number: Double) {
        key(name)
        value(number)
    }

    package mutating func field(_ name: String, _ truth: Bool) {
        key(name)
        value(truth)
    }

    package mutating func object(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        beginObject()
        body(&self)
        endObject()
    }

    package mutating func array<Element>(
        _ name: String, _ elements: some Sequence<Element>,
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
        // Nearly all texts lie in one piece, and are read there without counting references.
        if text.utf8.withContiguousStorageIfAvailable({ quote($0, as: role) }) == nil {
            var text = text
            text.withUTF8 { quote($0, as: role) }
        }
        needsComma = true
    }

    /// Writes all of it with one look for room, since keys and texts are most of what is written.
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

    /// Looks at eight bytes together: nearly all texts have nothing to escape.
    private static func mayNeedEscapes(
        eightOf text: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Bool {
        let eight = UnsafeRawBufferPointer(text)
            .loadUnaligned(fromByteOffset: start, as: UInt64.self)
        // Below zero only where a byte was less than what is taken from it.
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
    /// A number as whole thousandths, if that is what it is, as a hero's health is:
    /// then its shortest digits are known without Swift's general algorithm.
    private static func thousandths(_ number: Double) -> Int64? {
        guard number.sign == .plus, number < 1_000_000 else { return nil }
        let thousandths = (number * 1_000).rounded()
        return thousandths / 1_000 == number ? Int64(thousandths) : nil
    }

    private mutating func append(thousandths number: Int64) {
        append(number / 1_000)
        var rest = number % 1_000
        bytes.append(UInt8(ascii: "."))
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest / 100))
            rest = rest % 100 * 10
        } while rest > 0
    }

    private mutating func append(_ number: Int64) {
        var digits = 1
        var rest = number.magnitude
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        bytes.append(addingCapacity: digits + 1) { room in
            if number < 0 { room.append(UInt8(ascii: "-")) }
            room.withUnsafeMutableBufferPointer { memory, count in
                var rest = number.magnitude
                // From the last digit to the first.
                for place in (count..<count + digits).reversed() {
                    memory[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                count += digits
            }
        }
    }
}
