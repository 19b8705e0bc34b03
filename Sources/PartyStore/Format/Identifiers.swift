internal import ByteCoding
internal import GameLogic
internal import PushPolicy

// Names that others have chosen. Apple's are UUIDs and hex, and take half the bytes as numbers.
// Other spellings stay text, so that every name is restored exactly.

extension ByteWriter {
    /// 0 and 1: a UUID in upper or lower case, in 16 bytes. Otherwise 2 more than a text's length.
    mutating func append(_ identifier: some Identifier) {
        var text = identifier.rawValue
        text.withUTF8 { utf8 in
            if let uuid = UUIDBytes(utf8) {
                append(varint: uuid.isLowerCase ? 1 : 0)
                append(fixed: uuid.high)
                append(fixed: uuid.low)
            } else {
                append(varint: UInt64(utf8.count) + 2)
                append(raw: UnsafeRawBufferPointer(utf8))
            }
        }
    }

    /// Twice the length of what follows; one more when it is hex as numbers.
    mutating func append(_ token: PushToken) {
        var text = token.hex
        text.withUTF8 { utf8 in
            if HexDigits.isCanonical(utf8) {
                append(varint: UInt64(utf8.count) + 1)
                for index in stride(from: 0, to: utf8.count, by: 2) {
                    append(byte: HexDigits.byte(utf8[index], utf8[index + 1]))
                }
            } else {
                append(varint: UInt64(utf8.count) * 2)
                append(raw: UnsafeRawBufferPointer(utf8))
            }
        }
    }
}

extension ByteReader {
    /// The most bytes of a name.
    private static var nameMax: Int { 1 << 20 }

    mutating func identifier<Name: Identifier>(
        _ type: Name.Type = Name.self
    ) throws(FormatError) -> Name {
        let code = try varint()
        guard code >= 2 else {
            let uuid = UUIDBytes(high: try fixed(), low: try fixed(), isLowerCase: code == 1)
            guard uuid.isCanonical else { throw .invalid("a UUID is not in the case it should be") }
            return Name(uuid.text)
        }
        guard code <= UInt64(Self.nameMax) + 2 else { throw .tooLarge(limit: Self.nameMax) }
        let utf8 = try raw(Int(code - 2))
        // A UUID as text would be restored as numbers.
        guard UUIDBytes(utf8.assumingMemoryBound(to: UInt8.self)) == nil else {
            throw .invalid("a UUID is spelled as text")
        }
        return Name(try Self.text(utf8))
    }

    mutating func token() throws(FormatError) -> PushToken {
        let code = try varint()
        guard code <= UInt64(Self.nameMax) else { throw .tooLarge(limit: Self.nameMax) }
        let bytes = try raw(Int(code / 2))
        if code & 1 == 1 {
            guard !bytes.isEmpty else { throw .invalid("a token is empty") }
            return PushToken(hex: HexDigits.text(bytes))
        }
        guard !HexDigits.isCanonical(bytes.assumingMemoryBound(to: UInt8.self)) else {
            throw .invalid("a token's hex is spelled as text")
        }
        return PushToken(hex: try Self.text(bytes))
    }
}
