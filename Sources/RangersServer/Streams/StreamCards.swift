internal import GameLogic
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// What the player's Live Activities in a party should show, in JSON.
struct StreamCards {
    let stored: StoredParty
    let player: PlayerID
    /// That of heroes without a Live Activity; each activity has its own.
    let language: Language
    let words: Words
    let names: NameView

    static let schema = JSONSchema.named(
        "StreamCards",
        .fields([
            "cards": .list(
                .fields([
                    "hero": .text, "activity": .nullable(.text),
                    "card": .nullable(PartyView.cardSchema),
                ]))
        ]))

    var json: [UInt8] {
        let activities = stored.activities(of: player).map(\.registration)
            .filter { !$0.state.isFinal }
        var json = JSONWriter(reserving: 512)
        json.beginObject()
        json.key("cards")
        json.beginArray()
        let cards = PartyCards(of: stored.party, stored.activities)
        for (place, member) in stored.party.members.enumerated()
        where member.hero.owner == player {
            let own = activities.filter { $0.hero == member.hero.id }
            for activity in own {
                write(
                    member, cards.text(at: place, on: activity.id), activity.id,
                    in: activity.language, to: &json)
            }
            if own.isEmpty {
                write(member, cards.text(at: place), nil, in: language, to: &json)
            }
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    private func write(
        _ member: Member, _ text: LocalizableText?, _ activity: ActivityID?,
        in language: Language, to json: inout JSONWriter
    ) {
        json.beginObject()
        json.field("hero", member.hero.id.rawValue)
        json.field("activity", activity?.rawValue)
        // A card has no times.
        PartyView(
            stored: stored, wallOffsets: WallOffsets(), names: names, words: words,
            language: language
        ).writeCard(of: member, saying: text, to: &json)
        json.endObject()
    }
}
