import Content
import PushPolicy

@testable import RangersServer

/// What stories may say: every variant of a sentence of `base.json` or of the program's packs.
enum Sentences {
    private static let words: Words? = {
        let words = try? Words.embedded()
        EmbeddedPacks.documents.forEach { words?.packs.add($0) }
        return words
    }()

    /// The variants under a key, such as "hero.leaves" or "stolen-pie/2.begins".
    static func of(_ key: String, _ names: String..., in language: Language = .english) -> [String]
    {
        let text = LocalizableText(key: key, arguments: names.map { .name($0) })
        return words?.texts(text, in: language) ?? []
    }

    /// A pack's file with a mark before each English variant of a text.
    static func marking(_ key: String, of pack: String, in file: String) -> String {
        let texts = EmbeddedPacks.document(named: pack)?.texts.texts[key]?[.english] ?? []
        return texts.map(\.other).reduce(file) { file, text in
            file.replacing("\"\(text)\"", with: "\"\(mark)\(text)\"")
        }
    }

    static let mark = "* "
}
