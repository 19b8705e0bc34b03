import APNsClient
import Content
import Foundation
import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// What shards promise when much happens at once, and when something fails.
@Suite("Shards", .timeLimit(.minutes(2)), .simulated)
struct ShardTests {
    @Test("200 joins at once: a party takes eight heroes, and every other join is refused")
    func joinsAtOnce() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        let players = try await withThrowingTaskGroup(of: TestPlayer.self) { group in
            for number in 0..<200 {
                group.addTask { try await TestPlayer.make("Hero \(number)", at: server) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let statuses = await withTaskGroup(of: Int.self) { group in
            for player in players { group.addTask { await player.join(party.code).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == Party.sizeMax - 1)
        #expect(statuses.allSatisfy { [200, 409, 503].contains($0) })
        let state = await panda.send(.get, "/v1/parties/\(party.id)")
        #expect(state.body["heroes"].array.count == Party.sizeMax)
        await server.server.drain()
        #expect(await Replay.report(file: server.file, party: nil).differences == [])
    }

    @Test("a read that follows a change never shows the party before it")
    func readYourWrites() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    _ = await panda.watch("activity-\(number % 4)", token: String(1000 + number))
                    let first = await panda.send(.get, "/v1/parties/\(party.id)")
                    let second = await panda.send(.get, "/v1/parties/\(party.id)")
                    let versions = [first, second].compactMap { $0.body["version"].number }
                    #expect(versions.count == 2 && versions[0] <= versions[1])
                }
            }
        }
        let stored = try await SQLiteStore.open(path: server.file).party(PartyID(party.id))
        let shown = await panda.send(.get, "/v1/parties/\(party.id)").body["version"].number
        #expect(shown == stored.map { Double($0.version) })
        await server.server.drain()
    }

