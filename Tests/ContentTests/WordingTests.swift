import PushPolicy
import Testing

@testable import Content

@Suite("C4: plural forms") struct WordingTests {
    @Test(
        "each count has the category that CLDR gives it",
        arguments: [
            (.english, [0: .other, 1: .one, 2: .other, 1_000_000: .other]),
            (.german, [0: .other, 1: .one, 2: .other, 1_000_000: .other]),
            (
                .french,
                [
                    0: .one, 1: .one, 2: .other, 999_999: .other, 1_000_000: .many,
                    1_000_001: .other, 2_000_000: .many,
                ]
            ),
            (.spanish, [0: .other, 1: .one, 2: .other, 1_000_000: .many, 1_500_000: .other]),
            (.japanese, [0: .other, 1: .other, 1_000_000: .other]),
            (.simplifiedChinese, [0: .other, 1: .other, 1_000_000: .other]),
        ] as [(Language, [Int: PluralCategory])])
    func categories(language: Language, counts: [Int: PluralCategory]) {
        for (count, category) in counts {
            #expect(language.pluralCategory(of: count) == category, "\(count)")
            #expect(language.pluralCategories.contains(category))
        }
    }

    private static let gaps = [Gap.name, .count]

    private static func faults(
        _ forms: [PluralCategory: String], in language: Language = .german
    ) -> [WordingFault] {
        Wording.plural(forms).faults(gaps: gaps, in: language)
    }

    @Test("control: complete forms have no fault; that of one may leave the count out")
    func complete() {
        #expect(Self.faults([.one: "%@: ein Krümel", .other: "%1$@: %2$lld Krümel"]) == [])
        #expect(Self.faults([.other: "%2$lld %1$@"], in: .japanese) == [])
        #expect(Wording.plain("%@: %lld").faults(gaps: Self.gaps, in: .japanese) == [])
    }

    @Test("a missing form, one too many, a missing gap and a wrong one are found")
    func wrong() {
        #expect(Self.faults([.other: "%@ %lld"]) == [.missing(.one)])
        #expect(
            Self.faults([.one: "%@", .few: "%@ %lld", .other: "%@ %lld"])
                == [.stray(.few, known: [.one, .other])])
        #expect(
            Self.faults([.one: "%@", .other: "%@ viele"])
                == [.wrongGaps(.other, used: [0: .name], needed: Self.gaps)])
        #expect(
            Self.faults([.one: "%@", .other: "%@ %@"])
                == [.wrongGaps(.other, used: [0: .name, 1: .name], needed: Self.gaps)])
        #expect(
            Self.faults([.one: "%d", .other: "%1$@ %1$lld"])
                == [
                    .unreadable(.one, .unsupported("%d")),
                    .unreadable(.other, .nameAndCount(1)),
                ])
        #expect(
            Self.faults([.one: "%@", .other: "%@ %lld"], in: .french) == [.missing(.many)])
    }

    @Test("a text without a count has no plural forms")
    func plain() {
        let faults = Wording.plural([.one: "a", .other: "b"]).faults(gaps: [], in: .english)
        #expect(faults == [.stray(.one, known: [.other])])
    }

    @Test("a sentence is filled in the form of its count")
    func filled() throws {
        let sentence = try Sentence(
            .plural([.one: "%@ a trouvé une miette", .other: "%1$@ a trouvé %2$lld miettes"]))
        let said = [0, 1, 2].map { (count: Int) in
            sentence.filled(with: ["Lu", "\(count)"], count: count, in: .french)
        }
        #expect(
            said == ["Lu a trouvé une miette", "Lu a trouvé une miette", "Lu a trouvé 2 miettes"])
    }
}
