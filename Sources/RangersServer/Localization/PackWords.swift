internal import Content
internal import GameLogic
internal import Isolation
internal import PushPolicy

/// The words of stories: those of adventure packs, under keys such as "stolen-pie/2.magpie.hits",
/// and those of `base.json` for what a pack does not say itself. A game master may add packs while
/// the server runs.
final class PackWords: Sendable {
    /// A pack's words, of which those that have been said are read.
    private struct Entry {
        let texts: PackTexts
        var read: [String: [Language: [Sentence]]] = [:]

        /// Returns the variants of a key, without the pack.
        mutating func variants(of key: String, in language: Language) -> [Sentence]? {
            if let known = read[key]?[language] { return known }
            guard let variants = texts.texts[key]?[language] else { return nil }
            // The linter has read every text.
            let sentences = variants.compactMap { try? Sentence($0) }
            read[key, default: [:]][language] = sentences
            return sentences
        }
    }

    /// By pack, as a key has it: "stolen-pie/2".
    private let packs = Locked<[String: Entry]>([:])
    private let base = Locked(Entry(texts: BaseTexts.texts))

    /// Adds the words of a pack, in place of those that it had before.
    func add(_ document: PackDocument) {
        packs.withLock { $0["\(document.pack.reference)"] = Entry(texts: document.texts) }
    }

    /// Returns the variants of a key in the language: the pack's own, or else those of `base.json`.
    func variants(of key: String, in language: Language) -> [Sentence]? {
        let (pack, name) = PackKey.parts(of: key)
        let own = pack.flatMap { pack in
            packs.withLock { $0[String(pack)]?.variants(of: String(name), in: language) }
        }
        return own ?? base.withLock { $0.variants(of: String(name), in: language) }
    }
}
