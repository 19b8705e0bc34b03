import APNsClient
import HTTPServer
import Playtest
import PushPolicy
import RangersServer
import Testing

@Suite("Pushes leave the server", .timeLimit(.minutes(2)), .simulated)
struct PushTests {
    @Test("L6: the start of an adventure updates each activity")
    func firstPush() async throws {
        let (server, panda, party) = try await Self.watchedParty()
        _ = await panda.send(.post, "/v1/parties/\(party)/adventure")
        await server.apns.untilSent(1)
        let push = try #require(server.apns.pushes.first)
        #expect(push.aps["event"].string == "update")
        let said = push.aps["content-state"]["eventDescription"].string ?? ""
        #expect(Sentences.of("classic/1.begins").contains(said))
        #expect(push.aps["content-state"]["currentHealthLevel"].number == 1)
        #expect(push.request.topic == TestServer.bundleID + ".push-type.liveactivity")
        #expect(push.request.priority == .high)
        #expect(push.request.token.hex == "abcd")
        await server.server.drain()
    }

    @Test("AC1: a party advances without a client, and each activity ends with the adventure")
    func wholeAdventure() async throws {
        let (server, panda, party) = try await Self.watchedParty()
        _ = await panda.send(.post, "/v1/parties/\(party)/adventure")
        let ended = await server.step(until: {
            server.apns.pushes.last?.aps["event"].string == "end"
        })
        #expect(ended)
        let pushes = server.apns.pushes
        let timestamps = pushes.compactMap { $0.aps["timestamp"].number }
        #expect(timestamps.count == pushes.count)
        #expect(zip(timestamps, timestamps.dropFirst()).allSatisfy { $0 < $1 })
        let state = await panda.send(.get, "/v1/parties/\(party)")
        let card = state.body["heroes"][0]["card"]
        let last = pushes.last?.aps["content-state"]
        #expect(last?["eventDescription"].string == card["eventDescription"].string)
        #expect(last?["currentHealthLevel"].number == card["currentHealthLevel"].number)
        let end = pushes.last?.aps
        let dismissal = try #require(end?["dismissal-date"].number)
        #expect(dismissal - (timestamps.last ?? 0) <= 4 * 3600)
        await server.server.drain()
    }

    @Test("T5: a rotated token is used from the next push on, the old one never again")
    func rotation() async throws {
        let (server, panda, party) = try await Self.watchedParty()
        _ = await panda.send(.post, "/v1/parties/\(party)/adventure")
        await server.apns.untilSent(1)
        #expect(await panda.watch("activity-1", token: "ef01").status == 204)
        let before = server.apns.pushes.count
        #expect(await server.step(until: { server.apns.pushes.count > before + 3 }))
        let later = server.apns.pushes.dropFirst(before)
        #expect(later.count > 3 && later.allSatisfy { $0.request.token.hex == "ef01" })
        await server.server.drain()
    }

    @Test("T5: a registration that arrives after a newer one does not bring its token back")
    func late() async throws {
        let (server, panda, party) = try await Self.watchedParty()
        func put(_ token: String, _ revision: Int?) async -> Int {
            let more = revision.map { #","revision":\#($0)"# } ?? ""
            return await panda.watch("activity-1", token: token, more: more).status
        }
        #expect(await put("aa01", 1) == 204)
        #expect(await put("aa03", 3) == 204)
        for (token, revision) in [("aa01", 1), ("aa02", 2), ("aa02", 3)] {
            #expect(await put(token, revision) == 409)
        }
        #expect(await put("aa03", 3) == 204)
        #expect(await panda.send(.get, "/v1/activities/activity-1").body["revision"].number == 3)
        // An older app sends no revision.
        #expect(await put("aa04", nil) == 204)
        #expect(await put("aa03", 2) == 409)
        let before = server.apns.pushes.count
        _ = await panda.send(.post, "/v1/parties/\(party)/adventure")
        #expect(await server.step(until: { server.apns.pushes.count > before + 3 }))
        #expect(
            server.apns.pushes.dropFirst(before).allSatisfy { $0.request.token.hex == "aa04" })
        await server.server.drain()
    }

