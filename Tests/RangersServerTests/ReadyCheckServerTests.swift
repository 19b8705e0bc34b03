import APNsClient
import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("C2: a ready check by the front door", .timeLimit(.minutes(2)), .simulated)
struct ReadyCheckServerTests {
    typealias Pair = FormerMemberTests.Pair
    private static let pie = #"{"pack":"stolen-pie","difficulty":"gentle"}"#
    private static let pieAnyway = #"{"pack":"stolen-pie","startAnyway":true}"#

    private static func call(_ pair: Pair, _ body: String = pie) async -> TestServer.Answer {
        await pair.panda.send(.post, pair.path + "/ready", body)
    }

    /// Calls a check. Returns the number of its question.
    private static func ask(_ pair: Pair, _ body: String = pie) async throws -> Int {
        let asked = await call(pair, body)
        try #require(asked.status == 201, "\(asked.text)")
        return Int(try #require(asked.body["readyCheck"]["ask"].number))
    }

    private static func answer(
        _ player: TestPlayer, _ ask: Int, _ pair: Pair, yes: Bool = true
    ) async -> TestServer.Answer {
        await player.send(
            .post, pair.path + "/answers",
            #"{"hero":"\#(player.hero)","ask":\#(ask),"yes":\#(yes)}"#)
    }

    private static func follow(_ player: TestPlayer, _ pair: Pair) async -> TestServer.Answer {
        await player.send(
            .post, pair.path + "/actions", #"{"hero":"\#(player.hero)","action":"follow"}"#)
    }

    private static func party(_ pair: Pair) async -> Value {
        await pair.panda.send(.get, pair.path).body
    }

    private static func kinds(_ pair: Pair) async -> [String] {
        await pair.panda.send(.get, pair.path + "?after=0").body["events"].array
            .compactMap { $0["kind"].string }
    }

    /// Stops the server and compares the file with its replay.
    private static func finish(_ pair: Pair) async {
        await pair.server.server.drain()
        let report = await Replay.report(file: pair.server.file, party: nil)
        #expect(report.parties > 0)
        #expect(report.differences == [])
    }

    @Test("the adventure begins at once when all are ready; the call and the answers repeat safely")
    func ready() async throws {
        let pair = try await Pair.make()
        #expect(
            await pair.egghead.send(.post, pair.path + "/ready", Self.pie).status == 403)
        let ask = try await Self.ask(pair)
        #expect(try await Self.ask(pair) == ask)
        #expect(await Self.call(pair, Self.pieAnyway).status == 409)
        let check = await Self.party(pair)["readyCheck"]
        #expect(check["pack"].string == "stolen-pie" && check["difficulty"].string == "gentle")
        #expect(check["button"].string == "I'm ready!" && check["startAnyway"].bool == false)
        #expect(check["yes"].array.compactMap(\.string) == [pair.panda.hero])
        #expect(
            check["endsAt"].number == Double(pair.server.clock.wall.milliseconds + 120_000))
        for yes in [false, false, true] {
            #expect(await Self.answer(pair.egghead, ask, pair, yes: yes).status == 204)
        }
        let begun = await pair.server.step {
            await Self.party(pair)["adventure"]["phase"].string == "quest"
        }
        #expect(begun)
        let party = await Self.party(pair)
        #expect(party["readyCheck"].isNull && party["inn"].isNull)
        #expect(party["adventure"]["difficulty"].string == "gentle")
        let late = await Self.answer(pair.egghead, ask, pair)
        #expect(late.status == 409)
        #expect(
            late.body["detail"].string
                == "The ready check is over, and the party has set out.")
        #expect(await Self.call(pair).status == 409)
        await Self.finish(pair)
    }

    @Test("200 answers at once give one start")
    func atOnce() async throws {
        let pair = try await Pair.make()
        let ask = try await Self.ask(pair)
        let statuses = await withTaskGroup(of: Int.self) { group in
            for number in 0..<FairLimitTests.atOnce {
                let player = number.isMultiple(of: 2) ? pair.panda : pair.egghead
                group.addTask { await Self.answer(player, ask, pair).status }
            }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.count == FairLimitTests.atOnce)
        #expect(Set(statuses).isSubset(of: [204, 409, 503]) && statuses.contains(204))
        _ = await pair.server.step {
            await Self.party(pair)["adventure"]["phase"].string == "quest"
        }
        #expect(await Self.kinds(pair).count { $0 == "adventureBegan" } == 1)
        await Self.finish(pair)
    }

