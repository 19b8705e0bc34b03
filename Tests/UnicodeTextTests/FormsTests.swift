import Testing

@testable import UnicodeText

@Suite("What ICU knows of texts")
struct FormsTests {
    @Test(
        "an emoji of the recommended set is one, with its skin tone, family or tags",
        arguments: [
            "🐼", "👩🏽‍🚀", "👨‍👩‍👧‍👦", "🧑🏿‍❤️‍💋‍🧑🏾", "❤\u{FE0F}", "1\u{FE0F}\u{20E3}", "🇯🇵", "🏳️‍🌈",
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}",
        ])
    func recommended(text: String) {
        #expect(text.isRecommendedEmoji)
    }

    @Test(
        "nothing else is one: a letter, two emoji, or an emoji with anything beside it",
        arguments: [
            "", "a", "1", "🐼🐼", "🐼a", " 🐼", "🐼\u{FE0F}", "🐼\u{200D}", "🐼\u{200D}🐼",
            "🐼\u{0301}", "🐼\u{1F3FD}", "🇯", "🇯🇯", "❤",
            "\u{1F3F4}\u{E0075}\u{E0073}\u{E0063}\u{E0061}\u{E007F}",
        ])
    func others(text: String) {
        #expect(!text.isRecommendedEmoji)
    }

    @Test("a form may be longer than its text, and empty")
    func forms() {
        #expect("e\u{301}".composed.unicodeScalars.count == 1)
        #expect("ｆｕｌｌ ﬁ ⅷ ﾊﾟ".compatible == "full fi viii パ")
        #expect("\u{FDFA}".compatible.unicodeScalars.count == 18)
        #expect("ѕсоре".skeleton == "scope")
        #expect("".composed.isEmpty)
    }

    @Test("many threads at once get the same skeletons")
    func threads() async {
        let skeletons = await withTaskGroup(of: String.self) { group in
            for _ in 0..<64 { group.addTask { "раураl".skeleton } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(skeletons == Array(repeating: "paypal", count: 64))
    }

    @Test("a name from right to left is isolated, also where it is only a part or a number")
    func isolates() {
        for name in ["עברית", "Ada עברית", "مها", "٣", "🐼 ד"] {
            #expect(Array(name.isolated.unicodeScalars.map(\.value)).first == 0x2068)
            #expect(name.isolated == "\u{2068}\(name)\u{2069}")
        }
        for name in ["Power Panda", "Ünlü", "パンダ", "🐼🇯🇵", "7", ""] {
            #expect(name.isolated == name)
        }
    }
}
