import ByteCoding
import Testing

@Suite struct ByteCodingTests {
    private func written(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
        var bytes = ByteWriter()
        write(&bytes)
        return bytes.bytes
    }

    /// What a reader makes of the bytes, to the last one.
    private func read<Value>(
        _ bytes: [UInt8], _ read: (inout ByteReader) throws -> Value
    ) throws -> Value {
        try bytes.withUnsafeBytes { buffer in
            var reader = ByteReader(buffer)
            let value = try read(&reader)
            try reader.finish()
            return value
        }
    }

    // MARK: Numbers

    static let varints: [(UInt64, [UInt8])] = [
        (0, [0]), (1, [1]), (127, [0x7f]), (128, [0x80, 1]), (300, [0xac, 2]),
        (16_383, [0xff, 0x7f]), (16_384, [0x80, 0x80, 1]),
        (.max, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
    ]

    @Test("a varint has seven bits a byte, the low ones first", arguments: varints)
    func varint(value: UInt64, bytes: [UInt8]) throws {
        #expect(written { $0.append(varint: value) } == bytes)
        #expect(try read(bytes) { try $0.varint() } == value)
    }

    static let zigzags: [(Int64, UInt64)] = [
        (0, 0), (-1, 1), (1, 2), (-2, 3), (.max, .max - 1), (.min, .max),
    ]

    @Test("small numbers of either sign are small varints", arguments: zigzags)
    func zigzag(value: Int64, varint: UInt64) throws {
        let bytes = written { $0.append(varint: varint) }
        #expect(written { $0.append(zigzag: value) } == bytes)
        #expect(try read(bytes) { try $0.zigzag() } == value)
    }

    @Test("a fixed number has its low byte first")
    func fixed() throws {
        let bytes: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1]
        #expect(written { $0.append(fixed: 0x0102_0304_0506_0708) } == bytes)
        #expect(try read(bytes) { try $0.fixed() } == 0x0102_0304_0506_0708)
    }

    @Test(
        "a number with more bytes than it needs is refused",
        arguments: [
            [0x80, 0], [0xff, 0x80, 0],
            [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2],
            [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 0],
        ] as [[UInt8]])
    func overlong(bytes: [UInt8]) {
        #expect(throws: ByteError.overlongNumber) { try read(bytes) { try $0.varint() } }
    }

    @Test("a number out of its range is refused with its name")
    func range() {
        #expect(throws: ByteError.invalid("its health is out of range")) {
            try read([0xe9, 7]) { try $0.number(in: 0...1000, "health") }
        }
    }

    // MARK: Texts

    @Test("a text is its length and its UTF-8", arguments: ["", "panda", "Grüße 🐻", "👩‍👩‍👧‍👦"])
    func text(text: String) throws {
        let bytes = written { $0.append(text: text) }
        #expect(bytes == [UInt8(text.utf8.count)] + Array(text.utf8))
        #expect(try read(bytes) { try $0.text() } == text)
    }

    @Test(
        "what is not UTF-8 is refused, not repaired",
        arguments: [[1, 0x80], [2, 0xc0, 0xaf], [3, 0xed, 0xa0, 0x80]] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        #expect(throws: ByteError.notUTF8) { try read(bytes) { try $0.text() } }
    }

    // MARK: Lengths

    @Test("a length beyond the bytes is refused", arguments: [[5, 1], [1]] as [[UInt8]])
    func short(bytes: [UInt8]) {
        #expect(throws: ByteError.tooShort) { try read(bytes) { try $0.text() } }
    }

    @Test("a length beyond its limit is refused")
    func long() {
        #expect(throws: ByteError.tooLarge(limit: 2)) {
            try read([3, 1, 2, 3]) { try $0.text(max: 2) }
        }
    }

    @Test("a count takes at least a byte for each element")
    func count() {
        #expect(throws: ByteError.tooShort) { try read([3, 1, 2]) { try $0.count(max: 100) } }
    }

    @Test("the largest length there is traps nobody")
    func hugeLength() {
        let bytes = written { $0.append(varint: .max) }
        #expect(throws: ByteError.self) { try read(bytes) { try $0.text() } }
        #expect(throws: ByteError.self) { try read(bytes) { try $0.raw(.max) } }
        #expect(throws: ByteError.self) { try read(bytes) { try $0.raw(-1) } }
    }

    @Test("bytes behind the last field are refused")
    func trailing() {
        #expect(throws: ByteError.trailingBytes(2)) { try read([1, 2, 3]) { try $0.byte() } }
    }

    // MARK: Flags

    @Test("answers come back in their order")
    func flags() throws {
        var flags = Flags()
        for answer in [true, false, true] { flags.append(answer) }
        let bytes = written { $0.append(flags) }
        #expect(bytes == [0b101])
        var read = try read(bytes) { try $0.flags(3) }
        #expect([read.next(), read.next(), read.next()] == [true, false, true])
    }

    @Test("an answer that nobody asked for is refused")
    func unknownFlag() {
        #expect(throws: ByteError.self) { try read([0b1000]) { try $0.flags(3) } }
    }

    // MARK: The arena

    @Test("rows share a writer, and each is lent by its place")
    func rows() {
        var bytes = ByteWriter()
        bytes.append(text: "one")
        let start = bytes.count
        bytes.append(text: "two")
        #expect(bytes.withBytes(in: start..<bytes.count) { Array($0) } == [3] + Array("two".utf8))
        #expect(bytes.bytes == [3] + Array("one".utf8) + [3] + Array("two".utf8))
        bytes.removeAll()
        #expect(bytes.count == 0)
    }

    @Test("CRC-32 is zlib's, and goes on where it stopped")
    func checksum() {
        #expect(crc32(Array("123456789".utf8)) == 0xcbf4_3926)
        #expect(crc32(Array("6789".utf8), after: crc32(Array("12345".utf8))) == 0xcbf4_3926)
        #expect(crc32([]) == 0)
    }
}
