/// What a game master tells a party, in the words of each language.
package struct Message: Hashable, Sendable {
    /// The language that every message has, for players of all others.
    package static let fallback = "en"

    /// By language code, sorted.
    package let texts: [Text]

    package struct Text: Hashable, Sendable {
        /// The language's code in the String Catalog: "zh-Hans".
        package let language: String
        package let text: String
    }

    /// Creates a message from its texts by language code; `nil` without an English one.
    package init?(_ texts: [String: String]) {
        guard texts[Self.fallback] != nil else { return nil }
        self.texts = texts.sorted { $0.key < $1.key }.map { Text(language: $0, text: $1) }
    }

    private init(_ text: String) {
        texts = [Text(language: Self.fallback, text: text)]
    }

    /// Returns the text in the language, or in English.
    package func text(in language: String) -> String {
        let found = texts.first { $0.language == language }
        return (found ?? texts.first { $0.language == Self.fallback })?.text ?? ""
    }

    /// A message for tests and checks.
    package static let sample = Message("Happy birthday, Emoji Rangers!")
}
