import Testing

@testable import Playtest

@Suite("What a bot sees")
struct SightTests {
    /// A party whose hero has fallen and has a potion, as the poll tells it.
    private let fallen = Sample.party(
        version: 7, heroes: [Sample.member("hero", potions: 1, condition: "knockedDown")])

    @Test("F1: a bot knows of a fall when its phone shows it, whatever the poll says")
    func phone() throws {
        let book = PhoneBook()
        var party = try Sample.botParty()
        party.phones = [book.add(Phone(), token: "aa")]
        #expect(party.sight(of: 0, in: book, else: fallen) == nil)
        var draft = PushDraft()
        func button() throws -> CardButton? {
            draft.timestamp += 1
            book.deliver(
                payload: try draft.payload, priority: draft.priority, token: draft.token,
                receivedAt: draft.timestamp * 1000)
            let sight = try #require(party.sight(of: 0, in: book, else: fallen))
            #expect(sight.at == draft.timestamp)
            return sight.button
        }
        #expect(try button() == nil)
        draft.health = 0.0
        draft.ask = ["kind": "potion", "text": "Drink a potion?", "button": "Drink"]
        #expect(try button() == .drink(.down))
    }

    @Test("a bot that has dismissed its card sees nothing")
    func dismissed() throws {
        let book = PhoneBook()
        var party = try Sample.botParty()
        let draft = PushDraft()
        party.phones = [book.add(Phone(), token: draft.token)]
        book.deliver(
            payload: try draft.payload, priority: draft.priority, token: draft.token,
            receivedAt: draft.timestamp * 1000)
        #expect(party.sight(of: 0, in: book, else: fallen) != nil)
        party.dismissed = [0]
        #expect(party.sight(of: 0, in: book, else: fallen) == nil)
    }

    @Test("without phones a bot sees the polled party")
    func poll() throws {
        let sight = try #require(Sample.botParty().sight(of: 0, in: nil, else: fallen))
        #expect(sight.at == 7)
        #expect(sight.button == .drink(.down))
    }
}
