/// Characters of identifiers.
enum ASCII {
    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        // Wrapping subtractions avoid branches.
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return byte &- UInt8(ascii: "0") < 10 || letter < 26
    }
}
