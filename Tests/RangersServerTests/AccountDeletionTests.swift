import APNsClient
import GameLogic
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("D4: a player deletes the account", .timeLimit(.minutes(2)), .simulated)
struct AccountDeletionTests {
    /// A name that no text of the server has.
    private static let name = "Xylophonist"

    /// A party on an adventure, of a player who stays and one who goes.
    private struct Scene {
        let server: TestServer
        let friend: TestPlayer
        let leaver: TestPlayer
        let party: String
        let store: FaultyStore

        static func make(file: String = TestServer.freshFile()) async throws -> Scene {
            let made = Locked<FaultyStore?>(nil)
            let server = try await TestServer(
                file: file,
                wrapping: { sqlite in
                    let store = FaultyStore(sqlite)
                    made.withLock { $0 = store }
                    return store
                })
            let friend = try await TestPlayer.make("Friend", at: server)
            let leaver = try await TestPlayer.make(name, at: server)
            let party = try await friend.found()
            try #require(await leaver.join(party.code).status == 200)
            try #require(await leaver.watch("leavers", token: "1eaf1eaf1eaf").status == 204)
            try #require(await friend.watch("friends", token: "f00d").status == 204)
            try #require(await leaver.offer("phone", token: "5eed5eed5eed").status == 204)
            let start = "/v1/parties/\(party.id)/adventure"
            try #require(await friend.send(.post, start).status == 201)
            return Scene(
                server: server, friend: friend, leaver: leaver, party: party.id,
                store: try #require(made.withLock { $0 }))
        }

        func view() async -> TestServer.Answer {
            await friend.send(.get, "/v1/parties/\(party)?after=0")
        }
    }

    /// What the file holds after the server has closed it.
    private static func contents(_ server: TestServer) async throws -> String {
        await server.server.drain()
        return try FileBytes.of(server.file)
    }

    @Test("D4: the tokens fail, the heroes leave, their activities end, and names are gone")
    func deleted() async throws {
        let scene = try await Scene.make()
        #expect(await scene.server.step(until: { scene.server.apns.pushes.count > 8 }))
        let told = await scene.view()
        #expect(told.text.contains(Self.name))
        #expect(await scene.leaver.send(.delete, "/v1/me").status == 204)
        #expect(await scene.leaver.send(.get, "/v1/me").status == 401)
        #expect(await scene.leaver.send(.delete, "/v1/me").status == 401)
        let after = await scene.view()
        #expect(after.status == 200 && !after.text.contains(Self.name))
        #expect(after.body["heroes"].array.count == 1)
        #expect(after.text.contains("👤"))
        let ends = scene.server.apns.pushes.filter { $0.aps["event"].string == "end" }
        #expect(ends.map(\.request.token.hex) == ["1eaf1eaf1eaf"])
        // The adventure goes on.
        let events = after.body["events"].array.count
        #expect(events > 0)
        #expect(
            await scene.server.step(until: {
                await scene.view().body["events"].array.count > events
            }))
        let file = try await Self.contents(scene.server)
        for text in [Self.name, "1eaf1eaf1eaf", "5eed5eed5eed", scene.leaver.token] {
            #expect(!file.contains(text), "\(text)")
        }
        #expect(file.contains("Friend"))
        let report = await Replay.report(file: scene.server.file, party: nil)
        #expect(report.differences == [] && report.events > 0)
    }

