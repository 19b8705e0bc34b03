internal import Content
internal import GameLogic
internal import Isolation
internal import PushPolicy

/// The words of stories: those of adventure packs, under keys such as "stolen-pie/2.magpie.hits",
/// and those of `base.json` for what a pack does not say itself. A game master may add packs while
/// the server runs.
final class PackWords: Sendable {
    private typealias Sentences = [String: [Language: [Sentence]]]

    /// By pack, as a key has it: "stolen-pie/2".
    private let packs = Locked<[String: Sentences]>([:])
    private let base = PackWords.sentences(of: BaseTexts.texts)

    /// Adds the words of a pack, in place of those that it had before.
    func add(_ document: PackDocument) {
        let sentences = Self.sentences(of: document.texts)
        packs.withLock { $0["\(document.pack.reference)"] = sentences }
    }

    /// Returns the variants of a key in the language: the pack's own, or else those of `base.json`.
    func variants(of key: String, in language: Language) -> [Sentence]? {
        let (pack, name) = PackKey.parts(of: key)
        guard let pack else { return base[key]?[language] }
        let own = packs.withLock { $0[String(pack)]?[String(name)]?[language] }
        return own ?? base[String(name)]?[language]
    }

    private static func sentences(of texts: PackTexts) -> Sentences {
        texts.texts.mapValues { texts in
            // The linter has read every text.
            texts.mapValues { variants in variants.compactMap { try? Sentence($0) } }
        }
    }
}
