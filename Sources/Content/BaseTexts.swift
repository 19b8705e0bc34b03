internal import GameLogic
internal import PushPolicy

/// What every story can say: the texts of `base.json`, for its things and for what happens to
/// heroes and parties.
package enum BaseTexts {
    /// By key, in each language.
    package static let texts = EmbeddedPacks.baseTexts

    /// The texts that `base.json` must have.
    static let needed = events.merging(endings) { $1 }.merging(asks) { $1 }

    private static let hero = HeroTag(id: HeroID("hero"), name: "Hero")
    private static let friend = HeroTag(id: HeroID("friend"), name: "Friend")
    private static let kinds = PartyEvent.Kind.samples(of: hero, with: friend)

    /// Of each event that concerns no pack's own thing.
    private static let events: [String: NeededText] = kinds.reduce(into: [:]) { texts, kind in
        guard let key = kind.sentenceKey, !PackKey.isOfPack(key) else { return }
        texts[key] = NeededText(gaps: EventTexts.text(for: kind).arguments.map(\.gap))
    }

    /// How a story can end, with a hero's card or without one. A pack has some of its own.
    static let endings: [String: NeededText] = kinds.reduce(
        into: [PackTexts.endsForOnlookers: .plain, PackTexts.night: .plain]
    ) { texts, kind in
        guard case .adventureOver(let outcome, in: _) = kind else { return }
        for condition in kind.tellingConditions {
            texts[outcome.sentenceKey(for: condition)] = .ofHero
        }
    }

    /// The questions of cards: they stay as long as their buttons.
    private static let asks: [String: NeededText] = AskTexts.sentences(of: hero, with: friend)
        .filter { $0.key.hasPrefix("ask.") }
        .reduce(into: [:]) { texts, text in
            texts[text.key] = NeededText(gaps: text.arguments.map(\.gap), isSingle: true)
        }

    /// The faults of texts as those of `base.json`.
    static func faults(of texts: PackTexts) -> [PackFault] {
        let notes = Node.Notes()
        TextLinter(needed: needed, texts: texts, notes: notes).check()
        return notes.faults
    }
}

/// Keys of sentences, with their pack or without one: "stolen-pie/2.magpie.hits", "slime.hits".
package enum PackKey {
    package static func isOfPack(_ key: String) -> Bool { parts(of: key).pack != nil }

    /// Returns the pack of a key, and the key among its texts.
    package static func parts(of key: String) -> (pack: Substring?, key: Substring) {
        guard let slash = key.firstIndex(of: "/"), let dot = key[slash...].firstIndex(of: ".")
        else { return (nil, key[...]) }
        return (key[..<dot], key[key.index(after: dot)...])
    }
}