    @Test("a party that was read once is read at once from then on, also after it has changed")
    func immediateReads() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        let stranger = try await TestPlayer.make("Egghead", at: server)
        func atOnce(as player: TestPlayer) throws -> Double? {
            let request = Request(
                method: .get, path: "/v1/parties/\(party.id)",
                headers: ["authorization": "Bearer \(player.token)"])
            let body = request.withHead { (head: borrowing RequestHead) in
                server.server.immediateResponse(to: head)?.body
            }
            return try body.map { bytes in
                try Value(json: bytes)["version"].number ?? 0
            }
        }
        #expect(await panda.send(.get, "/v1/parties/\(party.id)").status == 200)
        let before = try #require(try atOnce(as: panda))
        for number in 1...5 {
            #expect(await panda.watch("activity-1", token: String(1000 + number)).status == 204)
            #expect(try atOnce(as: panda) == before + Double(number))
        }
        #expect(try atOnce(as: stranger) == nil)
        await server.server.drain()
    }

    @Test("a party whose creation failed leaves nothing, and its hero is free")
    func failedCreation() async throws {
        let stage = try await Stage.make()
        let egghead = try await TestPlayer.make("Egghead", at: stage.server)
        stage.store.failWrites(.unavailable("the disk is full"))
        let refused = await egghead.send(.post, "/v1/parties", #"{"hero":"\#(egghead.hero)"}"#)
        #expect(refused.status == 503)
        let isGone = await stage.server.step(until: {
            stage.server.metrics.value(.partiesInMemory, labels: "loop=\"0\"") == 0
        })
        #expect(isGone)
        stage.store.failWrites(nil)
        let founded = await egghead.send(.post, "/v1/parties", #"{"hero":"\#(egghead.hero)"}"#)
        #expect(founded.status == 201)
        #expect(try await stage.store.parties(after: nil, limit: 10).count == 2)
        await stage.server.server.drain()
    }

    @Test("more requests than a shard may have get a 503 with Retry-After, and none is lost")
    func overload() async throws {
        let stage = try await Stage.make()
        let players = try await withThrowingTaskGroup(of: TestPlayer.self) { group in
            for number in 0..<80 {
                group.addTask { try await TestPlayer.make("Hero \(number)", at: stage.server) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for player in players { _ = try await player.found() }
        stage.store.hold()
        let extra = 100
        let perPlayer = (Mailbox.requestsMax + extra) / players.count + 1
        let total = perPlayer * players.count
        let statuses = await withTaskGroup(of: TestServer.Answer.self) { group in
            for (index, player) in players.enumerated() {
                for number in 0..<perPlayer {
                    let token = String(100_000 + 1000 * index + number)
                    group.addTask {
                        await player.watch("a-\(player.id)", token: token)
                    }
                }
            }
            var answers: [TestServer.Answer] = []
            // Those beyond the bounds are refused while the others wait.
            for _ in 0..<(total - Mailbox.requestsMax) {
                if let answer = await group.next() { answers.append(answer) }
            }
            #expect(answers.count == total - Mailbox.requestsMax)
            #expect(answers.allSatisfy { $0.status == 503 && $0.headers["retry-after"] == "1" })
            stage.store.release()
            for await answer in group { answers.append(answer) }
            return answers.map(\.status)
        }
        #expect(statuses.count == total)
        #expect(statuses.allSatisfy { [204, 503].contains($0) })
        #expect(await stage.panda.watch("activity-1", token: "0f").status == 204)
        await stage.server.server.drain()
    }

    @Test("a change advances a limited number of moments; the rest follows at once")
    func boundedStep() throws {
        let hero = Hero(
            id: HeroID("panda"), owner: PlayerID("player"), name: "Power Panda", avatar: "🐼",
            heroType: "Forest Dweller")
        var party = Party(id: PartyID("party"))
        _ = try party.apply(.join(hero), at: .zero)
        _ = try party.apply(.start(seed: 7, EmbeddedPacks.classic), at: .zero)
        let now = WallTime(milliseconds: 1_685_952_000_000)
        // At this speed half an hour of the story lies within the catch-up's minute.
        let clock = PartyClock(
            beganAt: now.adding(seconds: -50), millisecondsPerSecond: 60_000)
        var stored = StoredParty(
            key: PartyKey(number: 1), version: 1, party: party, clock: clock, activities: [],
            inviteCode: "code", createdAt: now)
        var events: [PartyEvent] = []
        var changes = 0
        var isBehind = true
        while isBehind {
            var change = PartyChange(stored, now: now)
            change.advance()
            isBehind = change.isBehind
            guard let finished = change.finish() else { break }
            let moments = Set(finished.commit.events.map(\.time))
            #expect(moments.count <= PartyChange.momentsMax)
            events += finished.commit.events
            stored = finished.commit.stored
            changes += 1
        }
        #expect(changes > 1)
        var whole = party
        #expect(events == whole.advance(to: clock.gameTime(at: now)))
        #expect(stored.party == whole)
    }

    @Test("three loops advance all parties, even after a crash")
    func loops() async throws {
        let first = try await TestServer(loops: 3)
        var players: [(player: TestPlayer, party: String)] = []
        for number in 0..<12 {
            let player = try await TestPlayer.make("Hero \(number)", at: first)
            let party = try await player.found().id
            _ = await player.watch("activity-\(number)", token: String(1000 + number))
            let path = "/v1/parties/\(party)/adventure"
            #expect(await player.send(.post, path).status == 201)
            players.append((player, party))
        }
        #expect(await first.step(until: { first.apns.pushes.count > 40 }))
        let second = try await TestServer(
            file: first.file, clock: VirtualClock(now: first.clock.now.adding(seconds: 1)),
            loops: 3)
        let ended = {
            Set(
                second.apns.pushes.filter { $0.aps["event"].string == "end" }
                    .map(\.request.token.hex))
        }
        #expect(await second.step(until: { ended().count == 12 }))
        for (player, party) in players {
            let state = await player.moved(to: second).send(.get, "/v1/parties/\(party)")
            #expect(state.body["adventure"]["phase"].string == "over")
        }
        await second.server.drain()
        await first.server.drain()
        let report = await Replay.report(file: first.file, party: nil)
        #expect(report.parties == 12)
        #expect(report.differences == [])
    }

    @Test("a party's shard never changes", arguments: [("party-a", 381), ("", 805)])
    func shardOfParty(id: String, shard: Int) {
        #expect(Shards.shard(of: PartyID(id)) == shard)
    }
}
