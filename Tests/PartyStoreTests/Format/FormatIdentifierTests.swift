import ByteCoding
import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

@Suite struct FormatIdentifierTests {
    static let names: [(name: String, size: Int)] = [
        ("6F9619FF-8B86-D011-B42D-00C04FC964FF", 17),
        ("0f8fad5b-d9cb-469f-a165-70867728950e", 17),
        ("11111111-2222-3333-4444-555555555555", 17),
        ("6F9619FF-8B86-D011-B42D-00C04FC964Ff", 37),
        ("6F9619FF-8B86-D011-B42D_00C04FC964FF", 37),
        ("6F9619FF-8B86-D011-B42D-00C04FC964F", 36),
        ("", 1), ("short", 6), ("日本", 7),
    ]

    @Test("a name comes back as it was; a UUID takes 17 bytes", arguments: names)
    func name(name: String, size: Int) throws {
        let row = bytes { $0.append(ActivityID(name)) }
        #expect(row.count == size)
        let read = try row.withUnsafeBytes { buffer in
            var reader = ByteReader(buffer)
            return try reader.identifier(ActivityID.self)
        }
        #expect(read == ActivityID(name))
    }

    /// Every byte in every place of a UUID, in both cases: what is no digit there makes it a text.
    @Test func eachByteOfAUUIDIsADigitOrNot() {
        var (uuids, texts) = (0, 0)
        for sample in [
            "6F9619FF-8B86-D011-B42D-00C04FC964FF", "0f8fad5b-d9cb-469f-a165-70867728950e",
        ] {
            let isUpper = sample.contains("F")
            let digits = Set((isUpper ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
            for place in 0..<36 {
                for byte in UInt8.min...UInt8.max {
                    var utf8 = Array(sample.utf8)
                    let isDash = utf8[place] == UInt8(ascii: "-")
                    utf8[place] = byte
                    let uuid = utf8.withUnsafeBufferPointer { UUIDBytes($0) }
                    let isUUID = isDash ? byte == UInt8(ascii: "-") : digits.contains(byte)
                    #expect((uuid != nil) == isUUID, "byte \(byte) at \(place) of \(sample)")
                    guard let uuid else {
                        texts += 1
                        continue
                    }
                    uuids += 1
                    #expect(Array(uuid.text.utf8) == utf8)
                }
            }
        }
        #expect(uuids == 2 * (32 * 16 + 4))
        #expect(texts == 2 * 36 * 256 - uuids)
    }

    static let tokens: [(hex: String, size: Int)] = [
        ("00ff12ab", 5), ("", 1), ("0", 2), ("00FF", 5), ("not hex!", 9),
        (String(repeating: "0a", count: 32), 33), (String(repeating: "f9", count: 100), 102),
    ]

    @Test("a token comes back as it was; lower-case hex takes half", arguments: tokens)
    func token(hex: String, size: Int) throws {
        let row = bytes { $0.append(PushToken(hex: hex)) }
        #expect(row.count == size)
        let read = try row.withUnsafeBytes { buffer in
            var reader = ByteReader(buffer)
            return try reader.token()
        }
        #expect(read.hex == hex)
    }

    @Test("there is one spelling of a UUID and of a token")
    func oneSpelling() {
        let uuid = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
        let asText = bytes {
            $0.append(count: uuid.utf8.count + 2)
            for byte in uuid.utf8 { $0.append(byte: byte) }
        }
        #expect(throws: FormatError.invalid("a UUID is spelled as text")) {
            try asText.withUnsafeBytes { buffer in
                var reader = ByteReader(buffer)
                return try reader.identifier(ActivityID.self)
            }
        }
        #expect(throws: FormatError.invalid("a token's hex is spelled as text")) {
            try ([8] + Array("00ff".utf8)).withUnsafeBytes { buffer in
                var reader = ByteReader(buffer)
                return try reader.token()
            }
        }
    }

    @Test("texts that only Unicode calls equal stay apart")
    func equivalents() throws {
        let (composed, decomposed) = ("e\u{301}", "\u{e9}")
        var roster = Roster()
        roster.add(HeroTag(id: HeroID("1"), name: composed))
        #expect(composed == decomposed)
        #expect(roster.index(ofName: composed) == 0)
        #expect(roster.index(ofName: decomposed) == nil)
    }
}
