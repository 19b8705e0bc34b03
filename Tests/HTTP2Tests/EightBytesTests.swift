import Testing

@testable import HTTP2

@Suite("Eight bytes at once are judged as each alone")
struct EightBytesTests {
    /// A rule for whole texts, the same for one byte, and bytes that it allows: the lowest, the
    /// highest, and one between.
    struct Rule: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let whole: @Sendable (UnsafeBufferPointer<UInt8>) -> Bool
        let single: @Sendable (UInt8) -> Bool
        let fillers: [UInt8]
    }

    static let rules = [
        Rule(
            testDescription: "value", whole: FieldRules.allowValue,
            single: { $0 == 9 || $0 >= 32 && $0 != 127 }, fillers: [9, 32, 97, 255]),
        Rule(
            testDescription: "path", whole: FieldRules.allowPath,
            single: { $0 > 32 && $0 < 127 }, fillers: [33, 97, 126]),
        Rule(
            testDescription: "method", whole: FieldRules.allowMethod,
            single: { $0 >= 65 && $0 <= 90 }, fillers: [65, 90]),
        Rule(
            testDescription: "name",
            whole: { FieldRules.allowName(String(decoding: $0, as: UTF8.self)) },
            single: { byte in
                byte >= 97 && byte <= 122 || byte >= 48 && byte <= 57
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }, fillers: [33, 126]),
    ]

    @Test("every byte at every place of texts of 1 to 17 bytes", arguments: rules)
    func everyByte(rule: Rule) {
        var wrong: [String] = []
        for filler in rule.fillers {
            for count in 1...17 {
                var text = [UInt8](repeating: filler, count: count)
                for place in 0..<count {
                    for byte in UInt8.min...UInt8.max {
                        text[place] = byte
                        if text.withUnsafeBufferPointer(rule.whole) != rule.single(byte) {
                            wrong.append("\(byte) at \(place) of \(count), among \(filler)")
                        }
                    }
                    text[place] = filler
                }
            }
        }
        #expect(wrong == [])
    }

    @Test("an empty text passes where it has no rule of its own")
    func empty() {
        let nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        #expect(FieldRules.allowValue(nothing) && FieldRules.allowPath(nothing))
        #expect(!FieldRules.allowName(""))
    }

    @Test("no byte's verdict depends on its neighbours, whatever the range")
    func neighbours() {
        var dice = SplitMix(state: 11)
        var wrong: [String] = []
        for _ in 0..<5_000 {
            let bits = dice.next()
            let (one, other) = (dice.next() % 128, dice.next() % 128)
            // 127 is no upper bound: what is behind it has no room below the highest bit.
            let (first, last) = (UInt8(min(one, other)), UInt8(min(max(one, other), 126)))
            guard first <= last else { continue }
            let verdict = EightBytes(bits: bits).within(first, last)
            for place in 0..<8 {
                let byte = UInt8(truncatingIfNeeded: bits >> (8 * place))
                let mark = UInt8(truncatingIfNeeded: verdict >> (8 * place))
                if mark != ((first...last).contains(byte) ? 0x80 : 0) {
                    wrong.append("\(byte) in \(first)...\(last): \(mark)")
                }
            }
        }
        #expect(wrong == [])
    }
}
