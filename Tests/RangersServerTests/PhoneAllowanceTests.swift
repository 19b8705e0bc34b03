import GameLogic
import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("A phone's budget over its Live Activities and parties", .simulated)
struct PhoneAllowanceTests {
    private static func left(of activity: String, in party: String, at server: TestServer) async
        -> Double?
    {
        await server.admin(.get, "/v1/admin/parties/\(party)").body["activities"].array
            .first { $0["id"].string == activity }?["budgetLeft"].number
    }

    /// Another hero of the player, in a party of their own.
    private static func second(of stage: Stage) async throws -> (hero: TestPlayer, party: String) {
        let hero = try await stage.panda.anotherHero("Spare Panda")
        return (hero, try await hero.found().id)
    }

    @Test("the next activity has what the last one left, in another party too")
    func inherited() async throws {
        let stage = try await Stage.make(speed: 1000)
        try await stage.start()
        await stage.apns.untilSent(1)
        #expect(await Self.left(of: "activity-1", in: stage.party, at: stage.server) == 39)
        let ended = await stage.panda.send(
            .post, "/v1/activities/activity-1/state", #"{"state":"dismissed"}"#)
        #expect(ended.status == 204)
        let (hero, party) = try await Self.second(of: stage)
        #expect(await hero.watch("activity-2").status == 204)
        #expect(await Self.left(of: "activity-2", in: party, at: stage.server) == 39)
        await stage.server.server.drain()
    }

    @Test("activities of one phone in two parties share its budget; another phone has its own")
    func split() async throws {
        let stage = try await Stage.make()
        let (hero, party) = try await Self.second(of: stage)
        #expect(await hero.watch("activity-2").status == 204)
        #expect(await hero.watch("tablet", device: "tablet").status == 204)
        #expect(await Self.left(of: "activity-1", in: stage.party, at: stage.server) == 20)
        #expect(await Self.left(of: "activity-2", in: party, at: stage.server) == 20)
        #expect(await Self.left(of: "tablet", in: party, at: stage.server) == 40)
        // The same one again takes nothing.
        #expect(await hero.watch("activity-2", language: "de").status == 204)
        #expect(await Self.left(of: "activity-1", in: stage.party, at: stage.server) == 20)
        await stage.server.server.drain()
    }

    @Test("a registration that is refused leaves the others what they had together")
    func refused() async throws {
        let stage = try await Stage.make()
        let (hero, party) = try await Self.second(of: stage)
        #expect(await hero.watch("activity-2", token: "xyz").status == 400)
        #expect(await stage.panda.send(.delete, "/v1/activities/activity-1").status == 204)
        #expect(await hero.watch("activity-3").status == 204)
        #expect(await Self.left(of: "activity-3", in: party, at: stage.server) == 40)
        await stage.server.server.drain()
    }

    @Test("200 registrations of one activity at once take one share")
    func atOnce() async throws {
        let stage = try await Stage.make()
        let (hero, party) = try await Self.second(of: stage)
        await withTaskGroup { group in
            for _ in 0..<200 { group.addTask { _ = await hero.watch("activity-2") } }
        }
        let second = await Self.left(of: "activity-2", in: party, at: stage.server)
        let first = await Self.left(of: "activity-1", in: stage.party, at: stage.server)
        #expect((first ?? 99) + (second ?? 99) <= 40)
        // Nothing is lost for good: alone again, the phone has all of it.
        for id in ["activity-1", "activity-2"] {
            #expect(await stage.panda.send(.delete, "/v1/activities/\(id)").status == 204)
        }
        #expect(await hero.watch("activity-3").status == 204)
        #expect(await Self.left(of: "activity-3", in: party, at: stage.server) == 40)
        await stage.server.server.drain()
    }

    @Test("Q7: the setting ends all of a phone's activities at once, and each gets a successor")
    func settingChanged() async throws {
        let stage = try await Stage.make(speed: 1000)
        var cards = [(hero: stage.panda, party: stage.party)]
        for _ in 1..<Party.partiesOfPlayerMax { cards.append(try await Self.second(of: stage)) }
        for (number, card) in cards.enumerated().dropFirst() {
            #expect(await card.hero.watch("activity-\(number + 1)").status == 204)
        }
        for card in cards {
            let began = await card.hero.send(.post, "/v1/parties/\(card.party)/adventure")
            #expect(began.status == 201)
        }
        await stage.apns.untilSent(cards.count)
        // The system ends them; the app reports it and registers new ones, all at once.
        let statuses = await withTaskGroup(of: [Int].self) { group in
            for (number, card) in cards.enumerated() {
                group.addTask {
                    let ended = await card.hero.send(
                        .post, "/v1/activities/activity-\(number + 1)/state",
                        #"{"state":"ended"}"#)
                    let new = await card.hero.watch("new-\(number)", frequentPushes: false)
                    return [ended.status, new.status]
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(statuses.count == 2 * cards.count && Set(statuses) == [204])
        var left: Double = 0
        for (number, card) in cards.enumerated() {
            left += await Self.left(of: "new-\(number)", in: card.party, at: stage.server) ?? 99
        }
        // No burst: together they have no more than a phone without frequent updates.
        #expect(left <= Double(PushBudget.Size.regular.burst))
        await stage.server.server.drain()
    }

    @Test("activities that register at once, one in each of a player's parties, share one budget")
    func together() async throws {
        let stage = try await Stage.make()
        #expect(await stage.panda.send(.delete, "/v1/activities/activity-1").status == 204)
        var cards = [(hero: stage.panda, party: stage.party)]
        for _ in 1..<Party.partiesOfPlayerMax { cards.append(try await Self.second(of: stage)) }
        let watched = cards
        let statuses = await withTaskGroup(of: Int.self) { group in
            for (number, card) in watched.enumerated() {
                group.addTask { await card.hero.watch("at-once-\(number)").status }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count == cards.count && Set(statuses) == [204])
        var left: [Double] = []
        for (number, card) in cards.enumerated() {
            left.append(
                await Self.left(of: "at-once-\(number)", in: card.party, at: stage.server) ?? 99)
        }
        #expect(left.reduce(0, +) <= 40)
        // In 64ths nothing is lost; of whole pushes each may lose a part of one.
        #expect(left.reduce(0, +) > 40 - Double(cards.count))
        await stage.server.server.drain()
    }

    @Test("what an activity has left outlives the server")
    func afterRestart() async throws {
        let stage = try await Stage.make(speed: 1000)
        try await stage.start()
        await stage.apns.untilSent(1)
        #expect(await stage.panda.send(.delete, "/v1/activities/activity-1").status == 204)
        await stage.server.server.drain()
        let clock = VirtualClock(now: stage.server.clock.now.adding(seconds: 1))
        let next = stage.moved(to: try await TestServer(file: stage.server.file, clock: clock))
        #expect(await next.panda.watch("activity-2").status == 204)
        #expect(await Self.left(of: "activity-2", in: next.party, at: next.server) == 39)
        await next.server.server.drain()
    }
}
