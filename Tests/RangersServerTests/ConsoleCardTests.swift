import APNsClient
import GameLogic
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// A party that a console watches, with phones in three languages.
private struct WatchedScene {
    let stage: Stage
    let client: StreamClient
    /// The newest message of each card.
    let cards = Locked<[String: Value]>([:])
    /// Why cards have waited so far.
    let waits = Locked<Set<String>>([])

    static func make(
        language: String = "en", watching: Bool = true, speed: Int64 = 60_000
    ) async throws -> WatchedScene {
        let stage = try await Stage.make(language: language, speed: speed)
        for (activity, language) in [("activity-2", "ja"), ("activity-3", "de")] {
            let answer = await stage.panda.watch(
                activity, language: language, more: #","stateVersion":2"#)
            try #require(answer.status == 204)
        }
        let client = StreamClient(to: stage.server)
        let scene = WatchedScene(stage: stage, client: client)
        if watching { try #require(await scene.open() == 200) }
        return scene
    }

    func open() async -> Int {
        await client.get("/v1/admin/stream?watch=\(stage.party)", as: TestServer.adminKey)
    }

    /// What `…/cards` returns now, without what changes with the clock alone.
    func listed() async -> [String: Value] {
        let cards = await stage.server.admin(.get, "/v1/admin/parties/\(stage.party)/cards")
            .body["cards"].array
        return Dictionary(
            cards.map { ($0["activity"].string ?? "", $0.withoutClock) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Reads the stream until each card is as it is listed.
    func untilListed() async -> Bool {
        let reading = Task { [client, cards, waits] in
            while let message = await client.next() {
                guard message.name == "card" else { continue }
                let value = message.value
                cards.withLock { $0[value["activity"].string ?? ""] = value }
                if let reason = value["waits"].string { waits.withLock { _ = $0.insert(reason) } }
            }
        }
        // It ends with the stream, at the drain.
        defer { _ = reading }
        return await stage.server.step(until: {
            let (listed, shown) = (await listed(), cards.withLock { $0 })
            return listed.count == shown.count
                && listed.allSatisfy { shown[$0.key]?.withoutClock.text == $0.value.text }
        })
    }
}

extension Value {
    /// A card without its budget, which fills with time, and the party that only a message has.
    fileprivate var withoutClock: Value {
        guard case .object(var fields) = self else { return self }
        fields["budget"] = nil
        fields["party"] = nil
        return .object(fields)
    }

    /// The same text for the same value.
    fileprivate var text: String {
        switch self {
        case .object(let fields):
            "{"
                + fields.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value.text)" }
                .joined(separator: ",") + "}"
        case .array(let items): "[" + items.map(\.text).joined(separator: ",") + "]"
        case .string(let text): "\"\(text)\""
        case .number(let number): "\(number)"
        case .bool(let truth): "\(truth)"
        case .null: "null"
        }
    }
}

@Suite("consoles' streams: cards", .timeLimit(.minutes(3)))
struct ConsoleCardTests {
    @Test("a card's message is its entry of the list, field for field")
    func sameShape() async throws {
        let scene = try await WatchedScene.make()
        try await scene.stage.start()
        _ = await scene.stage.server.step { scene.stage.apns.pushes.count > 12 }
        #expect(await scene.untilListed())
        let message = try #require(scene.cards.withLock { $0["activity-2"] })
        #expect(message["party"].string == scene.stage.party)
        #expect(WatchedCards.schema.findings(in: message, at: "card") == [])
        #expect(message["shown"]["timestamp"].number ?? 0 > 0)
        #expect(message["shown"]["acceptedAt"].number ?? 0 > 0)
        #expect(!message["budget"]["left"].isNull)
        await scene.stage.server.server.drain()
    }

    @Test("a party that is watched in the middle of its story is told on from its journal")
    func middle() async throws {
        let scene = try await WatchedScene.make(watching: false)
        try await scene.stage.start()
        _ = await scene.stage.server.step { scene.stage.apns.pushes.count > 12 }
        #expect(await scene.open() == 200)
        _ = await scene.stage.server.step { scene.stage.apns.pushes.count > 20 }
        #expect(await scene.untilListed())
        #expect(await scene.stage.untilEnded())
        await scene.stage.server.step(forSeconds: 5)
        #expect(
            await scene.stage.server.step(until: {
                scene.cards.withLock { $0.values.allSatisfy { $0["state"].string == "ended" } }
            }))
        await scene.stage.server.server.drain()
    }

    @Test("refused and held back pushes show in a card as they do in the list")
    func refused() async throws {
        let scene = try await WatchedScene.make()
        let count = Locked(0)
        scene.stage.apns.answer(
            .by { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number.isMultiple(of: 3)
                    ? MomentTests.refusal(429, "TooManyRequests") : .accepted(apnsUniqueID: nil)
            })
        try await scene.stage.start()
        _ = await scene.stage.server.step { scene.stage.apns.pushes.count > 8 }
        #expect(await scene.untilListed())
        let refused = "APNs refused the newest push with 429 TooManyRequests"
        #expect(
            await scene.stage.server.step(until: {
                scene.waits.withLock { $0.contains(refused) }
            }))
        await scene.stage.server.server.drain()
    }

    @Test("a phone that registers, changes its token or leaves is in the messages")
    func phones() async throws {
        let scene = try await WatchedScene.make()
        let stage = scene.stage
        try await stage.start()
        await stage.apns.untilSent(3)
        #expect(await stage.panda.watch("activity-4", token: nil).status == 204)
        #expect(await stage.panda.watch("activity-1", token: "dada").status == 204)
        let report = await stage.panda.send(
            .post, "/v1/activities/activity-2/state", #"{"state":"dismissed"}"#)
        #expect(report.status == 204)
        _ = await stage.server.step { stage.apns.pushes.count > 12 }
        #expect(await scene.untilListed())
        let cards = scene.cards.withLock { $0 }
        #expect(cards["activity-1"]?["token"].string == "dada")
        #expect(cards["activity-2"]?["state"].string == "dismissed")
        #expect(cards["activity-4"]?["waits"].string == "waits for a push token (T2)")
        await stage.server.server.drain()
    }

    @Test("the wall alone gets no cards")
    func wall() async throws {
        let scene = try await WatchedScene.make(watching: false)
        #expect(
            await scene.client.get("/v1/admin/stream?watch=wall", as: TestServer.adminKey) == 200)
        try await scene.stage.start()
        _ = await scene.stage.server.step { scene.stage.apns.pushes.count > 12 }
        await scene.stage.server.server.drain()
        let names = Set(await scene.client.messages { _ in false }.map(\.name))
        #expect(names.contains("party") && !names.contains("card"))
    }

    @Test("when the file cannot be read, the streams of a watched party end, and no others")
    func unavailable() async throws {
        let scene = try await WatchedScene.make(watching: false)
        scene.stage.store.journalFault.withLock { $0 = .unavailable("the disk is gone") }
        let others = StreamClient(to: scene.stage.server)
        #expect(await others.get("/v1/admin/stream?watch=wall", as: TestServer.adminKey) == 200)
        #expect(await scene.open() == 200)
        let last = await scene.client.messages { _ in false }.last
        #expect(last?.name == "closed" && last?.data == #"{"reason":"unavailable"}"#)
        let metrics = scene.stage.server.metrics
        await TestServer.until { metrics.value(.consoleStreams) == 1 }
        scene.stage.store.journalFault.withLock { $0 = nil }
        let again = StreamClient(to: scene.stage.server)
        let path = "/v1/admin/stream?watch=\(scene.stage.party)"
        #expect(await again.get(path, as: TestServer.adminKey) == 200)
        #expect(await again.next()?.name == "snapshot")
        await scene.stage.server.server.drain()
    }
}

@Suite("What is known of a watched party's cards")
struct WatchedCardsTests {
    private static let party = PartyID("p")
    private static let now = WallTime(milliseconds: 1_700_000_000_000)

    private static func told(version: Int64) -> WatchedCards.Told {
        WatchedCards.Told(
            moments: PartyMoments(
                from: Party(id: party), cards: [],
                PartyMoments.Settings(
                    millisecondsPerSecond: 1000, wallOffsets: WallOffsets(), kept: .newest(1))),
            version: version)
    }

    /// Begins to read at times in milliseconds; returns at which of them that was needed.
    private static func reads(
        _ cards: inout WatchedCards, _ number: Int, at times: Int64...
    ) -> [Int64] {
        times.filter { cards.beginReading(number, at: now.adding(milliseconds: $0)) }
    }

    @Test("a journal is read once, and again a second after it could not be")
    func retry() {
        var cards = WatchedCards(of: Self.party)
        let first = Self.reads(&cards, 1, at: 0, 1)
        cards.take(nil, reading: 1)
        let second = Self.reads(&cards, 2, at: 999, 1000)
        cards.take(Self.told(version: 3), reading: 2)
        let third = Self.reads(&cards, 3, at: 60_000)
        #expect(first == [0] && second == [1000] && third.isEmpty)
    }

    @Test("an older reading is not taken, nor is one during which changes were lost")
    func older() {
        var cards = WatchedCards(of: Self.party)
        var read = Self.reads(&cards, 1, at: 0)
        cards.lose()
        read += Self.reads(&cards, 2, at: 1000)
        cards.take(Self.told(version: 3), reading: 1)
        cards.lose()
        cards.take(Self.told(version: 3), reading: 2)
        read += Self.reads(&cards, 3, at: 2000)
        #expect(read == [0, 1000, 2000])
    }

    @Test("what is erased in the journal is read from it again")
    func erased() throws {
        var cards = WatchedCards(of: Self.party)
        var read = Self.reads(&cards, 1, at: 0)
        cards.take(Self.told(version: 3), reading: 1)
        var commit = PartyCommit(stored: Self.stored, isAwake: true, at: Self.now)
        cards.note(commit, WallOffsets())
        read += Self.reads(&cards, 2, at: 5000)
        commit.erased = [HeroID("hero")]
        cards.note(commit, WallOffsets())
        read += Self.reads(&cards, 2, at: 6000)
        #expect(read == [0, 6000])
    }

    private static let stored = StoredParty(
        key: PartyKey(number: 1), version: 4, party: Party(id: party),
        clock: PartyClock(beganAt: now, millisecondsPerSecond: 1000), inviteCode: "",
        createdAt: now)
}
