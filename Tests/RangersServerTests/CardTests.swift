import APNsClient
import Foundation
import GameLogic
import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("C2: cards with a question and a team", .timeLimit(.minutes(1)), .simulated)
struct CardTests {
    static let second = #","stateVersion":2"#

    /// The content states that an activity has received, oldest first.
    private static func states(of activity: String, _ server: TestServer) -> [Value] {
        server.apns.pushes
            .filter { $0.request.token == DeviceToken(hex: TestPlayer.token(of: activity)) }
            .map { $0.aps["content-state"] }
    }

    @Test("an app that knows the second version gets the question; another one does not")
    func question() async throws {
        let pair = try await AnswerTests.Pair.make(speed: 1000)
        #expect(await pair.panda.watch("activity-1", more: Self.second).status == 204)
        #expect(await pair.egghead.watch("activity-2").status == 204)
        let ask = try await AnswerTests.reachFork(pair)
        let open = await pair.panda.send(.get, pair.path).body["adventure"]["asks"].array
            .first { $0["id"].number == Double(ask) }
        // The fork is asked at low priority, which keeps the pack's gap.
        _ = await pair.server.step {
            !Self.states(of: "activity-1", pair.server).filter { !$0["ask"].isNull }.isEmpty
        }
        let state = try #require(Self.states(of: "activity-1", pair.server).last)
        #expect(state["ask"]["id"].number == Double(ask))
        #expect(state["ask"]["kind"].string == "fork")
        #expect(state["ask"]["button"].string == "Hedge!")
        #expect(state["ask"]["text"].string?.hasSuffix("?") == true)
        #expect(state["ask"]["mine"].bool == false)
        #expect(state["ask"]["of"].number == 2)
        let end = try #require(open?["endsAt"].number)
        // Seconds since 2001, as a default decoder reads a `Date`.
        let date = Date(timeIntervalSince1970: (end / 1000).rounded(.down))
        #expect(state["ask"]["endsAt"].number == date.timeIntervalSinceReferenceDate)
        let card = "game:///party/\(pair.party)/hero/\(pair.panda.hero)"
        #expect(state["link"].string == "\(card)/ask/\(ask)")
        #expect(state["team"].array.map { $0["mood"].number } == [2, 2])
        for player in [pair.panda, pair.egghead] {
            let answer = await player.send(
                .post, pair.path + "/answers",
                #"{"hero":"\#(player.hero)","ask":\#(ask),"yes":true}"#)
            #expect(answer.status == 204)
        }
        _ = await pair.server.step {
            Self.states(of: "activity-1", pair.server).last?["ask"].isNull == true
        }
        try await pair.end()
        _ = await pair.server.step {
            Self.states(of: "activity-1", pair.server).last?["link"].string
                == "\(card)/result"
        }
        let others = Self.states(of: "activity-2", pair.server)
        #expect(!others.isEmpty)
        #expect(others.count { !$0["link"].isNull || !$0["team"].isNull } == 0)
        await pair.server.server.drain()
    }

    @Test("what an app says of itself is kept and shown; a newer app gets the newest known version")
    func registration() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        let plain = await panda.watch("activity-1")
        #expect(plain.status == 204)
        let night = #","utcOffsetMinutes":-570,"quietHours":{"from":21,"to":6}"#
        for (more, version, hours) in [
            ("", 1, nil), (Self.second, 2, nil), (#","stateVersion":7"#, 2, nil),
            (night, 2, [-570, 21, 6]), (#","utcOffsetMinutes":60"#, 2, [60, 21, 6]),
        ] as [(String, Double, [Double]?)] {
            #expect(await panda.watch("activity-1", more: more).status == 204)
            let shown = await panda.send(.get, "/v1/activities/activity-1").body
            #expect(shown["stateVersion"].number == version)
            let quiet = shown["quietHours"]
            #expect(quiet.isNull == (hours == nil))
            if let hours {
                let names = ["utcOffsetMinutes", "from", "to"]
                #expect(names.map { quiet[$0].number } == hours)
            }
        }
        await server.server.drain()
    }

    @Test("an activity says how a boss rush would come: at full speed, quiet, or quiet until when")
    func rush() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let (party, _) = try await panda.found()
        func rush() async -> TestServer.Answer {
            await panda.send(.get, "/v1/activities/activity-1")
        }
        #expect(await panda.watch("activity-1", frequentPushes: false).status == 204)
        let quiet = await rush().body["rush"]
        #expect(quiet["speed"].string == "quiet" && quiet["fullAt"].isNull)
        #expect(await panda.watch("activity-1").status == 204)
        #expect(await rush().body["rush"]["speed"].string == "full")
        #expect(await panda.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        let isSpent = await server.step { await rush().body["rush"]["speed"].string == "quiet" }
        #expect(isSpent)
        let spent = await rush().body["rush"]
        #expect((spent["fullAt"].number ?? 0) > Double(server.clock.now.milliseconds))
        let isOver = await server.step { await rush().body["rush"].isNull }
        #expect(isOver)
        await server.server.drain()
    }

    @Test(
        "what makes no sense is refused with a sentence",
        arguments: [
            (#","stateVersion":0"#, "stateVersion"), (#","stateVersion":1001"#, "stateVersion"),
            (#","revision":0"#, "revision"), (#","revision":4294967296"#, "revision"),
            (#","utcOffsetMinutes":841"#, "utcOffsetMinutes"),
            (#","utcOffsetMinutes":-721"#, "utcOffsetMinutes"),
            (#","quietHours":{"from":1,"to":2}"#, "quietHours"),
            (#","utcOffsetMinutes":0,"quietHours":{"from":24,"to":2}"#, "quietHours"),
            (#","utcOffsetMinutes":0,"quietHours":{"from":1,"to":-1}"#, "quietHours"),
            (#","utcOffsetMinutes":0,"quietHours":{"from":24}"#, "quietHours"),
        ])
    func refused(more: String, field: String) async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        let answer = await panda.watch("activity-1", more: more)
        #expect(answer.status == 400)
        #expect(answer.body["detail"].string?.contains("\"\(field)\"") == true, "\(answer.text)")
        await server.server.drain()
    }

    @Test("the fast encoding of a state with details equals that of a default JSONEncoder")
    func writers() throws {
        let hero = HeroTag(id: HeroID("hero-1"), name: "Panda")
        for details in [
            CardDetails.longest(
                of: hero, in: PartyID("party-1"), text: AskTexts.stop, button: AskTexts.give),
            CardDetails(link: .party(PartyID("party-1"), hero.id, .hero)),
        ] {
            let state = ContentState(
                LocalizableContent(health: Health(thousandths: 333), text: AskTexts.drink), details,
                words: { $0.key })
            let payload = try LiveActivityPayload.update(at: 1_685_952_000, state: state).encoded()
            let whole = try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
            let aps = whole?["aps"] as? [String: Any]
            let fast = aps?["content-state"] as? NSDictionary
            let slow = try JSONSerialization.jsonObject(with: JSONEncoder().encode(state))
            #expect(fast == slow as? NSDictionary)
            #expect(fast != nil)
        }
    }
}
