internal import GameLogic
internal import JSONWriter
internal import PushPolicy

/// The JSON of a party's heroes that outlives a version of the party, in one language: their own
/// fields, and what the card of each says. The first read of the next version
/// writes only what has changed. All versions have the same names: when one is hidden or replaced,
/// the party is loaded again.
struct HeroLines: Sendable {
    /// A reference, so that neither a comparison nor another description copies the hero's texts.
    private final class Fields: Sendable {
        let hero: Hero
        /// The fields of `HeroView`, with commas between them.
        let json: [UInt8]

        init(of hero: Hero, as view: PartyView) {
            self.hero = hero
            json = HeroView.fields(of: hero, named: view.names.replacement(of: hero.id))
        }

        /// Borrowed, because a comparison of copies counts the references of all their parts.
        func are(of hero: borrowing Hero) -> Bool { self.hero == hero }
    }

    private struct Line {
        let fields: Fields
        /// What the card says; `nil`: nothing yet.
        var text: LocalizableText?
        /// The same as a JSON text.
        var description: [UInt8] = []
    }

    /// By the place of the member in the party.
    private var lines: [Line] = []

    /// Writes the hero's own fields.
    mutating func writeFields(
        of member: borrowing Member, at place: Int, as view: PartyView, to json: inout JSONWriter
    ) {
        if place >= lines.count || !lines[place].fields.are(of: member.hero) {
            // When a member joins, leaves or takes the lead, those behind have other places too.
            lines.removeSubrange(min(place, lines.count)...)
            lines.append(Line(fields: Fields(of: member.hero, as: view)))
        }
        json.raw(lines[place].fields.json)
    }

    /// Returns what the card says of a hero whose fields have been written, as JSON.
    mutating func description(
        of text: LocalizableText, at place: Int, as view: PartyView
    ) -> [UInt8] {
        if lines[place].text != text {
            var json = JSONWriter(reserving: Self.descriptionBytes)
            json.value(view.sentence(of: text))
            lines[place].description = json.bytes
            lines[place].text = text
        }
        return lines[place].description
    }

    /// More than most descriptions take.
    private static let descriptionBytes = 96
}