    @Test("A6: a retry confirms no token, so one that APNs reports as dead stays away")
    func retry() async throws {
        let (server, panda, party) = try await Self.watchedParty()
        func put(_ token: String, _ revision: Int) async -> Int {
            let more = #","revision":\#(revision)"#
            return await panda.watch("activity-1", token: token, more: more).status
        }
        func shown() async -> Value { await panda.send(.get, "/v1/activities/activity-1").body }
        #expect(await put("aa01", 1) == 204)
        _ = await panda.send(.post, "/v1/activities/activity-1/state", #"{"state":"stale"}"#)
        #expect(await put("aa01", 1) == 204)
        #expect(await shown()["state"].string == "stale")
        server.apns.answer(.at(once: LedgerTests.refusal(410, "Unregistered")))
        _ = await panda.send(.post, "/v1/parties/\(party)/adventure")
        #expect(await server.step(until: { await shown()["hasPushToken"].bool == false }))
        #expect(await put("aa01", 1) == 409)
        #expect(await shown()["hasPushToken"].bool == false)
        // What is due goes to the new token at once.
        server.apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        #expect(await put("aa02", 2) == 204)
        #expect(await shown()["hasPushToken"].bool == true)
        await server.server.drain()
    }

    @Test("T5: of many registrations in any order the one with the greatest number holds")
    func together() async throws {
        let (server, panda, party) = try await Self.watchedParty()
        let answers = await RateLimitTests.storm { number in
            await panda.watch(
                "activity-1", token: "aa\(1000 + number)", more: #","revision":\#(number + 1)"#)
        }
        #expect(Set(answers.keys).isSubset(of: [204, 409]))
        let count = answers.values.reduce(0, +)
        let registration = await panda.send(.get, "/v1/activities/activity-1")
        #expect(registration.body["revision"].number == Double(count))
        let before = server.apns.pushes.count
        _ = await panda.send(.post, "/v1/parties/\(party)/adventure")
        #expect(await server.step(until: { server.apns.pushes.count > before }))
        #expect(server.apns.pushes.last?.request.token.hex == "aa\(999 + count)")
        await server.server.drain()
    }

    @Test("T2: nothing is pushed without a token, and the content is pushed once there is one")
    func noToken() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        #expect(await panda.watch("activity-1", token: nil).status == 204)
        _ = await panda.send(.post, "/v1/parties/\(party.id)/adventure")
        for _ in 0..<20 { await server.step() }
        #expect(server.apns.pushes.isEmpty)
        #expect(await panda.watch("activity-1", token: "abcd").status == 204)
        await server.apns.untilSent(1)
        await server.server.drain()
    }

    @Test("T4: the same token, registered again, keeps its age and is confirmed; another is new")
    func sameToken() async throws {
        let stage = try await Stage.make()
        let id = ActivityID("activity-1")
        let first = try #require(await stage.store.activity(id))
        for _ in 0..<4 { await stage.server.step() }
        #expect(stage.server.clock.now > first.tokenRegisteredAt)
        #expect(await stage.panda.watch("activity-1").status == 204)
        let again = try #require(await stage.store.activity(id))
        #expect(again.tokenRegisteredAt == first.tokenRegisteredAt)
        #expect(again.tokenConfirmedAt > first.tokenConfirmedAt)
        #expect(await stage.panda.watch("activity-1", token: "ef01").status == 204)
        let second = try #require(await stage.store.activity(id))
        #expect(second.tokenRegisteredAt > first.tokenRegisteredAt)
        await stage.server.server.drain()
    }

    @Test("L11: after a dismissal nothing is pushed", arguments: ["dismissed", "ended"])
    func dismissal(state: String) async throws {
        let (server, panda, party) = try await Self.watchedParty()
        _ = await panda.send(.post, "/v1/parties/\(party)/adventure")
        await server.apns.untilSent(1)
        let answer = await panda.send(
            .post, "/v1/activities/activity-1/state", #"{"state":"\#(state)"}"#)
        #expect(answer.status == 204)
        let count = server.apns.pushes.count
        for _ in 0..<200 { await server.step() }
        #expect(server.apns.pushes.count == count)
        await server.server.drain()
    }

    @Test("A6: a token that Apple calls invalid is not used again, until there is a new one")
    func deadToken() async throws {
        let (server, panda, party) = try await Self.watchedParty()
        let refusal = APNsClient.Refusal(
            status: 410, reason: "Unregistered",
            timestamp: server.clock.now.milliseconds + 1000, action: .dropToken)
        server.apns.answer(.at(once: .refused(refusal)))
        _ = await panda.send(.post, "/v1/parties/\(party)/adventure")
        await server.apns.untilSent(1)
        for _ in 0..<100 { await server.step() }
        #expect(server.apns.pushes.count == 1)
        server.apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        #expect(await panda.watch("activity-1", token: "ef01").status == 204)
        await server.apns.untilSent(2)
        #expect(server.apns.pushes.last?.request.token.hex == "ef01")
        await server.server.drain()
    }

    @Test("one push is in flight per activity; then the newest state follows")
    func oneInFlight() async throws {
        let (server, panda, party) = try await Self.watchedParty()
        server.apns.answer(.later)
        _ = await panda.send(.post, "/v1/parties/\(party)/adventure")
        await server.apns.untilSent(1)
        for _ in 0..<40 { await server.step() }
        #expect(server.apns.pushes.count == 1)
        server.apns.release(.accepted(apnsUniqueID: nil))
        await server.step()
        await server.apns.untilSent(2)
        let said = server.apns.pushes[1].aps["content-state"]["eventDescription"].string ?? ""
        #expect(!Sentences.of("classic/1.begins").contains(said))
        await server.server.drain()
    }

    @Test("Q10, Q11: knocking down a hero alerts only its player, localised on the device")
    func alert() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let egghead = try await TestPlayer.make("Egghead", at: server)
        let party = try await panda.found()
        _ = await egghead.join(party.code)
        _ = await panda.watch("activity-1", token: "aa")
        _ = await egghead.watch("activity-2", token: "bb")
        _ = await panda.send(.post, "/v1/parties/\(party.id)/adventure")
        let fell = await server.step(until: {
            server.apns.pushes.contains { !$0.aps["alert"].isNull }
        })
        #expect(fell)
        for push in server.apns.pushes where !push.aps["alert"].isNull {
            let name = push.request.token.hex == "aa" ? "Power Panda" : "Egghead"
            let title = push.aps["alert"]["title"]
            #expect(title["loc-key"].string == "%@ is knocked down!")
            #expect(title["loc-args"][0].string == name)
            #expect(push.request.priority == .high)
        }
        await server.server.drain()
    }

    /// A party of one with one phone.
    static func watchedParty() async throws -> (TestServer, TestPlayer, String) {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        let watched = await panda.watch("activity-1")
        try #require(watched.status == 204)
        return (server, panda, party.id)
    }
}
