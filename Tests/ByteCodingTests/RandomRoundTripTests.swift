import ByteCoding
import Testing

/// Fields in a random order, written and read again; and the same bytes, damaged.
@Suite struct RandomRoundTripTests {
    private enum Field: Equatable {
        case byte(UInt8)
        case varint(UInt64)
        case zigzag(Int64)
        case fixed(UInt64)
        case text(String)

        func write(to bytes: inout ByteWriter) {
            switch self {
            case .byte(let value): bytes.append(byte: value)
            case .varint(let value): bytes.append(varint: value)
            case .zigzag(let value): bytes.append(zigzag: value)
            case .fixed(let value): bytes.append(fixed: value)
            case .text(let value): bytes.append(text: value)
            }
        }

        func readAgain(_ bytes: inout ByteReader) throws -> Field {
            switch self {
            case .byte: .byte(try bytes.byte())
            case .varint: .varint(try bytes.varint())
            case .zigzag: .zigzag(try bytes.zigzag())
            case .fixed: .fixed(try bytes.fixed())
            case .text: .text(try bytes.text())
            }
        }
    }

    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state ^ (state >> 29)) &* 0x9e37_79b9_7f4a_7c15
        }

        /// As often small as large.
        mutating func number() -> UInt64 { next() >> UInt64.random(in: 0...63, using: &self) }

        mutating func field() -> Field {
            switch Int.random(in: 0..<5, using: &self) {
            case 0: .byte(UInt8(truncatingIfNeeded: next()))
            case 1: .varint(number())
            case 2: .zigzag(Int64(bitPattern: number()))
            case 3: .fixed(next())
            default:
                .text(
                    String(
                        (0..<Int.random(in: 0..<40, using: &self)).map { _ in
                            "aé日🐻".randomElement(using: &self) ?? "x"
                        }))
            }
        }
    }

    @Test("what is written is read again", arguments: UInt64(1)...50)
    func roundTrip(seed: UInt64) throws {
        var dice = Dice(state: seed)
        let fields = (0..<200).map { _ in dice.field() }
        var bytes = ByteWriter()
        for field in fields { field.write(to: &bytes) }
        try bytes.bytes.withUnsafeBytes { buffer in
            var reader = ByteReader(buffer)
            for field in fields { #expect(try field.readAgain(&reader) == field) }
            try reader.finish()
        }
    }

    @Test("damaged bytes are refused or read, and trap nobody", arguments: UInt64(1)...50)
    func damaged(seed: UInt64) {
        var dice = Dice(state: seed)
        let fields = (0..<50).map { _ in dice.field() }
        var writer = ByteWriter()
        for field in fields { field.write(to: &writer) }
        for _ in 0..<50 {
            var bytes = Array(writer.bytes.prefix(Int.random(in: 1...writer.count, using: &dice)))
            bytes[Int.random(in: 0..<bytes.count, using: &dice)] =
                UInt8(truncatingIfNeeded: dice.next())
            bytes.withUnsafeBytes { buffer in
                var reader = ByteReader(buffer)
                for field in fields { _ = try? field.readAgain(&reader) }
                #expect(reader.left >= 0)
            }
        }
    }
}
