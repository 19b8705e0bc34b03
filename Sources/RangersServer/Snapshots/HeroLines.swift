internal import GameLogic
internal import JSONWriter

/// The JSON of a party's heroes that outlives a version of the party, in one language: their own
/// fields, and the description of the newest event for each. The first read of the next version
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
        /// The number of the described event; 0: none.
        var event = 0
        /// A JSON text.
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

    /// Returns the description of the newest event for a hero whose fields have been written, as
    /// JSON.
    mutating func description(
        of event: PartyEvent, for member: borrowing Member, at place: Int, as view: PartyView
    ) -> [UInt8] {
        if lines[place].event != event.sequence {
            var json = JSONWriter(reserving: Self.descriptionBytes)
            json.value(view.description(of: event, for: member))
            lines[place].description = json.bytes
            lines[place].event = event.sequence
        }
        return lines[place].description
    }

    /// More than most descriptions take.
    private static let descriptionBytes = 96
}
