import GameLogic
import HTTPServer
import PushPolicy
import RangersServer
import Testing

/// C2: nobody takes the seats or the Live Activities of others.
@Suite("Fair limits", .timeLimit(.minutes(2)), .simulated)
struct FairLimitTests {
    /// How many requests a test sends at once.
    static let atOnce = 200

    /// Sends requests at once; returns how many had each status, and the refusals' sentences.
    static func storm(
        _ send: @escaping @Sendable (Int) async -> TestServer.Answer
    ) async -> (statuses: [Int: Int], details: Set<String>) {
        await withTaskGroup(of: TestServer.Answer.self) { group in
            for number in 0..<atOnce { group.addTask { await send(number) } }
            var (statuses, details): ([Int: Int], Set<String>) = ([:], [])
            for await answer in group {
                statuses[answer.status, default: 0] += 1
                if let detail = answer.body["detail"].string { details.insert(detail) }
            }
            return (statuses, details)
        }
    }

    /// Repeats a request that the party was too busy for.
    static func patiently(
        _ send: @Sendable () async -> TestServer.Answer
    ) async -> TestServer.Answer {
        while true {
            let answer = await send()
            guard answer.status == 503, !Task.isCancelled else { return answer }
            await Task.yield()
        }
    }

    @Test("C2: a player has at most two heroes in a party, whatever arrives at once")
    func heroes() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let code = try await panda.found().code
        let guest = try await TestPlayer.make("Guest 0", at: server)
        var heroes = [guest]
        for number in 1..<20 { heroes.append(try await guest.anotherHero("Guest \(number)")) }
        let all = heroes
        let (statuses, details) = await Self.storm { number in
            await Self.patiently { await all[number % all.count].join(code) }
        }
        // Each of the two heroes joins ten times: joining again changes nothing.
        #expect(statuses == [200: 20, 409: 180])
        #expect(details == ["A player can have at most 2 heroes in a party."])
        await server.server.drain()
    }

    @Test("C2: a player has at most four Live Activities in a party, whatever arrives at once")
    func activitiesOfPlayer() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let code = try await panda.found().code
        let (statuses, details) = await Self.storm { number in
            await Self.patiently { await panda.watch("card-\(number)", token: nil) }
        }
        #expect(statuses == [204: 4, 409: 196])
        #expect(
            details == [
                "A player can have at most 4 Live Activities in a party at a time: "
                    + "end or remove one first."
            ])
        let egghead = try await TestPlayer.make("Egghead", at: server)
        #expect(await egghead.join(code).status == 200)
        #expect(await egghead.watch("egg", token: nil).status == 204)
        await server.server.drain()
    }

    @Test("C2: an activity that has ended makes room, one that is registered again takes none")
    func room() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        for number in 0..<4 { #expect(await panda.watch("card-\(number)").status == 204) }
        #expect(await panda.watch("card-0", token: "abce").status == 204)
        #expect(await panda.watch("card-4").status == 409)
        let dismissed = await panda.send(
            .post, "/v1/activities/card-1/state", #"{"state":"dismissed"}"#)
        #expect(dismissed.status == 204)
        #expect(await panda.watch("card-4").status == 204)
        await server.server.drain()
    }

    @Test("C2: full parties have 32 Live Activities")
    func activities() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let code = try await panda.found().code
        var players = [panda]
        for number in 1..<8 {
            players.append(try await TestPlayer.make("Hero \(number)", at: server))
            #expect(await players[number].join(code).status == 200)
        }
        let all = players
        let (statuses, _) = await Self.storm { number in
            await Self.patiently {
                await all[number % all.count].watch("card-\(number)", token: nil)
            }
        }
        #expect(statuses == [204: 32, 409: 168])
        await server.server.drain()
    }

    @Test("A9, C2: an activity that rolls over and the one that follows it count once")
    func rollOver() async throws {
        let scene = try await StartScene.make(speed: 500)
        _ = await scene.panda.offer("panda-phone", token: "cc")
        // With the activity of the scene there are four.
        for number in 0..<3 {
            let status = await scene.panda.watch(
                "card-\(number)", token: "a\(number)", device: "phone-\(number)"
            ).status
            #expect(status == 204)
        }
        await scene.later(minutes: ActivityOutbox.rollOverAgeSeconds / 60 - 5)
        try await scene.start()
        await scene.server.step(forSeconds: 330)
        #expect(await scene.panda.watch("stranger", token: nil, device: "phone-9").status == 409)
        #expect(await scene.panda.watch("new-0", token: nil, device: "phone-0").status == 204)
        #expect(await scene.panda.watch("new-1", token: nil, device: "phone-0").status == 409)
        #expect(await scene.panda.watch("new-1", token: nil, device: "phone-1").status == 204)
        await scene.server.server.drain()
    }

    @Test("C2: a player is in at most four parties, whatever arrives at once")
    func parties() async throws {
        let server = try await TestServer()
        let guest = try await TestPlayer.make("Guest 0", at: server)
        var heroes = [guest]
        for number in 1..<20 { heroes.append(try await guest.anotherHero("Guest \(number)")) }
        var codes: [String] = []
        for number in 0..<10 {
            let host = try await TestPlayer.make("Host \(number)", at: server)
            codes.append(try await host.found().code)
        }
        let (all, invitations) = (heroes, codes)
        let (statuses, details) = await Self.storm { number in
            let hero = all[number % all.count]
            return await Self.patiently {
                number.isMultiple(of: 2)
                    ? await hero.join(invitations[number % invitations.count])
                    : await hero.send(.post, "/v1/parties", #"{"hero":"\#(hero.hero)"}"#)
            }
        }
        #expect(statuses[503] == nil && statuses[500] == nil)
        #expect(details.contains("A player can be in at most 4 parties: leave one first."))
        var homes: Set<String> = []
        for hero in heroes {
            // A hero in a party can have a Live Activity; any other hero must join a party first.
            let watched = await hero.watch("card of \(hero.name)".filter { $0 != " " }, token: nil)
            if watched.status == 204 { homes.insert(hero.hero) }
        }
        #expect((4...8).contains(homes.count))
        #expect(try await Self.partyCount(of: homes, in: server) == 4)
        await server.server.drain()
    }

    /// How many parties the heroes are in.
    private static func partyCount(of heroes: Set<String>, in server: TestServer) async throws
        -> Int
    {
        let parties = await server.admin(.get, "/v1/admin/parties").body["parties"].array
        return parties.count { party in
            party["heroes"].array.contains { heroes.contains($0["id"].string ?? "") }
        }
    }

    @Test("C2: the second hero may join a party of the first, even at the limit of parties")
    func secondHero() async throws {
        let server = try await TestServer()
        let guest = try await TestPlayer.make("Guest", at: server)
        var codes: [String] = []
        for number in 0..<4 {
            codes.append(
                try await (number == 0 ? guest : guest.anotherHero("G\(number)")).found().code)
        }
        let fifth = try await guest.anotherHero("Fifth")
        #expect(await fifth.send(.post, "/v1/parties", #"{"hero":"\#(fifth.hero)"}"#).status == 409)
        #expect(await fifth.join(codes[2]).status == 200)
        await server.server.drain()
    }
}
