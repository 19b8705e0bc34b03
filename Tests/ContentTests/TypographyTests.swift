internal import GameLogic
internal import PushPolicy
internal import Testing

@testable internal import Content

@Suite("C4: every text is well set, and told once") struct TypographyTests {
    /// A variant of a text: its place, and its words.
    private struct Line {
        let place: String
        let key: String
        let text: String
        let category: PluralCategory
    }

    private static func lines(
        of texts: PackTexts, _ name: String, in language: Language
    ) -> [Line] {
        texts.texts.sorted { $0.key < $1.key }.flatMap { key, texts in
            (texts[language] ?? []).flatMap(\.forms).map { form in
                Line(
                    place: "\(name).\(language.rawValue), \(key)", key: key, text: form.text,
                    category: form.category)
            }
        }
    }

    private static func base(in language: Language) -> [Line] {
        lines(of: BaseTexts.texts, "base", in: language)
    }

    private static func lines(of document: PackDocument, in language: Language) -> [Line] {
        lines(of: document.texts, document.pack.reference.id, in: language)
    }

    private static func all(in language: Language) -> [Line] {
        base(in: language) + EmbeddedPacks.documents.flatMap { lines(of: $0, in: language) }
    }

    @Test(
        "spaces, quotes, apostrophes and ellipses are those of the language",
        arguments: Language.allCases)
    func marks(language: Language) {
        let lines = Self.all(in: language)
        #expect(lines.count > 1000)
        for line in lines {
            let faults = Typography(language: language).faults(in: line.text)
            #expect(faults == [], "\(line.place): \(line.text)")
        }
    }

    @Test(
        "each fits the card with names of 12 columns, or its button", arguments: Language.allCases)
    func width(language: Language) throws {
        for line in Self.all(in: language) {
            let format = try Format(line.text)
            let longest = (0...1).map { index in
                format.gaps[index] == .count ? "999" : String(repeating: "M", count: 12)
            }
            let columns = Columns.count(of: format.filled(with: longest))
            #expect(columns <= (line.key.hasSuffix(".button") ? 12 : 60), "\(line.place)")
        }
    }

    @Test(
        "no sentence comes twice in a pack and base.json", arguments: EmbeddedPacks.documents,
        Language.allCases)
    func once(document: PackDocument, language: Language) {
        var places: [String: String] = [:]
        let lines = Self.base(in: language) + Self.lines(of: document, in: language)
        for line in lines where line.category == .other {
            let sentence = Self.spoken(line.text)
            #expect(
                places[sentence] == nil, "\(line.place), \(places[sentence] ?? ""): \(line.text)")
            places[sentence] = line.place
        }
    }

    /// The words alone: two sentences that differ in a mark are one.
    private static func spoken(_ text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    @Test(
        "control: each kind of fault is found",
        arguments: [
            (.english, "It's late."), (.english, "“Boo!"), (.english, "Wait …"),
            (.english, "Wait...  "),
            (.english, "Boo !"), (.english, "Boo!Ouch!"), (.english, "“ Boo!”"),
            (.english, "9 eggs."),
            (.german, "“Buh!”"), (.german, "Warte…"), (.german, "Buh !"), (.german, "«Buh!»"),
            (.spanish, "Hola!"), (.spanish, "¡ Hola!"), (.spanish, "Qué?"), (.spanish, "«Hola»."),
            (.french, "Oh!"), (.french, "Oh !"), (.french, "Oh\u{A0}!"), (.french, "« Oh »."),
            (.french, "Tiens\u{202F}: oui."), (.french, "L'œuf."), (.french, "Attends\u{A0}…"),
            (.japanese, "わあ!"), (.japanese, "わあ！ はい。"), (.japanese, "「わあ。"), (.japanese, "待て……"),
            (.simplifiedChinese, "哇!"), (.simplifiedChinese, "哇，好。 "), (.simplifiedChinese, "等等…"),
            (.simplifiedChinese, "「哇」"),
        ] as [(Language, String)])
    func control(language: Language, text: String) {
        #expect(Typography(language: language).faults(in: text) != [])
    }

    @Test(
        "control: what is well set has no fault",
        arguments: [
            (.english, "“Boo!” It’s late, %1$@… Really?"), (.german, "„Buh!“, rief %@ … „Na?“"),
            (.spanish, "¡Hola, %@! ¿Qué…?"),
            (.french, "«\u{A0}Oh\u{202F}!\u{A0}» L’œuf\u{A0}: là…"),
            (.japanese, "「わあ！」%@は待つ…"), (.simplifiedChinese, "“哇！”%@等等……"),
        ] as [(Language, String)])
    func sound(language: Language, text: String) {
        #expect(Typography(language: language).faults(in: text) == [])
    }
}
