import Foundation

@testable import Playtest

/// A party of one bot, its phone and its events, in which everything holds: a test breaks one
/// thing.
enum Sample {
    static func event(
        _ sequence: Int, _ kind: String, hero: String? = "hero", at: Int? = nil,
        description: String = "…"
    ) -> EventState {
        EventState(
            sequence: sequence, kind: kind, hero: hero, at: at ?? sequence * 4000,
            description: description)
    }

    /// A whole adventure: the hero is knocked down and uses a potion.
    static let events = [
        event(1, "adventureBegan", hero: nil), event(2, "knockedDown"), event(3, "potionUsed"),
        event(4, "adventureOver", hero: nil),
    ]

    static func ledger(_ events: [Int] = [1, 2, 3, 4]) -> [LedgerRow] {
        events.map {
            LedgerRow(
                event: $0, activity: "activity", verdict: "sent", priority: 5, alert: false,
                rule: "")
        }
    }

    static func bot(hero: String = "hero", language: String = "en") throws -> Bot {
        Bot(
            api: GameAPI(try HTTPClient(urlText: "http://127.0.0.1:1")), hero: hero,
            heroName: "Panda", activity: "activity", language: language, pushToken: "aa",
            bearer: "b")
    }

    static func party(
        version: Int = 1, heroes: [MemberState] = [], events: [EventState] = [],
        leader: String? = nil
    ) -> PartyState {
        PartyState(
            id: "party", version: version, inviteCode: "", leader: leader ?? heroes.first?.owner,
            heroes: heroes, adventure: nil, readyCheck: nil, events: events)
    }

    static func member(
        _ id: String, health: Double = 1, potions: Int = 0, condition: String = "standing"
    ) -> MemberState {
        MemberState(
            id: id, owner: "owner of \(id)", name: id, avatar: "", health: health,
            potions: potions, condition: condition, card: nil)
    }

    static func botParty(_ events: [EventState] = Sample.events) throws -> BotParty {
        var made = BotParty(id: "party", bots: [try bot()])
        _ = made.see(party(events: events))
        return made
    }

    /// The phone that saw these events: its activity started, alerted once, and ended.
    static func phone(_ drafts: [PushDraft] = [began, knockedDown, over]) throws -> Phone {
        var phone = Phone()
        for (number, draft) in drafts.enumerated() {
            var draft = draft
            draft.timestamp += Int64(number)
            try phone.take(draft)
        }
        return phone
    }

    static var began: PushDraft {
        var draft = PushDraft()
        draft.priority = 10
        return draft
    }

    static var knockedDown: PushDraft {
        var draft = began
        draft.alertTitle = "Down!"
        draft.health = 0.0
        return draft
    }

    static var over: PushDraft {
        var draft = began
        draft.event = "end"
        return draft
    }

    static let card = CardState(
        currentHealthLevel: 0.5, eventDescription: "Power Panda found a coin!")
}
