import Isolation
import Playtest
import PushPolicy
import Testing

@testable import HTTPServer
@testable import RangersServer

/// D3: streams are bounded, and end with what they depend on.
@Suite("D3: limits and ends of event streams", .timeLimit(.minutes(2)))
struct StreamLimitTests {
    private static func open(
        _ party: String, as player: TestPlayer
    ) async -> (client: StreamClient, status: Int) {
        let client = StreamClient(to: player.server)
        return (client, await client.open(party, as: player))
    }

    @Test("D3: of 200 streams that a player opens at once, 8 are open and the others refused")
    func limitOfPlayer() async throws {
        let stage = try await Stage.make()
        let opened = await withTaskGroup(of: (StreamClient, Int).self) { group in
            for _ in 0..<200 { group.addTask { await Self.open(stage.party, as: stage.panda) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(opened.count(where: { $0.1 == 200 }) == PartyStreams.playerMax)
        #expect(opened.count(where: { $0.1 == 429 }) == 200 - PartyStreams.playerMax)
        for (client, status) in opened where status == 429 {
            #expect(await client.headers["retry-after"] == "15")
        }
        #expect(stage.server.metrics.value(.streams) == Double(PartyStreams.playerMax))
        // Another player has places of their own.
        let egghead = try await TestPlayer.make("Egghead", at: stage.server)
        let other = try await egghead.found().id
        #expect(await Self.open(other, as: egghead).status == 200)
        await stage.server.server.drain()
        for (client, _) in opened { #expect(await client.isClosedByServer()) }
        #expect(stage.server.metrics.value(.streams) == 0)
    }

    @Test("D3: places are free again when their clients have gone")
    func freed() async throws {
        let stage = try await Stage.make()
        let metrics = stage.server.metrics
        for _ in 0..<3 {
            var clients: [StreamClient] = []
            for _ in 0..<PartyStreams.playerMax {
                let (client, status) = await Self.open(stage.party, as: stage.panda)
                #expect(status == 200)
                clients.append(client)
            }
            #expect(metrics.value(.streams) == Double(PartyStreams.playerMax))
            clients = []
            #expect(await stage.server.step(until: { metrics.value(.streams) == 0 }))
        }
        await stage.server.server.drain()
    }

    @Test("D3: beyond the server's limit of streams a client gets a 503 with Retry-After")
    func limitOfServer() async throws {
        let server = try await TestServer(streamsMax: 3)
        var clients: [StreamClient] = []
        var statuses: [Int] = []
        for number in 0..<4 {
            let player = try await TestPlayer.make("Panda \(number)", at: server)
            let (client, status) = await Self.open(try await player.found().id, as: player)
            clients.append(client)
            statuses.append(status)
        }
        #expect(statuses == [200, 200, 200, 503])
        #expect(await clients[3].headers["retry-after"] == "1")
        await server.server.drain()
    }

    @Test("PR22: when one network has all streams, a client of another one gets a place of it")
    func turns() async throws {
        let stage = try await Stage.make(streamsMax: 3)
        let metrics = stage.server.metrics
        var clients: [StreamClient] = []
        for _ in 0..<3 {
            let (client, status) = await Self.open(stage.party, as: stage.panda)
            #expect(status == 200)
            clients.append(client)
        }
        let newcomer = try await TestPlayer.make("Egghead", at: stage.server, from: "192.0.2.1")
        let path = "/v1/parties/\(try await newcomer.found().id)/stream"
        let request = Request(
            method: .get, path: path, headers: ["authorization": "Bearer \(newcomer.token)"],
            from: try #require(ClientAddress("192.0.2.1")))
        let stream = await stage.server.server.respond(to: request)
        #expect(stream.status == 200)
        #expect(metrics.value(.streamsDisplaced) == 1 && metrics.value(.streams) == 3)
        // The newest one of the network has gone, and the network gets none back.
        #expect(await clients[2].isClosedByServer())
        #expect(await Self.open(stage.party, as: stage.panda).status == 503)
        try await stage.start()
        #expect(await clients[0].nextEvent() != nil)
        #expect(withExtendedLifetime(stream) { metrics.value(.streams) } == 3)
        await stage.server.server.drain()
    }

    @Test("PR22: streams of one network that read old events delay another network's by one page")
    func turnsOfReads() async throws {
        let stage = try await Stage.make(speed: 500)
        try await stage.start()
        await EventStreamTests.loot(stage, times: PartySnapshot.eventsMax + 20)
        func open(after position: Int, from address: String) async throws -> Response {
            let request = Request(
                method: .get, path: "/v1/parties/\(stage.party)/stream",
                headers: [
                    "authorization": "Bearer \(stage.panda.token)", "last-event-id": "\(position)",
                ], from: try #require(ClientAddress(address)))
            return await stage.server.server.respond(to: request)
        }
        let first = try await open(after: 1, from: "192.0.2.1")
        var others: [Response] = []
        for position in 2...4 { others.append(try await open(after: position, from: "192.0.2.2")) }
        others.append(try await open(after: 9, from: "198.51.100.1"))
        await stage.server.untilAsleep()
        // While the first page is read, all others are asked for.
        stage.store.afterReading(.events) { [others] in
            for other in others { _ = other.stream?.stream.next() }
        }
        stage.store.eventReads.withLock { $0 = [] }
        _ = first.stream?.stream.next()
        await stage.server.untilAsleep()
        #expect(stage.store.eventReads.withLock { $0 } == [1, 2, 9, 3, 4])
        await stage.server.server.drain()
    }

    @Test("PR22: a trusted client keeps its streams, whoever comes")
    func trusted() async throws {
        var rates = TestServer.patientRates
        rates.trustedClients = AddressRange.loopback
        let stage = try await Stage.make(streamsMax: 1, rates: rates)
        let (client, status) = await Self.open(stage.party, as: stage.panda)
        #expect(status == 200)
        let newcomer = try await TestPlayer.make("Egghead", at: stage.server, from: "192.0.2.1")
        let path = "/v1/parties/\(try await newcomer.found().id)/stream"
        #expect(await newcomer.send(.get, path).status == 503)
        try await stage.start()
        #expect(await client.nextEvent() != nil)
        await stage.server.server.drain()
    }

    @Test("D3: a client that does not read is cut, costs the others nothing, and resumes")
    func slowReader() async throws {
        let stage = try await Stage.make(speed: 500)
        try await stage.start()
        let metrics = stage.server.metrics
        let slow = StreamClient(to: stage.server, receiveBufferBytes: 4096)
        #expect(await slow.open(stage.party, as: stage.panda, after: 0) == 200)
        let quick = StreamClient(to: stage.server)
        #expect(await quick.open(stage.party, as: stage.panda, after: 0) == 200)
        var sent = 0
        while metrics.value(.streamsCut) == 0, sent < 5000 {
            await EventStreamTests.loot(stage, times: 20)
            sent += 20
            let last = await stage.events().count
            _ = await quick.messages { $0.id == last }
        }
        #expect(metrics.value(.streamsCut) == 1)
        var numbers = await slow.messages { _ in false }.filter(\.name.isEmpty).compactMap(\.id)
        #expect(!numbers.isEmpty)
        let last = await stage.events().count
        #expect(numbers.count < last)
        let again = StreamClient(to: stage.server)
        #expect(await again.open(stage.party, as: stage.panda, after: numbers.last) == 200)
        numbers += await again.messages { $0.id == last }.filter(\.name.isEmpty).compactMap(\.id)
        #expect(numbers == Array(1...last))
        #expect(metrics.value(.streamsCut) == 1)
        await stage.server.server.drain()
    }

    // MARK: Ends

    enum Departure: CaseIterable {
        case leave, kick, disband
    }

    @Test(
        "D3: a stream ends when its player leaves, is removed, or the party is disbanded",
        arguments: Departure.allCases)
    func departs(_ departure: Departure) async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let egghead = try await TestPlayer.make("Egghead", at: server)
        let party = try await panda.found()
        #expect(await egghead.join(party.code).status == 200)
        let (stream, status) = await Self.open(party.id, as: egghead)
        #expect(status == 200)
        let (leaders, _) = await Self.open(party.id, as: panda)
        let path = "/v1/parties/\(party.id)"
        switch departure {
        case .leave:
            _ = await egghead.send(
                .post, path + "/actions", #"{"hero":"\#(egghead.hero)","action":"leave"}"#)
        case .kick:
            _ = await panda.send(.post, path + "/members/\(egghead.hero)/kick", "{}")
        case .disband:
            #expect(await panda.send(.delete, path).status == 204)
        }
        let last = await stream.messages { _ in false }.last
        #expect(last?.name == "closed")
        #expect(last?.data == #"{"reason":"membership"}"#)
        #expect(await Self.open(party.id, as: egghead).status == 404)
        if departure == .disband {
            #expect(await leaders.messages { _ in false }.last?.name == "closed")
        } else {
            #expect(await leaders.nextEvent() != nil)
        }
        await server.server.drain()
    }

    @Test("D3: a stream ends when the token that opened it ends, and the others go on")
    func revoked() async throws {
        let stage = try await Stage.make()
        let added = await stage.panda.send(.post, "/v1/me/devices", #"{"device":"watch"}"#)
        let token = try #require(added.body["token"].string)
        let path = "/v1/parties/\(stage.party)/stream"
        let (kept, _) = await Self.open(stage.party, as: stage.panda)
        var clients: [StreamClient] = []
        for _ in 0..<3 {
            let client = StreamClient(to: stage.server)
            #expect(await client.get(path, as: token) == 200)
            clients.append(client)
        }
        #expect(await stage.panda.send(.delete, "/v1/me/devices/watch").status == 204)
        for client in clients {
            let last = await client.messages { _ in false }.last
            #expect(last?.data == #"{"reason":"token"}"#)
        }
        #expect(await StreamClient(to: stage.server).get(path, as: token) == 401)
        try await stage.start()
        #expect(await kept.nextEvent() != nil)
        await stage.server.server.drain()
    }

    @Test("D3: of streams that are opened while their token is revoked, none stays open")
    func revokedMeanwhile() async throws {
        let stage = try await Stage.make()
        let path = "/v1/parties/\(stage.party)/stream"
        for round in 0..<20 {
            let added = await stage.panda.send(
                .post, "/v1/me/devices", #"{"device":"watch-\#(round)"}"#)
            let token = try #require(added.body["token"].string)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let client = StreamClient(to: stage.server)
                        let status = await client.get(path, as: token)
                        #expect(status == 200 || status == 401)
                        // It ends only if the server closes it.
                        if status == 200 { _ = await client.messages { _ in false } }
                    }
                }
                group.addTask {
                    let device = "/v1/me/devices/watch-\(round)"
                    #expect(await stage.panda.send(.delete, device).status == 204)
                }
            }
        }
        await stage.server.server.drain()
    }

    @Test("D3: a stream hides the names that its player does not see, in all its messages")
    func hiddenNames() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let egghead = try await TestPlayer.make("Egghead", at: server)
        let party = try await panda.found()
        #expect(await egghead.join(party.code).status == 200)
        let blocks = "/v1/players/me/blocks/\(egghead.id)"
        #expect(await panda.send(.put, blocks, "{}").status == 204)
        let path = "/v1/parties/\(party.id)"
        #expect(await panda.send(.post, path + "/adventure", "{}").status == 201)
        let blocker = StreamClient(to: server)
        #expect(await blocker.open(party.id, as: panda) == 200)
        let resumed = StreamClient(to: server)
        #expect(await resumed.open(party.id, as: panda, after: 0) == 200)
        let (other, status) = await Self.open(party.id, as: egghead)
        #expect(status == 200)
        #expect(await server.admin(.post, "/v1/admin/parties/\(party.id)/loot", "{}").status == 200)
        let last = await panda.send(.get, path).body["events"].array.count
        for (client, isHidden) in [(blocker, true), (resumed, true), (other, false)] {
            let texts = await client.messages { $0.id == last }.map(\.data)
            #expect(texts.count > 2)
            #expect(texts.contains { $0.contains("Egghead") } == !isHidden)
        }
        await server.server.drain()
    }

    @Test("D3: a stranger gets the response of an unknown party")
    func stranger() async throws {
        let stage = try await Stage.make()
        let stranger = try await TestPlayer.make("Egghead", at: stage.server)
        #expect(await Self.open(stage.party, as: stranger).status == 404)
        #expect(await Self.open("party-unknown", as: stranger).status == 404)
        #expect(stage.server.metrics.value(.streams) == 0)
        await stage.server.server.drain()
    }

    @Test("PR13: a server that stops ends its streams at once, also those that nobody reads")
    func drains() async throws {
        let stage = try await Stage.make(speed: 500)
        try await stage.start()
        await EventStreamTests.loot(stage, times: 150)
        let idle = StreamClient(to: stage.server)
        #expect(await idle.open(stage.party, as: stage.panda) == 200)
        let stuck = StreamClient(to: stage.server, receiveBufferBytes: 4096)
        #expect(await stuck.open(stage.party, as: stage.panda, after: 0) == 200)
        await stage.server.server.drain()
        #expect(await idle.isClosedByServer())
        #expect(await stuck.isClosedByServer())
        #expect(stage.server.metrics.value(.streams) == 0)
    }
}