    @Test("who is not ready stays at the inn without card or push, and may follow")
    func inn() async throws {
        let pair = try await Pair.make(speed: 1000)
        #expect(await pair.panda.watch("activity-1", more: #","stateVersion":2"#).status == 204)
        #expect(await pair.egghead.watch("activity-2").status == 204)
        #expect(await pair.egghead.offer("phone", token: "bb").status == 204)
        let ask = try await Self.ask(pair, Self.pieAnyway)
        _ = await pair.server.step { pair.server.apns.pushes.count >= 2 }
        let asked = try #require(Self.pushes(of: "activity-1", pair).last)
        #expect(asked.request.priority == .high && asked.aps["alert"].isNull)
        #expect(asked.aps["relevance-score"].number.map { Int($0) } == 90)
        let state = asked.aps["content-state"]
        #expect(state["ask"]["text"].string?.hasSuffix("?") == true)
        #expect(
            state["link"].string
                == "game:///party/\(pair.party)/hero/\(pair.panda.hero)/gather")
        #expect(state["ask"]["kind"].string == "ready")
        #expect(state["ask"]["id"].number == Double(ask))
        #expect(state["ask"]["mine"].bool == true && state["ask"]["of"].number == 2)
        let left = await pair.server.step {
            await Self.party(pair)["adventure"]["phase"].string == "quest"
        }
        #expect(left)
        for _ in 0..<8 { await pair.server.step() }
        let party = await Self.party(pair)
        #expect(party["heroes"].array.count == 1)
        #expect(party["inn"]["heroes"].array.count == 1)
        #expect(party["inn"]["mayFollow"].bool == true)
        // A member still sees the party.
        #expect(await pair.egghead.send(.get, pair.path).status == 200)
        let last = try #require(Self.pushes(of: "activity-2", pair).last)
        #expect(last.aps["event"].string == "end")
        let stays = last.aps["content-state"]["eventDescription"].string ?? ""
        #expect(Sentences.of("hero.stays", "Egghead").contains(stays))
        let started = pair.server.apns.pushes.filter { $0.request.token.hex == "bb" }
        #expect(started.isEmpty)
        let followed = await Self.follow(pair.egghead, pair)
        #expect(followed.status == 200 && followed.body["heroes"].array.count == 2)
        #expect(followed.body["inn"].isNull)
        #expect(await Self.follow(pair.egghead, pair).status == 200)
        let starts = await pair.server.step {
            pair.server.apns.pushes.contains { $0.request.token.hex == "bb" }
        }
        #expect(starts)
        #expect(await Self.kinds(pair).count { $0 == "heroFollowed" } == 1)
        await Self.finish(pair)
    }

    private static func pushes(of activity: String, _ pair: Pair) -> [FakeAPNs.Push] {
        pair.server.apns.pushes.filter {
            $0.request.token == DeviceToken(hex: TestPlayer.token(of: activity))
        }
    }

    @Test("heroes with the order along come without an answer")
    func along() async throws {
        let pair = try await Pair.make()
        let orders = await pair.egghead.send(
            .put, "/v1/heroes/\(pair.egghead.hero)/orders", #"{"setOut":"along"}"#)
        #expect(orders.body["orders"]["setOut"].string == "along")
        _ = try await Self.ask(pair)
        await pair.server.step(forSeconds: 119)
        #expect(await Self.kinds(pair).last == "readyAsked")
        await pair.server.step(forSeconds: 3)
        #expect(await Self.party(pair)["heroes"].array.count == 2)
        #expect(await Self.kinds(pair).contains("adventureBegan"))
        await Self.finish(pair)
    }

    @Test("a leader calls the check off; too few heroes begin nothing, and cards say so")
    func over() async throws {
        let pair = try await Pair.make()
        let third = try await TestPlayer.make("Spouty", at: pair.server)
        #expect(await third.join(pair.code).status == 200)
        #expect(await pair.panda.watch("activity-1").status == 204)
        let ask = try await Self.ask(pair)
        #expect(await pair.egghead.send(.delete, pair.path + "/ready").status == 403)
        for _ in 0..<2 {
            #expect(await pair.panda.send(.delete, pair.path + "/ready").status == 204)
        }
        let late = await Self.answer(pair.egghead, ask, pair)
        #expect(late.status == 409)
        #expect(
            late.body["detail"].string
                == "The ready check is over, and the party has not set out.")
        #expect(try await Self.ask(pair) > ask)
        #expect(await Self.answer(pair.egghead, ask, pair).status == 409)
        await pair.server.step(forSeconds: 125)
        #expect(await Self.party(pair)["readyCheck"].isNull)
        #expect(await Self.party(pair)["adventure"].isNull)
        #expect(await Self.kinds(pair).count { $0 == "readyCheckEnded" } == 2)
        let card = try #require(Self.pushes(of: "activity-1", pair).last)
        let said = card.aps["content-state"]["eventDescription"].string ?? ""
        #expect(Sentences.of("ready.ended").contains(said))
        await Self.finish(pair)
    }

    @Test("a crash during a check loses neither the question nor an answer")
    func crash() async throws {
        let pair = try await Pair.make()
        let third = try await TestPlayer.make("Spouty", at: pair.server)
        #expect(await third.join(pair.code).status == 200)
        let ask = try await Self.ask(pair)
        #expect(await Self.answer(pair.egghead, ask, pair).status == 204)
        let clock = VirtualClock(now: pair.server.clock.now.adding(seconds: 1))
        let server = try await TestServer(file: pair.server.file, clock: clock)
        let panda = pair.panda.moved(to: server)
        let check = await panda.send(.get, pair.path).body["readyCheck"]
        #expect(check["yes"].array.count == 2)
        let begun = await server.step {
            await panda.send(.get, pair.path).body["adventure"]["phase"].string == "quest"
        }
        #expect(begun)
        let party = await panda.send(.get, pair.path).body
        #expect(party["heroes"].array.count == 2)
        #expect(party["inn"]["heroes"].array.count == 1)
        await server.server.drain()
        await pair.server.server.drain()
        #expect(await Replay.report(file: server.file, party: nil).differences == [])
    }

    @Test("heroes at the inn leave, are kicked, and go with their account")
    func gone() async throws {
        let pair = try await Pair.make(speed: 1000)
        let third = try await TestPlayer.make("Spouty", at: pair.server)
        let fourth = try await TestPlayer.make("Foxy", at: pair.server)
        for player in [third, fourth] { #expect(await player.join(pair.code).status == 200) }
        _ = try await Self.ask(pair, Self.pieAnyway)
        _ = await pair.server.step {
            await Self.party(pair)["inn"]["heroes"].array.count == 3
        }
        #expect(await pair.leave(pair.egghead).status == 200)
        #expect(await third.send(.delete, "/v1/me").status == 204)
        let kicked = await pair.panda.send(
            .post, pair.path + "/members/\(fourth.hero)/kick", "{}")
        #expect(kicked.status == 200 && kicked.body["inn"].isNull)
        let other = try await pair.egghead.found()
        #expect(other.id != pair.party)
        #expect(await Self.kinds(pair).count { $0 == "heroLeft" } == 3)
        await Self.finish(pair)
    }

    @Test("a shift that cannot begin when the check ends is called off, and the party lives on")
    func shift() async throws {
        let pair = try await Pair.make()
        let tide = #"{"pack":"kraken-tide","difficulty":"gentle"}"#
        #expect(await Self.call(pair, tide).status == 409)
        let opened = await pair.server.admin(.post, "/v1/admin/world", #"{"heroShifts":100}"#)
        #expect(opened.status == 201)
        let number = Int(try #require(opened.body["event"].number))
        _ = await pair.server.step {
            await pair.panda.send(.get, "/v1/world").body["status"].string == "open"
        }
        let ask = try await Self.ask(pair, tide)
        let closed = await pair.server.admin(.delete, "/v1/admin/world/\(number)")
        #expect(closed.status < 300, "\(closed.text)")
        #expect(await Self.answer(pair.egghead, ask, pair).status == 204)
        let ended = await pair.server.step {
            await Self.kinds(pair).last == "readyCheckEnded"
        }
        #expect(ended)
        #expect(await Self.call(pair).status == 201)
        await Self.finish(pair)
    }
}
