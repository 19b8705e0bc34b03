import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("D5: an app comes back", .timeLimit(.minutes(1)), .simulated)
struct ReturningAppTests {
    @Test("D5: a player who lost the response to POST /v1/parties finds the party")
    func lostResponse() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let idle = try await panda.anotherHero("Egghead")
        let party = try await panda.found()
        let me = await panda.send(.get, "/v1/me")
        #expect(me.status == 200)
        #expect(me.body["player"].string == panda.id)
        let heroes = me.body["heroes"].array
        #expect(heroes.count == 2)
        for hero in heroes {
            let isIdle = hero["id"].string == idle.hero
            #expect(hero["party"].string == (isIdle ? nil : party.id))
            #expect(hero["name"].string == (isIdle ? "Egghead" : "Power Panda"))
        }
        await server.server.drain()
    }

    @Test("D5: a hero who has left is in no party")
    func left() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        _ = await panda.send(
            .post, "/v1/parties/\(party.id)/actions",
            #"{"hero":"\#(panda.hero)","action":"leave"}"#)
        let me = await panda.send(.get, "/v1/me")
        #expect(me.body["heroes"].array.count == 1)
        #expect(me.body["heroes"][0]["party"].isNull)
        #expect(await panda.send(.get, "/v1/parties").body["parties"].array.isEmpty)
        await server.server.drain()
    }

    @Test("D5: a player sees their Live Activities and devices, and never a token")
    func activitiesAndDevices() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        let start = server.clock.now.milliseconds
        #expect(
            await panda.watch("one", token: "abcd12", language: "ja", device: "phone").status == 204
        )
        #expect(await panda.watch("two", token: nil).status == 204)
        #expect(await panda.offer("phone", token: "fedc34").status == 204)
        let me = await panda.send(.get, "/v1/me")
        #expect(!me.text.contains("abcd12") && !me.text.contains("fedc34"))
        #expect(!me.text.contains(panda.token))
        let activities = me.body["activities"].array
        #expect(activities.map { $0["id"].string } == ["one", "two"])
        let one = me.body["activities"][0]
        #expect(one["hero"].string == panda.hero)
        #expect(one["party"].string == party.id)
        #expect(one["state"].string == "active")
        #expect(one["environment"].string == "sandbox")
        #expect(one["device"].string == "phone")
        #expect(one["language"].string == "ja")
        #expect(one["hasPushToken"].bool == true)
        #expect(one["tokenRegisteredAt"].number == Double(start))
        #expect(one["registeredAt"].number == Double(start))
        #expect(one["endsBy"].number == Double(start + 1000 * ActivityOutbox.ageMaxSeconds))
        let two = me.body["activities"][1]
        #expect(two["hasPushToken"].bool == false)
        #expect(two["tokenRegisteredAt"].isNull)
        #expect(two["device"].isNull)
        #expect(me.body["devices"].array.count == 1)
        #expect(me.body["devices"][0]["device"].string == "phone")
        #expect(me.body["devices"][0]["environment"].string == "sandbox")
        #expect(me.body["devices"][0]["hasPushToStartToken"].bool == true)
        #expect(me.body["devices"][0]["unfollowedStarts"].number == 0)
        _ = await panda.send(.delete, "/v1/players/me/push-to-start-tokens/phone")
        let after = await panda.send(.get, "/v1/me")
        #expect(after.body["devices"][0]["hasPushToStartToken"].bool == false)
        await server.server.drain()
    }

    @Test("D5: an ended Live Activity has no age limit to reach")
    func endedActivity() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        _ = await panda.watch("one")
        _ = await panda.send(.post, "/v1/activities/one/state", #"{"state":"dismissed"}"#)
        let one = await panda.send(.get, "/v1/activities/one")
        #expect(one.status == 200)
        #expect(one.body["state"].string == "dismissed")
        #expect(one.body["endsBy"].isNull)
        await server.server.drain()
    }

    @Test("D5: GET /v1/activities/{activity} returns what GET /v1/me lists")
    func oneActivity() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        _ = await panda.watch("one", device: "phone")
        let one = await panda.send(.get, "/v1/activities/one")
        let me = await panda.send(.get, "/v1/me")
        #expect(one.status == 200)
        #expect(one.text.contains("\"id\":\"one\""))
        #expect(me.text.contains(one.text))
        #expect(await panda.send(.get, "/v1/activities/two").status == 404)
        await server.server.drain()
    }

    @Test("D5: GET /v1/parties lists the player's parties in the language of the request")
    func parties() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let second = try await panda.anotherHero("Egghead")
        let thief = try await TestPlayer.make("Thief", at: server)
        let first = try await panda.found()
        let other = try await second.found()
        let foreign = try await thief.found()
        _ = await panda.send(.post, "/v1/parties/\(first.id)/adventure")
        let answer = await server.send(.get, "/v1/parties", as: panda.token, language: "de")
        #expect(answer.status == 200)
        let parties = answer.body["parties"].array
        #expect(parties.compactMap { $0["id"].string } == [first.id, other.id].sorted())
        #expect(!answer.text.contains(foreign.id))
        let shown = await server.send(
            .get, "/v1/parties/\(first.id)", as: panda.token, language: "de")
        let listed = try #require(parties.first { $0["id"].string == first.id })
        #expect(listed["heroes"][0]["card"]["eventDescription"].string != nil)
        #expect(
            listed["heroes"][0]["card"]["eventDescription"].string
                == shown.body["heroes"][0]["card"]["eventDescription"].string)
        #expect(listed["version"].number == shown.body["version"].number)
        #expect(listed["events"].array.isEmpty)
        await server.server.drain()
    }

    @Test("PR15: another player's Live Activities, heroes and devices are not shown")
    func privacy() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let egghead = try await TestPlayer.make("Egghead", at: server)
        let party = try await panda.found()
        _ = await egghead.join(party.code)
        _ = await panda.watch("pandas", token: "aa01", device: "pandas-phone")
        _ = await panda.offer("pandas-phone", token: "bb01")
        let me = await egghead.send(.get, "/v1/me")
        #expect(me.body["activities"].array.isEmpty)
        #expect(me.body["devices"].array.isEmpty)
        #expect(me.body["heroes"].array.count == 1)
        #expect(!me.text.contains("pandas"))
        #expect(await egghead.send(.get, "/v1/activities/pandas").status == 404)
        let parties = await egghead.send(.get, "/v1/parties")
        #expect(!parties.text.contains("pandas") && !parties.text.contains("aa01"))
        await server.server.drain()
    }

    @Test("D5: what the player sees survives a restart")
    func restart() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        _ = await panda.watch("one", device: "phone")
        let before = await panda.send(.get, "/v1/me")
        #expect(before.status == 200)
        await server.server.drain()
        let again = try await TestServer(file: server.file, clock: server.clock)
        #expect(await panda.moved(to: again).send(.get, "/v1/me").text == before.text)
        await again.server.drain()
    }
}
