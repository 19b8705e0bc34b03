import Testing

@testable import UnicodeText

@Suite("Text that others read")
struct DisplayedTextTests {
    @Test("white space goes from the ends, and is one space between")
    func whiteSpace() {
        #expect(DisplayedText.tidied("\u{3000} Ada \u{2003}\u{A0} Owl\t\n") == "Ada Owl")
        #expect(DisplayedText.tidied("a\u{3000}b") == "a b")
        #expect(DisplayedText.tidied(" \u{202F} ") == "")
        #expect(DisplayedText.tidied("a\nb") == "a\nb")
    }

    @Test("a letter has at most three marks above, below and around it")
    func marks() {
        func fault(_ marks: Int, after letter: String = "x") -> DisplayedText.Fault? {
            DisplayedText.fault(in: letter + String(repeating: "\u{0302}", count: marks))
        }
        #expect(fault(3) == nil)
        #expect(fault(4) == .tooManyMarks(4))
        // Another letter in the same character, as Hindi has.
        #expect(DisplayedText.fault(in: "क\u{094D}षि\u{0902}") == nil)
        // A joiner between marks ends no letter.
        let joined = "ب" + String(repeating: "\u{064B}", count: 3) + "\u{200D}\u{064B}"
        #expect(DisplayedText.fault(in: joined) == .tooManyMarks(4))
    }

    @Test(
        "writing systems with many marks have room",
        arguments: [
            "မြွှေ", "ကျွန်ုပ်", "རྒྱུད", "שָּׁלוֹם", "ที่นี่", "Việt Nam", "ക്ഷേത്രം", "ਸ਼੍ਰੀ", "ខ្មែរ",
        ])
    func scripts(text: String) {
        #expect(DisplayedText.fault(in: text.composed) == nil)
    }

    @Test("a character of many letters, or with many marks beside it, is refused")
    func longCharacters() {
        let conjunct = String(repeating: "क\u{094D}", count: 4) + "क"
        #expect(DisplayedText.fault(in: conjunct) == .tooManyScalars(9))
        let beside = "क" + String(repeating: "\u{0903}", count: 4)
        #expect(DisplayedText.fault(in: beside) == .tooManyMarks(4))
    }

    @Test("a mark needs a letter, not a space")
    func bareMarks() {
        for text in ["\u{0301}a", "\u{0903}a", "a \u{0301}b", "🐼\u{0301}"] {
            #expect(DisplayedText.fault(in: text) == .hidden)
        }
    }

    @Test("an emoji of several scalars is one of the recommended set, however many it has")
    func emoji() {
        #expect(DisplayedText.fault(in: "🧑🏿‍❤️‍💋‍🧑🏾 & 👨‍👩‍👧‍👦") == nil)
        #expect(DisplayedText.fault(in: "❤\u{FE0E} ❤ ©") == nil)
        for text in [
            "🐼\u{200D}🐼", "🐼\u{1F3FD}", "🐼\u{FE0F}", "🏴\u{E0075}\u{E0073}\u{E007F}",
            "❤\u{FE0E}\u{200D}",
        ] { #expect(DisplayedText.fault(in: text) == .hidden, "\(text.unicodeScalars)") }
    }

    @Test(
        "no character is as wide as a line: phrases in one ligature, cuneiform, long dashes",
        arguments: [
            0xFDFD, 0xFDFA, 0xFDFB, 0xFD40, 0xFD4F, 0xFDCF, 0xFDFE, 0xFDFF, 0x1242B, 0x12219,
            0x2E3A, 0x2E3B,
        ] as [UInt32])
    func wide(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(DisplayedText.fault(in: "a\(scalar)") == .tooWide(scalar))
    }

    @Test("words in one ligature, dashes and squares of a character's width are not too wide")
    func notWide() {
        #expect(DisplayedText.fault(in: "\u{FDF2} \u{FEFB} \u{FB51} — ㌖ ꧁Ada꧂ 𓂀 ᚱ") == nil)
    }
}
