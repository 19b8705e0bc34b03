internal import Content
internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `GET /v1/admin/packs/{pack}/{version}/sentences`: every sentence that stories of a pack can say
/// in a language, as a card says it, for whoever reads them all.
enum ShowSentences {
    static let route = APIRoute(
        .get, "/v1/admin/packs/{pack}/{version}/sentences", .admin(.observer),
        Contract(
            "returns what stories of a version can say in a language",
            query: [Contract.Parameter(name: "language", schema: languageSchema)],
            returns: .json(
                .fields([
                    "languages": .list(languageSchema),
                    "sentences": .list(
                        .fields(
                            [
                                "key": .text, "isOfPack": .boolean, "texts": .list(.text),
                                "columns": .whole,
                            ], optional: ["button": .text])),
                ]))),
        handle: show)

    private static let languageSchema = JSONSchema.choice(Language.allCases.map(\.rawValue))
    /// Who is in all sentences.
    private static let names = ["Power Panda", "Egghead"]

    @Sendable private static func show(_ request: Request, _ call: Call) async throws -> Response {
        let document = try call.game.packs.entry(in: request).document
        let tag = request.query["language"] ?? Language.english.rawValue
        guard let language = Language(rawValue: tag) else {
            let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.badRequest("The query's \"language\" must be one of \(known).")
        }
        let own = sentences(of: document.texts, in: language)
        let base = sentences(of: BaseTexts.texts, in: language)
            .filter { document.texts.texts[$0.key] == nil }
        let words = call.game.words
        var json = JSONWriter(reserving: 65_536)
        json.beginObject()
        json.array("languages", document.texts.languages) { $0.value($1.rawValue) }
        json.key("sentences")
        json.beginArray()
        for (list, isOfPack) in [(own, true), (base, false)] {
            for sentence in list {
                json.beginObject()
                json.field("key", sentence.key)
                json.field("isOfPack", isOfPack)
                json.array("texts", sentence.texts) { $0.value($1) }
                json.field("columns", sentence.columns)
                if let button = button(beside: sentence.key, of: document, in: language, words) {
                    json.field("button", button)
                }
                json.endObject()
            }
        }
        json.endArray()
        json.endObject()
        return .json(json.bytes)
    }

    /// All variants of a text, with names in their gaps.
    private struct Variants {
        let key: String
        let texts: [String]
        /// Of the widest one, with the longest names that a text must have room for.
        let columns: Int

        init(_ key: String, _ variants: [Wording]) {
            self.key = key
            let forms = variants.flatMap(\.forms)
            texts = forms.reduce(into: []) { texts, form in
                let text = Self.text(form, names)
                // A plural form may be as another one.
                if !texts.contains(text) { texts.append(text) }
            }
            let long = String(repeating: "M", count: Columns.ofName)
            columns = forms.map { Columns.count(of: Self.text($0, [long, long])) }.max() ?? 0
        }

        private static func text(
            _ form: (category: PluralCategory, text: String), _ names: [String]
        ) -> String {
            // The linter has read every text.
            guard let format = try? Format(form.text) else { return form.text }
            let count = form.category == .one ? "1" : "2"
            return format.filled(
                with: names.indices.map { format.gaps[$0] == .count ? count : names[$0] })
        }
    }

    private static func sentences(of texts: PackTexts, in language: Language) -> [Variants] {
        texts.texts.compactMap { key, texts in
            texts[language].map { Variants(key, $0) }
        }.sorted { (place(of: $0.key), $0.key) < (place(of: $1.key), $1.key) }
    }

    /// A story begins with its title, and ends with its endings.
    private static func place(of key: String) -> Int {
        let first = [PackTexts.title, PackTexts.pitch, PackTexts.begins]
        return first.firstIndex(of: key) ?? (key.hasPrefix("ends.") ? 4 : 3)
    }

    // MARK: Buttons

    private static let buttons = [
        "ask.drink": AskTexts.drink, "ask.endangered": AskTexts.drink, "ask.give": AskTexts.give,
        "ask.flee": AskTexts.button(for: .flee),
        "ask.guard": AskTexts.button(for: .guardFriend(HeroID(""))),
        "ask.loot": AskTexts.button(for: .loot(.sword, finder: HeroID(""))),
        "ask.stop": AskTexts.button(for: .stop), "ask.ready": AskTexts.ready,
    ]

    /// What the card of a question has beside it.
    private static func button(
        beside key: String, of document: PackDocument, in language: Language, _ words: Words
    ) -> String? {
        if let button = buttons[key] { return words.text(button, in: language) }
        if key.hasSuffix(".gathers") {
            return words.text(AskTexts.button(for: .brace), in: language)
        }
        guard key.hasSuffix(".ask") else { return nil }
        return document.texts.text(String(key.dropLast("ask".count)) + "button", in: language)
    }
}