    @Test("PR2: after the deletion a party replays exactly, also after a restart and to its end")
    func replay() async throws {
        let scene = try await Scene.make()
        #expect(await scene.server.step(until: { scene.server.apns.pushes.count > 8 }))
        #expect(await scene.leaver.send(.delete, "/v1/me").status == 204)
        await scene.server.server.drain()
        #expect(await Replay.report(file: scene.server.file, party: nil).differences == [])
        let clock = VirtualClock(now: scene.server.clock.now.adding(seconds: 1))
        let second = try await TestServer(file: scene.server.file, clock: clock)
        let friend = scene.friend.moved(to: second)
        #expect(
            await second.step(until: {
                let party = await friend.send(.get, "/v1/parties/\(scene.party)").body
                return party["adventure"]["phase"].string == "over"
            }))
        #expect(!(try await Self.contents(second)).contains(Self.name))
        #expect(await Replay.report(file: second.file, party: nil).differences == [])
    }

    @Test("D4: names are gone from parties that the player has left before, and from folded ones")
    func formerParties() async throws {
        let scene = try await Scene.make()
        let leave = #"{"hero":"\#(scene.leaver.hero)","action":"leave"}"#
        let path = "/v1/parties/\(scene.party)/actions"
        #expect(await scene.leaver.send(.post, path, leave).status == 200)
        // The departed hero stays in the snapshot into which the journal is folded.
        #expect(
            await scene.server.step(until: {
                await scene.view().body["adventure"]["phase"].string == "over"
            }))
        await scene.server.untilAsleep()
        let clock = scene.server.clock
        clock.advance(to: clock.now.adding(seconds: 31 * 24 * 3600))
        let metrics = scene.server.metrics
        #expect(await scene.server.step(until: { metrics.value(.journalRowsFolded) > 0 }))
        #expect(await scene.leaver.send(.delete, "/v1/me").status == 204)
        #expect(!(try await Self.contents(scene.server)).contains(Self.name))
        #expect(await Replay.report(file: scene.server.file, party: nil).differences == [])
    }

    @Test("D4: what a frozen party leaves undone is done after the next start")
    func unfinished() async throws {
        let scene = try await Scene.make()
        scene.store.corrupt(PartyID(scene.party))
        #expect(await scene.leaver.send(.delete, "/v1/me").status == 204)
        #expect(await scene.leaver.send(.get, "/v1/me").status == 401)
        #expect(try await Self.contents(scene.server).contains(Self.name))
        let clock = VirtualClock(now: scene.server.clock.now.adding(seconds: 1))
        let second = try await TestServer(file: scene.server.file, clock: clock)
        let friend = scene.friend.moved(to: second)
        await TestServer.until {
            let party = await friend.send(.get, "/v1/parties/\(scene.party)")
            return party.status == 200 && !party.text.contains(Self.name)
        }
        await second.untilAsleep()
        #expect(!(try await Self.contents(second)).contains(Self.name))
        #expect(await Replay.report(file: second.file, party: nil).differences == [])
    }

    @Test("D4: nothing that arrives with the deletion brings the player back")
    func atOnce() async throws {
        let server = try await TestServer()
        let friend = try await TestPlayer.make("Friend", at: server)
        let leaver = try await TestPlayer.make(Self.name, at: server)
        let party = try await friend.found()
        let create = #"{"name":"\#(Self.name)","avatar":"🐼","heroType":"T"}"#
        let (statuses, _) = await FairLimitTests.storm { number in
            switch number % 6 {
            case 0: await leaver.send(.delete, "/v1/me")
            case 1: await leaver.join(party.code)
            case 2: await leaver.send(.post, "/v1/heroes", create)
            case 3: await leaver.watch("card-\(number)", token: nil)
            case 4: await leaver.offer("phone", token: "5eed5eed5eed")
            default: await leaver.send(.post, "/v1/me/devices", #"{"device":"d\#(number)"}"#)
            }
        }
        #expect(statuses[500] == nil && statuses[204] ?? 0 > 0)
        #expect(await leaver.send(.get, "/v1/me").status == 401)
        let heroes = await friend.send(.get, "/v1/parties/\(party.id)").body["heroes"].array
        #expect(heroes.map { $0["name"].string } == ["Friend"])
        let file = try await Self.contents(server)
        #expect(!file.contains(Self.name) && !file.contains("5eed5eed5eed"))
        let store = try await SQLiteStore.open(path: server.file)
        #expect(try await store.heroes(of: PlayerID(leaver.id)).isEmpty)
        #expect(try await store.devices(of: PlayerID(leaver.id)).isEmpty)
        #expect(try await store.startDevices(of: [PlayerID(leaver.id)]).isEmpty)
        #expect(try await store.accountsToErase().isEmpty)
        #expect(try await store.check() == [])
        await store.close()
        #expect(await Replay.report(file: server.file, party: nil).differences == [])
    }

    @Test("D4: another hero of the same name keeps it")
    func sameName() async throws {
        let server = try await TestServer()
        let friend = try await TestPlayer.make(Self.name, at: server)
        let leaver = try await TestPlayer.make(Self.name, at: server)
        let party = try await friend.found()
        #expect(await leaver.join(party.code).status == 200)
        #expect(await friend.watch("card").status == 204)
        #expect(await leaver.send(.delete, "/v1/me").status == 204)
        let after = await friend.send(.get, "/v1/parties/\(party.id)").body
        #expect(after["heroes"].array.map { $0["name"].string } == [Self.name])
        await server.server.drain()
        #expect(await Replay.report(file: server.file, party: nil).differences == [])
    }
}
