import APNsClient
import HTTPServer
import PushPolicy
import Testing

@testable import RangersServer

@Suite("T5: a push token is one Live Activity's", .timeLimit(.minutes(2)), .simulated)
struct PushTokenMoveTests {
    @Test("L11: a PUT for an ended activity is a conflict")
    func ended() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        for state in ["ended", "dismissed"] {
            #expect(await panda.watch(state).status == 204)
            _ = await panda.send(
                .post, "/v1/activities/\(state)/state", #"{"state":"\#(state)"}"#)
            let answer = await panda.watch(state, token: "beef")
            #expect(answer.status == 409)
            #expect(
                answer.body["detail"].string
                    == "Live Activity \(state) has ended: request a new one.")
            let shown = await panda.send(.get, "/v1/activities/\(state)")
            #expect(shown.body["state"].string == state)
        }
        #expect(await panda.watch("over").status == 204)
        _ = await panda.send(.post, "/v1/parties/\(party.id)/adventure")
        await server.end(party.id)
        // The next change notes that the end was accepted.
        #expect(await panda.watch("new").status == 204)
        #expect(await panda.watch("over").status == 409)
        await server.server.drain()
    }

    @Test("T5: registered again by its player for another activity, the older one loses it")
    func moves() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        #expect(await panda.watch("old", token: "aa01").status == 204)
        #expect(await panda.watch("new", token: "aa01").status == 204)
        #expect(await panda.holders() == ["new"])
        let before = server.apns.pushes.count
        _ = await panda.send(.post, "/v1/parties/\(party.id)/adventure")
        let pushes = server.apns.pushes.dropFirst(before)
        #expect(pushes.map(\.request.token.hex) == ["aa01"])
        #expect(await panda.watch("old", token: "aa02").status == 204)
        #expect(await panda.holders() == ["new", "old"])
        await server.server.drain()
    }

    @Test("T5: the token moves from an activity in another party too")
    func movesBetweenParties() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let egghead = try await panda.anotherHero("Egghead")
        let first = try await panda.found()
        _ = try await egghead.found()
        #expect(await panda.watch("old", token: "aa01").status == 204)
        #expect(await egghead.watch("new", token: "aa01").status == 204)
        #expect(await panda.holders() == ["new"])
        let before = server.apns.pushes.count
        _ = await panda.send(.post, "/v1/parties/\(first.id)/adventure")
        #expect(server.apns.pushes.count == before)
        await server.server.drain()
    }

    @Test("T5: another player's registration is refused while the holder's activity lives")
    func otherPlayer() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let friend = try await TestPlayer.make("Egghead", at: server)
        let stranger = try await TestPlayer.make("Spouty", at: server)
        let party = try await panda.found()
        _ = await friend.join(party.code)
        _ = try await stranger.found()
        #expect(await panda.watch("pandas", token: "aa01").status == 204)
        for other in [friend, stranger] {
            let answer = await other.watch("\(other.name)s", token: "aa01")
            #expect(answer.status == 409)
            #expect(!answer.text.contains("pandas"))
            #expect(await other.holders() == [])
        }
        #expect(await panda.holders() == ["pandas"])
        _ = await panda.send(.post, "/v1/activities/pandas/state", #"{"state":"dismissed"}"#)
        #expect(await stranger.watch("strangers", token: "aa01").status == 204)
        #expect(await stranger.send(.delete, "/v1/activities/strangers").status == 204)
        #expect(await friend.watch("friends", token: "aa01").status == 204)
        await server.server.drain()
    }

    @Test("T5: of 200 players who register one token at once, one gets it")
    func manyPlayers() async throws {
        let server = try await TestServer()
        var players: [TestPlayer] = []
        for number in 0..<200 {
            let player = try await TestPlayer.make("Panda \(number)", at: server)
            _ = try await player.found()
            players.append(player)
        }
        let statuses = await withTaskGroup(of: Int.self) { group in
            for (number, player) in players.enumerated() {
                group.addTask { await player.watch("activity-\(number)", token: "aa01").status }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count == 200)
        #expect(statuses.count { $0 == 204 } == 1)
        #expect(statuses.count { $0 == 409 } == 199)
        await server.server.drain()
    }

    @Test("T5: a player who registers one token 200 times at once has it on one activity")
    func manyActivities() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        var heroes = [panda]
        while heroes.count < 4 { heroes.append(try await panda.anotherHero("Egghead")) }
        for hero in heroes { _ = try await hero.found() }
        let watchers = heroes
        let statuses = await withTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                let hero = watchers[number % watchers.count]
                // Each hero has four activities, as many as a player may have in a party.
                let activity = "activity-\(number % 16)"
                group.addTask { await hero.watch(activity, token: "aa01").status }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count == 200)
        #expect(statuses.allSatisfy { [204, 503].contains($0) })
        #expect(statuses.contains(204))
        // A request that must be repeated may have taken the token from its holder already.
        let holders = await panda.holders()
        #expect(holders.count == 1 || holders.isEmpty && statuses.contains(503))
        #expect(await panda.watch("activity-0", token: "aa01").status == 204)
        #expect(await panda.holders() == ["activity-0"])
        await server.server.drain()
    }
}

extension TestPlayer {
    /// The player's activities with a push token.
    fileprivate func holders() async -> [String] {
        let activities = await send(.get, "/v1/me").body["activities"].array
        return activities.filter { $0["hasPushToken"].bool == true }
            .compactMap { $0["id"].string }.sorted()
    }
}
