internal import Content
internal import GameLogic
internal import Isolation
internal import PushPolicy

/// The words of adventure packs, under keys such as "stolen-pie/1.magpie.hits". A game master may
/// add some while the server runs.
final class PackWords: Sendable {
    private typealias Sentences = [String: [Language: Sentence]]

    /// By pack, as a key has it: "stolen-pie/1".
    private let packs = Locked<[String: Sentences]>([:])

    /// Adds the words of a pack, in place of those that it had before.
    func add(_ document: PackDocument) {
        let sentences: Sentences = document.texts.texts.mapValues { texts in
            // The linter has read every text.
            texts.compactMapValues { try? Sentence($0) }
        }
        packs.withLock { $0["\(document.pack.reference)"] = sentences }
    }

    /// Returns the text of a key in the language.
    func sentence(of key: String, in language: Language) -> Sentence? {
        guard let dot = key.firstIndex(of: ".") else { return nil }
        let texts = packs.withLock { packs in
            packs[String(key[..<dot])]?[String(key[key.index(after: dot)...])]
        }
        return texts?[language]
    }
}
