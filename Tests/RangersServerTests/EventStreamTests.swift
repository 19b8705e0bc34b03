import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// D3: the same facts as the event log, as they happen, over real sockets.
@Suite("D3: event streams", .timeLimit(.minutes(2)))
struct EventStreamTests {
    private typealias Message = StreamClient.Message

    /// A game master's loot: one event at least, whenever a test needs one.
    static func loot(_ stage: Stage, times: Int = 1) async {
        for _ in 0..<times {
            let answer = await stage.server.admin(
                .post, "/v1/admin/parties/\(stage.party)/loot", "{}")
            #expect(answer.status == 200)
        }
    }

    private static func numbers(_ messages: [Message]) -> [Int] {
        messages.filter(\.name.isEmpty).compactMap(\.id)
    }

    @Test("D3: a stream begins with the party and the cards, then has each event of the log once")
    func wholeAdventure() async throws {
        let stage = try await Stage.make(language: "ja")
        let client = StreamClient(to: stage.server)
        #expect(await client.open(stage.party, as: stage.panda) == 200)
        #expect(await client.headers["content-type"] == "text/event-stream")
        let first = try #require(await client.next())
        #expect(first.name == "party")
        #expect(first.value["id"].string == stage.party)
        #expect(first.id == first.value["events"].array.count)
        let cards = try #require(await client.next())
        #expect(cards.name == "cards")
        #expect(cards.id == nil)
        #expect(cards.value["cards"].array.count == 1)
        #expect(cards.value["cards"][0]["hero"].string == stage.panda.hero)
        #expect(cards.value["cards"][0]["activity"].string == "activity-1")

        try await stage.start()
        #expect(await stage.untilEnded())
        let log = await stage.events()
        let told = try #require(log.last?["sequence"].number)
        let messages = await client.messages { $0.id == Int(told) }
        #expect(Self.numbers(messages) == Array((try #require(first.id) + 1)...Int(told)))
        for message in messages where message.name.isEmpty {
            let event = log[try #require(message.id) - 1]
            #expect(message.value["kind"].string == event["kind"].string)
            #expect(message.value["description"].string == event["description"].string)
            #expect(message.value["at"].number == event["at"].number)
        }
        await stage.server.server.drain()
        #expect(await client.isClosedByServer())
    }

    @Test("D3: the cards are those of the party's response, each in its activity's language")
    func cards() async throws {
        let stage = try await Stage.make()
        let idle = try await stage.panda.anotherHero("Egghead")
        let code = await stage.panda.send(.get, "/v1/parties/\(stage.party)").body["inviteCode"]
        #expect(await idle.join(try #require(code.string)).status == 200)
        let client = StreamClient(to: stage.server)
        #expect(await client.open(stage.party, as: stage.panda) == 200)
        let shown = try #require(
            await client.messages { $0.name == "cards" }.last?.value["cards"].array)
        let heroes = await stage.panda.send(.get, "/v1/parties/\(stage.party)").body["heroes"].array
        #expect(shown.count == 2)
        #expect(heroes.count == 2)
        for (card, hero) in zip(shown, heroes) {
            #expect(card["hero"].string == hero["id"].string)
            #expect(
                card["card"]["eventDescription"].string
                    == hero["card"]["eventDescription"].string)
            #expect(
                card["card"]["currentHealthLevel"].number
                    == hero["card"]["currentHealthLevel"].number)
        }
        #expect(shown[1]["activity"].isNull)
        await stage.server.server.drain()
    }

    @Test(
        "D3: a stream resumes without a gap or a double over a restart and a takeover",
        arguments: [true, false])
    func resumes(drains: Bool) async throws {
        let stage = try await Stage.make()
        let first = StreamClient(to: stage.server)
        #expect(await first.open(stage.party, as: stage.panda) == 200)
        _ = await first.next()
        let start = try #require(await first.lastID)
        try await stage.start()
        _ = await stage.server.step { stage.server.apns.pushes.count > 4 }
        var numbers: [Int] = []
        for _ in 0..<3 { numbers.append(try #require(await first.nextEvent()?.id)) }
        // Whatever else it was sent is lost with the connection.
        if drains { await stage.server.server.drain() }
        let server = try await TestServer(file: stage.server.file, clock: stage.server.clock)
        let back = stage.moved(to: server)
        let second = StreamClient(to: server)
        #expect(await second.open(stage.party, as: back.panda, after: numbers.last) == 200)
        #expect(await server.step(until: { await back.isOver() }))
        let last = Int(await back.events().count)
        let messages = await second.messages { $0.id == last }
        #expect(messages.contains { $0.name == "party" } == false)
        numbers += Self.numbers(messages)
        #expect(numbers == Array((start + 1)...last))
        if !drains { await stage.server.server.drain() }
        await server.server.drain()
    }

    @Test("D3: a client that is far behind gets every event that is kept, page by page")
    func catchesUp() async throws {
        let stage = try await Stage.make(speed: 500)
        try await stage.start()
        await Self.loot(stage, times: 250)
        let last = await stage.events().count
        #expect(last > 250)
        let client = StreamClient(to: stage.server)
        #expect(await client.open(stage.party, as: stage.panda, after: 3) == 200)
        // Others happen meanwhile.
        async let more: Void = Self.loot(stage, times: 30)
        var messages = await client.messages { $0.id == last }
        await more
        let newest = await stage.events().count
        messages += await client.messages { $0.id == newest }
        #expect(messages.contains { $0.name == "party" } == false)
        #expect(newest > last)
        #expect(Self.numbers(messages) == Array(4...newest))
        await stage.server.server.drain()
    }

    @Test("D3: an id that is no longer kept, or unknown, gets the whole party")
    func snapshots() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        #expect(await stage.untilEnded())
        let told = await stage.events().count
        let clock = stage.server.clock
        clock.advance(to: clock.now.adding(seconds: 31 * 24 * 3600))
        let metrics = stage.server.metrics
        #expect(await stage.server.step(until: { metrics.value(.journalRowsFolded) > 0 }))
        #expect(
            await stage.server.step(until: {
                let party = await stage.panda.send(.get, "/v1/parties/\(stage.party)")
                return party.body["firstKeptEvent"].number == Double(told + 1)
            }))
        for position in [1, told + 1000] {
            let client = StreamClient(to: stage.server)
            #expect(await client.open(stage.party, as: stage.panda, after: position) == 200)
            let first = try #require(await client.next())
            #expect(first.name == "party")
            #expect(first.id == told)
        }
        // The newest id still continues.
        let client = StreamClient(to: stage.server)
        #expect(await client.open(stage.party, as: stage.panda, after: told) == 200)
        #expect(await client.next()?.name == "cards")
        await stage.server.server.drain()
    }

    @Test("D3: an id that is no number is refused", arguments: ["x", "-1", "1.5", "99999999999"])
    func malformedID(_ id: String) async throws {
        let stage = try await Stage.make()
        let client = StreamClient(to: stage.server)
        let path = "/v1/parties/\(stage.party)/stream"
        #expect(await client.get(path, as: stage.panda.token, ["last-event-id": id]) == 400)
        #expect(await client.headers["content-type"] == "application/problem+json")
        await stage.server.server.drain()
    }

    @Test("D3: a silent stream gets a heartbeat every 15 seconds, and counts as presence")
    func heartbeat() async throws {
        let stage = try await Stage.make()
        let client = StreamClient(to: stage.server)
        #expect(await client.open(stage.party, as: stage.panda) == 200)
        _ = await client.messages { $0.name == "cards" }
        for _ in 0..<3 {
            await stage.server.step(forSeconds: Int64(PartyStreams.heartbeatSeconds))
            #expect(await client.next(heartbeats: .returned)?.isHeartbeat == true)
        }
        await stage.server.server.drain()
    }

    @Test("D3: a client that has gone is noticed by the heartbeat")
    func gone() async throws {
        let stage = try await Stage.make()
        let metrics = stage.server.metrics
        do {
            let client = StreamClient(to: stage.server)
            #expect(await client.open(stage.party, as: stage.panda) == 200)
            _ = await client.messages { $0.name == "cards" }
            #expect(metrics.value(.streams) == 1)
        }
        #expect(await stage.server.step(until: { metrics.value(.streams) == 0 }))
        await stage.server.server.drain()
    }
}
