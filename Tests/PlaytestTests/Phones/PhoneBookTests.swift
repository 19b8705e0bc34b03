import Testing

@testable import Playtest

@Suite("The phone book")
struct PhoneBookTests {
    private func deliver(_ draft: PushDraft, to book: PhoneBook) throws -> Phone? {
        book.deliver(
            payload: try draft.payload, priority: draft.priority, token: draft.token,
            receivedAt: draft.timestamp * 1000)
    }

    @Test("a push reaches its token's phone only")
    func delivery() throws {
        let book = PhoneBook()
        let first = book.add(Phone(), token: "aa")
        let second = book.add(Phone(), token: "bb")
        #expect(try deliver(PushDraft(), to: book) != nil)
        #expect(book[first].received.count == 1)
        #expect(book[second].received.isEmpty)
    }

    @Test("T4: both tokens reach a phone whose token has changed")
    func rotation() throws {
        let book = PhoneBook()
        let phone = book.add(Phone(), token: "aa")
        book.give(token: "bb", to: phone)
        var draft = PushDraft()
        _ = try deliver(draft, to: book)
        draft.token = "bb"
        draft.timestamp += 1
        _ = try deliver(draft, to: book)
        #expect(book[phone].received.count == 2)
    }

    @Test("a push to a token that nobody has is counted")
    func stranger() throws {
        let book = PhoneBook()
        #expect(try deliver(PushDraft(), to: book) == nil)
        #expect(book.unknownTokens == 1)
    }

    @Test("A8: a late spectator's phone receives the newest broadcast, and then each new one")
    func spectator() throws {
        let book = PhoneBook()
        var draft = PushDraft()
        func broadcast() throws {
            book.deliver(
                broadcast: try draft.payload, priority: 5, channel: "Q0g=",
                receivedAt: draft.timestamp * 1000)
            draft.timestamp += 1
        }
        try broadcast()
        try broadcast()
        let phone = book.subscribe(Phone(), to: "Q0g=")
        #expect(book[phone].received.count == 1)
        try broadcast()
        #expect(book[phone].received.count == 2)
        #expect(book[phone].violations.isEmpty)
        #expect(book.unknownTokens == 0)
    }

    @Test("A7: a start starts an activity, whose own token reaches it from then on")
    func start() throws {
        let book = PhoneBook()
        let device = book.add(
            StartableDevice(
                name: "Panda's phone", osVersion: "18.1", activity: "a", pushToken: "bb"),
            startToken: "aa")
        #expect(book.activityStarted(on: device) == nil)
        #expect(try deliver(PushDraft.start, to: book)?.activity == "a")
        let phone = try #require(book.activityStarted(on: device))
        var update = PushDraft()
        update.token = "bb"
        update.timestamp += 1
        _ = try deliver(update, to: book)
        #expect(book[phone].received.count == 2)
        #expect(book[phone].violations.isEmpty)
        #expect(book.unknownTokens == 0)
    }
}
