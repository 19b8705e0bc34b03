import Foundation
import Testing

@testable import Playtest

@Suite("The button that a bot sees")
struct CardButtonTests {
    // MARK: On a phone's card

    /// The button on a card with this content state.
    private func button(
        health: Double = 0.5, link: String? = nil, ask: [String: Any]?
    ) throws -> CardButton? {
        var draft = PushDraft()
        draft.health = health
        draft.link = link
        draft.ask = ask
        var phone = Phone()
        try phone.take(draft)
        #expect(phone.violations == [])
        return phone.button
    }

    @Test("F1: a hero who is down, and one in danger, may drink")
    func drink() throws {
        let ask = ["kind": "potion", "text": "Drink?", "button": "Drink a potion"]
        #expect(try button(health: 0, ask: ask) == .drink(.down))
        #expect(try button(health: 0.1, ask: ask) == .drink(.danger))
    }

    @Test("a friend in need is the one to whom the card links")
    func give() throws {
        let ask = ["kind": "give", "text": "Give?", "button": "Give a potion"]
        #expect(
            try button(link: "game:///party/party-1/hero/hero-1/give/hero-2", ask: ask)
                == .give(friend: "hero-2"))
        #expect(try button(ask: ask) == nil)
    }

    @Test("a question is open until the player has said yes")
    func answer() throws {
        var ask: [String: Any] = [
            "kind": "flee", "text": "Run away?", "button": "Run!", "id": 7, "mine": false,
        ]
        #expect(try button(ask: ask) == .answer(ask: 7, button: "Run!"))
        ask["mine"] = true
        #expect(try button(ask: ask) == nil)
    }

    @Test(
        "bots stop no boss rush and answer no ready check on a card",
        arguments: ["stop", "ready"])
    func leftAlone(kind: String) throws {
        let ask: [String: Any] = [
            "kind": kind, "text": "?", "button": "!", "id": 1, "mine": false,
        ]
        #expect(try button(ask: ask) == nil)
    }

    @Test("a card without a question, and one that has ended, has none")
    func none() throws {
        #expect(try button(ask: nil) == nil)
        var phone = Phone()
        var draft = PushDraft()
        draft.ask = [
            "kind": "flee", "text": "Run away?", "button": "Run!", "id": 7, "mine": false,
        ]
        try phone.take(draft)
        #expect(phone.button != nil)
        draft.timestamp += 1
        draft.event = "end"
        try phone.take(draft)
        #expect(phone.button == nil)
    }

    // MARK: Without phones

    private func button(_ heroes: MemberState...) -> CardButton? {
        CardButton(of: "hero", in: Sample.party(heroes: heroes))
    }

    @Test("without a potion there is none to drink or to give")
    func noPotion() {
        #expect(button(Sample.member("hero", condition: "knockedDown")) == nil)
        #expect(
            button(Sample.member("hero"), Sample.member("friend", condition: "knockedDown"))
                == nil)
    }

    @Test("a hero who is down drinks before a friend gets a potion")
    func itself() {
        #expect(
            button(
                Sample.member("hero", potions: 1, condition: "knockedDown"),
                Sample.member("friend", condition: "knockedDown")) == .drink(.down))
    }

    @Test("a fallen friend without a potion is in need, and one with a potion is not")
    func friend() {
        let own = Sample.member("hero", potions: 1)
        #expect(
            button(
                own, Sample.member("rich", potions: 1, condition: "knockedDown"),
                Sample.member("poor", condition: "knockedDown")) == .give(friend: "poor"))
        #expect(button(own, Sample.member("rich", potions: 1, condition: "knockedDown")) == nil)
    }

    @Test("a weak hero is in danger, one who is away does nothing")
    func danger() {
        #expect(button(Sample.member("hero", health: 0.2, potions: 1)) == .drink(.danger))
        #expect(button(Sample.member("hero", health: 0.25, potions: 1)) == nil)
        #expect(
            button(
                Sample.member("hero", health: 0.1, potions: 1, condition: "disconnected")) == nil)
    }
}
