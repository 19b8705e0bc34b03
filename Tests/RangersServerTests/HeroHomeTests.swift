import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("C1: heroes at home", .timeLimit(.minutes(1)), .simulated)
struct HeroHomeTests {
    private typealias Pair = FormerMemberTests.Pair

    private static func bag(_ player: TestPlayer) async -> TestServer.Answer {
        await player.send(.get, "/v1/heroes/\(player.hero)/bag")
    }

    private static func order(_ player: TestPlayer, _ body: String) async -> TestServer.Answer {
        await player.send(.put, "/v1/heroes/\(player.hero)/orders", body)
    }

    private static func buy(_ player: TestPlayer, _ potions: Int) async -> TestServer.Answer {
        await player.send(.post, "/v1/heroes/\(player.hero)/shop", #"{"potions":\#(potions)}"#)
    }

    /// Lets each hero of the pair find so many coins on an adventure, which then ends.
    private static func earn(_ coins: Int, _ pair: Pair) async throws {
        let start = await pair.panda.send(
            .post, pair.path + "/adventure", #"{"pack":"forest-quest"}"#)
        try #require(start.status == 201)
        for _ in 0..<coins {
            let found = await pair.server.admin(
                .post, "/v1/admin/commands",
                #"{"command":{"name":"loot","item":"coin"},"party":"\#(pair.party)"}"#)
            try #require(found.status == 200)
        }
        try await pair.end()
    }

    @Test("the class follows from its words, or is named; both must agree")
    func classes() async throws {
        let server = try await TestServer()
        let player = try await TestPlayer.make("Power Panda", at: server)
        func create(_ fields: String) async -> TestServer.Answer {
            await player.send(.post, "/v1/heroes", #"{"name":"Foxy","avatar":"🦊",\#(fields)}"#)
        }
        for (fields, heroClass, type) in [
            (#""class":"healer""#, "healer", "Deep Sea Goer"),
            (#""heroType":"Free Rangers""#, "striker", "Free Rangers"),
            (#""heroType":"Baker","healthRecoveryRatePerHour":1"#, "wanderer", "Baker"),
            (#""heroType":"Forest Dweller","class":"guardian""#, "guardian", "Forest Dweller"),
        ] {
            let made = await create(fields)
            #expect(made.status == 201)
            #expect(made.body["class"].string == heroClass)
            #expect(made.body["heroType"].string == type)
            // The class decides, whatever the app says.
            let rate = Double(HeroClass(heroType: type).recoveryPerHour) / 1000
            #expect(made.body["healthRecoveryRatePerHour"].number == rate)
        }
        for (fields, status) in [
            (#""heroType":"Baker","class":"healer""#, 409), (#""class":"baker""#, 400),
        ] {
            #expect(await create(fields).status == status)
        }
        let plain = await player.send(.post, "/v1/heroes", #"{"name":"F","avatar":"🦊"}"#)
        #expect(plain.body["class"].string == "wanderer")
        await server.server.drain()
    }

    @Test("orders hold at home, in a party and after a restart, and replay knows them")
    func orders() async throws {
        let pair = try await Pair.make()
        let alone = try await TestPlayer.make("Foxy", at: pair.server)
        let body = #"{"whenDown":"drink","whenFriendDown":"never"}"#
        for player in [pair.panda, alone] {
            #expect(await Self.bag(player).body["orders"]["whenDown"].string == "askThenDrink")
            let put = await Self.order(player, body)
            #expect(put.status == 200)
            #expect(put.body["orders"]["whenDown"].string == "drink")
            #expect(put.body["orders"]["votes"].string == "silent")
            #expect(await Self.bag(player).text == put.text)
            #expect(await Self.order(player, #"{"whenDown":"sleep"}"#).status == 400)
        }
        let foreign = "/v1/heroes/\(pair.panda.hero)"
        #expect(await pair.egghead.send(.get, foreign + "/bag").status == 404)
        #expect(await pair.egghead.send(.put, foreign + "/orders", body).status == 404)
        await pair.server.server.drain()
        #expect(await Replay.report(file: pair.server.file, party: nil).differences == [])
        let next = try await TestServer(file: pair.server.file, clock: pair.server.clock)
        for player in [pair.panda, alone] {
            let bag = await Self.bag(player.moved(to: next))
            #expect(bag.body["orders"]["whenFriendDown"].string == "never")
        }
        await next.server.drain()
    }

    @Test("an order that is omitted stays as it is, at home and in a party")
    func oneOrder() async throws {
        let pair = try await Pair.make()
        let alone = try await TestPlayer.make("Foxy", at: pair.server)
        for player in [pair.panda, alone] {
            _ = await Self.order(player, #"{"whenDown":"drink","setOut":"along"}"#)
            let put = await Self.order(player, #"{"votes":"bold"}"#)
            #expect(put.body["orders"]["whenDown"].string == "drink")
            #expect(put.body["orders"]["votes"].string == "bold")
            #expect(put.body["orders"]["setOut"].string == "along")
            #expect(await Self.order(player, #"{"setOut":null}"#).status == 400)
        }
        await pair.server.server.drain()
        #expect(await Replay.report(file: pair.server.file, party: nil).differences == [])
    }

    @Test("what heroes find comes home, and buys potions: once, however often it is asked")
    func shop() async throws {
        let pair = try await Pair.make()
        #expect(await Self.buy(pair.panda, 1).status == 409)
        try await Self.earn(12, pair)
        #expect(await Self.bag(pair.panda).body["coins"].number == 12)
        // 200 at once; there are coins for one.
        let bought = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { await Self.buy(pair.panda, 1).status } }
            return await group.reduce(into: 0) { $0 += $1 == 200 ? 1 : 0 }
        }
        #expect(bought == 1)
        let bag = await Self.bag(pair.panda)
        #expect(bag.body["coins"].number == 2)
        #expect(bag.body["potions"].number == 3)
        #expect(await Self.buy(pair.egghead, 9).status == 400)
        // The same out of the party, where nobody else can have changed the hero.
        #expect(await pair.leave(pair.egghead).status == 200)
        #expect(await Self.buy(pair.egghead, 1).status == 200)
        #expect(await Self.bag(pair.egghead).body["coins"].number == 2)
        #expect(await Self.buy(pair.egghead, 1).status == 409)
        await pair.server.server.drain()
        #expect(await Replay.report(file: pair.server.file, party: nil).differences == [])
    }

    @Test("what a hero does at home while it joins a party is kept", arguments: [true, false])
    func changedMeanwhile(isNewParty: Bool) async throws {
        let stage = try await Stage.make()
        let egghead = try await TestPlayer.make("Egghead", at: stage.server)
        let code = try #require(
            await stage.panda.send(.get, "/v1/parties/\(stage.party)").body["inviteCode"].string)
        func join() async -> Int {
            guard isNewParty else { return await egghead.join(code).status }
            return await egghead.send(.post, "/v1/parties", #"{"hero":"\#(egghead.hero)"}"#).status
        }
        let hero = HeroID(egghead.hero)
        stage.store.hold()
        async let joined = join()
        await stage.store.untilHolding()
        let changed = try await stage.store.store.change(
            hero, .orders(.init(whenDown: .drink)), keeping: nil,
            epoch: stage.server.server.game.epoch)
        #expect(changed != nil)
        stage.store.release()
        #expect(await joined == (isNewParty ? 201 : 200))
        #expect(await Self.bag(egghead).body["orders"]["whenDown"].string == "drink")
        await stage.server.server.drain()
    }

    @Test("a hero who changes whenever it is read joins later")
    func changesForEver() async throws {
        let stage = try await Stage.make()
        let egghead = try await TestPlayer.make("Egghead", at: stage.server)
        let code = try #require(
            await stage.panda.send(.get, "/v1/parties/\(stage.party)").body["inviteCode"].string)
        stage.store.failWrites(.staleHero(HeroID(egghead.hero)))
        let answer = await egghead.join(code)
        #expect(answer.status == 503)
        #expect(answer.headers["retry-after"] == "1")
        #expect(answer.body["detail"].string?.hasPrefix("The hero has changed") == true)
        stage.store.failWrites(nil)
        #expect(await egghead.join(code).status == 200)
        await stage.server.server.drain()
    }

    @Test("who moves between parties while it buys, 200 times at once, pays for what it gets, once")
    func buyAndMove() async throws {
        let pair = try await Pair.make()
        try await Self.earn(12, pair)
        let egghead = pair.egghead
        let body = #"{"hero":"\#(egghead.hero)"}"#
        let bought = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    switch number % 4 {
                    case 0: return await Self.buy(egghead, 1).status == 200
                    case 1: _ = await pair.leave(egghead)
                    case 2: _ = await egghead.join(pair.code)
                    default: _ = await egghead.send(.post, "/v1/parties", body)
                    }
                    return false
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        // Each purchase may give up with 503, as the hero moves on and on.
        #expect(bought <= 1)
        let bag = await Self.bag(egghead)
        #expect(bag.body["coins"].number == Double(12 - 10 * bought))
        #expect(bag.body["potions"].number == Double(2 + bought))
        await pair.server.server.drain()
        #expect(await Replay.report(file: pair.server.file, party: nil).differences == [])
    }

    @Test("a repeated purchase with its key buys once")
    func repeated() async throws {
        let pair = try await Pair.make()
        try await Self.earn(20, pair)
        for _ in 0..<2 {
            let answer = await pair.server.send(
                .post, "/v1/heroes/\(pair.panda.hero)/shop", #"{"potions":1}"#,
                as: pair.panda.token, key: "buy-1")
            #expect(answer.status == 200)
        }
        #expect(await Self.bag(pair.panda).body["coins"].number == 10)
        await pair.server.server.drain()
    }

    @Test("health carries over, and recovers at the class's rate while the server is away")
    func health() async throws {
        let pair = try await Pair.make(speed: 1000)
        let start = await pair.panda.send(
            .post, pair.path + "/adventure", #"{"pack":"forest-quest"}"#)
        try #require(start.status == 201)
        for _ in 0..<3 {
            _ = await pair.server.admin(
                .post, "/v1/admin/commands",
                #"{"command":{"name":"storm","strength":200},"party":"\#(pair.party)"}"#)
        }
        try await pair.end()
        let tired = try #require(await Self.bag(pair.panda).body["health"].number)
        #expect(tired < 0.9)
        await pair.server.server.drain()
        pair.server.clock.advance(to: pair.server.clock.now.adding(seconds: 3600))
        let next = try await TestServer(file: pair.server.file, clock: pair.server.clock)
        let panda = pair.panda.moved(to: next)
        let rested = try #require(await Self.bag(panda).body["health"].number)
        #expect(rested > tired && rested <= 1)
        await next.server.drain()
    }
}
