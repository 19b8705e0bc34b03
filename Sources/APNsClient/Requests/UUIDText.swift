/// UUIDs in their canonical text of 36 characters (RFC 9562 section 4). Foundation's `UUID` converts
/// only through a `String`; every push writes its id into bytes.
package enum UUIDText {
    package static let count = 36

    private static func isHyphen(_ place: Int) -> Bool {
        place == 8 || place == 13 || place == 18 || place == 23
    }

    /// Parses a UUID, in either case; `nil` if it is invalid.
    package static func read(_ text: UnsafeBufferPointer<UInt8>) -> UInt128? {
        guard text.count == count else { return nil }
        var id: UInt128 = 0
        for place in text.indices {
            if isHyphen(place) {
                guard text[place] == UInt8(ascii: "-") else { return nil }
            } else {
                guard let digit = Hex.value(text[place]) else { return nil }
                id = id << 4 | UInt128(digit)
            }
        }
        return id
    }

    package static func read(_ text: String) -> UInt128? {
        var text = text
        return text.withUTF8 { read($0) }
    }

    /// Writes an id in lower case; the buffer must have room. Converts eight digits at a time,
    /// because every push needs it.
    package static func write(_ id: UInt128, into room: UnsafeMutableBufferPointer<UInt8>) {
        let text = UnsafeMutableRawBufferPointer(room)
        let second = Hex.digits(word(id >> 64))
        let third = Hex.digits(word(id >> 32))
        text.storeBytes(of: Hex.digits(word(id >> 96)), toByteOffset: 0, as: UInt64.self)
        text.storeBytes(of: UInt32(truncatingIfNeeded: second), toByteOffset: 9, as: UInt32.self)
        text.storeBytes(
            of: UInt32(truncatingIfNeeded: second >> 32), toByteOffset: 14, as: UInt32.self)
        text.storeBytes(of: UInt32(truncatingIfNeeded: third), toByteOffset: 19, as: UInt32.self)
        text.storeBytes(
            of: UInt32(truncatingIfNeeded: third >> 32), toByteOffset: 24, as: UInt32.self)
        text.storeBytes(of: Hex.digits(word(id)), toByteOffset: 28, as: UInt64.self)
        for place in stride(from: 8, through: 23, by: 5) { text[place] = UInt8(ascii: "-") }
    }

    /// Returns whether a text is this id, in either case.
    static func isText(_ text: UnsafeBufferPointer<UInt8>, of id: UInt128) -> Bool {
        guard text.count == count else { return false }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { own in
            write(id, into: own)
            // In digits and hyphens, the bit that distinguishes lower case is always set.
            var difference: UInt8 = 0
            for place in own.indices { difference |= own[place] ^ (text[place] | 0x20) }
            return difference == 0
        }
    }

    /// Returns the id in lower case.
    package static func text(_ id: UInt128) -> String {
        String(unsafeUninitializedCapacity: count) { text in
            write(id, into: text)
            return count
        }
    }

    private static func word(_ id: UInt128) -> UInt32 { UInt32(truncatingIfNeeded: id) }
}
