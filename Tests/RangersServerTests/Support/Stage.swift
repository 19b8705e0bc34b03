import APNsClient
import GameLogic
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import RangersServer
import Testing

/// A party of one with one phone, at a server whose parts a test can reach: most stories begin
/// like this.
struct Stage {
    let server: TestServer
    let panda: TestPlayer
    let party: String
    /// The store between the server and its file.
    let store: FaultyStore

    var apns: FakeAPNs { server.apns }

    static func make(
        file: String = TestServer.freshFile(), clock: VirtualClock = VirtualClock(),
        apns: FakeAPNs = FakeAPNs(), language: String = "en", speed: Int64 = 60_000,
        streamsMax: Int = 5000, rates: RateSettings = TestServer.patientRates
    ) async throws -> Stage {
        let made = Locked<FaultyStore?>(nil)
        let server = try await TestServer(
            file: file, clock: clock, apns: apns, speed: speed, streamsMax: streamsMax,
            rates: rates,
            wrapping: { sqlite in
                let store = FaultyStore(sqlite)
                made.withLock { $0 = store }
                return store
            })
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found().id
        try #require(await panda.watch("activity-1", language: language).status == 204)
        return Stage(
            server: server, panda: panda, party: party,
            store: try #require(made.withLock { $0 }))
    }

    func start() async throws {
        let answer = await panda.send(.post, "/v1/parties/\(party)/adventure")
        try #require(answer.status == 201, "\(answer.text)")
    }

    /// The same player and party at a server that took over.
    func moved(to server: TestServer) -> Stage {
        Stage(server: server, panda: panda.moved(to: server), party: party, store: store)
    }

    /// Every event of the party, page by page, by the front door.
    func events() async -> [Value] {
        var events: [Value] = []
        var after = 0
        while true {
            let page = await panda.send(.get, "/v1/parties/\(party)?after=\(after)").body["events"]
            guard let last = page.array.last?["sequence"].number.map({ Int($0) }), last > after
            else {
                #expect(page.array.isEmpty, "the events after \(after) end before it")
                return events
            }
            events += page.array
            after = last
        }
    }

    /// Fails unless the events are numbered from 1 without a gap and end with the adventure.
    func requireWholeStory() async throws {
        let numbers = await events().compactMap { $0["sequence"].number }
        try #require(!numbers.isEmpty)
        #expect(numbers == (1...numbers.count).map { Double($0) })
        #expect(await isOver())
    }

    func isOver() async -> Bool {
        let state = await panda.send(.get, "/v1/parties/\(party)")
        return state.body["adventure"]["phase"].string == "over"
    }

    var isEnded: Bool { apns.pushes.last?.aps["event"].string == "end" }

    /// Lets the adventure run to its last push; returns whether it came.
    func untilEnded() async -> Bool {
        await server.step(until: { isEnded })
    }

    /// Whether the store knows that APNs has accepted a push of the party.
    func storeKnowsOfAcceptance() async -> Bool {
        await (try? store.knowsOfAcceptance(in: PartyID(party))) ?? false
    }

    /// Steps until the store knows that APNs has accepted a push. Returns whether it learned that
    /// before anything else happened to the party: the next event's row would contain it too.
    func isAcceptanceWrittenAlone() async -> Bool {
        let before = await version()
        let isWritten = await server.step(until: {
            if await storeKnowsOfAcceptance() { return true }
            return await version() != before
        })
        let after = await version()
        return isWritten && after == before
    }

    private func version() async -> Int64? {
        (try? await store.party(PartyID(party)))??.version
    }

    /// Seconds since 1970 of each push, in the order of sending.
    var timestamps: [Double] { apns.pushes.compactMap { $0.aps["timestamp"].number } }
}

extension Store {
    /// Whether an acceptance stands in the party's row, or in a row of outcomes.
    func knowsOfAcceptance(in party: PartyID) async throws -> Bool {
        let stored = try await self.party(party)
        let isInRow = stored?.activities.contains { $0.outbox?.snapshot.accepted != nil } ?? false
        let isInOutcomes = try await outcomes().contains { row in
            row.outcomes.contains { $0.party == stored?.key && $0.outcome == .accepted }
        }
        return isInRow || isInOutcomes
    }
}
