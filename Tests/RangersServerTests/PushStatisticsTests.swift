import APNsClient
import GameLogic
import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("What all pushes are counted as")
struct PushStatisticsTests {
    private static let noon = WallTime(milliseconds: 1_800_000_000_000)

    private static func push(
        _ priority: PushPriority = .low, readyAt: WallTime = noon, activity: String = "a"
    ) -> PlannedPush {
        PlannedPush(
            event: .update, recipient: .activity(ActivityID(activity)),
            target: .device(PushToken(hex: "00")), environment: .sandbox, tokenConfirmedAt: noon,
            content: LocalizableContent(
                health: Health(thousandths: 500), text: LocalizableText("A storm is raging!")),
            language: .english, alert: nil, priority: priority, timestamp: noon.seconds,
            staleDate: nil, relevanceScore: 50, expiration: noon, contentVersion: 1,
            times: PlannedPush.Times(
                dueSince: readyAt.adding(seconds: -30), readyAt: readyAt))
    }

    /// Notes an accepted push after so many milliseconds.
    private static func accept(
        _ statistics: inout PushStatistics, after milliseconds: Int64,
        _ priority: PushPriority = .low, readyAt: WallTime = noon
    ) {
        statistics.note(
            PushResponse(status: 200, reason: "", at: noon.adding(milliseconds: milliseconds)),
            to: push(priority, readyAt: readyAt), of: PartyID("p"), nil)
    }

    @Test("each push is in its second and its minute, by priority; the oldest come first")
    func series() {
        var statistics = PushStatistics()
        Self.accept(&statistics, after: 0, .high)
        Self.accept(&statistics, after: 999)
        Self.accept(&statistics, after: 59_000)
        let now = Self.noon.adding(seconds: 59)
        let seconds = statistics.seconds(at: now)
        #expect(seconds.count == PushStatistics.span)
        #expect(seconds.first == PushStatistics.Count(high: 1, low: 1))
        #expect(seconds.last == PushStatistics.Count(low: 1))
        let minutes = statistics.minutes(at: now)
        #expect(minutes.map(\.high).reduce(0, +) == 1 && minutes.map(\.low).reduce(0, +) == 2)
        // A second later the first is no longer among the last 60.
        #expect(statistics.seconds(at: now.adding(seconds: 1)).first == PushStatistics.Count())
    }

    @Test("a push that comes after one of a later second counts; one that is too old does not")
    func outOfOrder() {
        var statistics = PushStatistics()
        for seconds in [0, 70, 69, 71, 69, 12, 11] as [Int64] {
            Self.accept(&statistics, after: seconds * 1000)
        }
        let low = statistics.seconds(at: Self.noon.adding(seconds: 71)).map(\.low)
        #expect(low.suffix(3) == [2, 1, 1])
        #expect(low.first == 1)
        #expect(low.reduce(0, +) == 5)
        #expect(statistics.minutes(at: Self.noon.adding(seconds: 71)).map(\.low).reduce(0, +) == 7)
    }

    @Test("a latency is in the bucket of its bound, from when it could leave to accepted")
    func latencies() {
        var statistics = PushStatistics()
        for milliseconds in [50, 51, 100, 10_000, 10_001] as [Int64] {
            Self.accept(&statistics, after: milliseconds)
        }
        Self.accept(&statistics, after: 0, readyAt: Self.noon.adding(milliseconds: -1000))
        let counts = statistics.latencies(at: Self.noon.adding(seconds: 20))
        #expect(counts == [1, 2, 0, 0, 1, 0, 0, 1, 1])
    }

    @Test(
        "a quantile lies within its bucket, and is unknown without pushes and beyond the last bound",
        arguments: [
            ([0, 0, 0, 0, 0, 0, 0, 0, 0], 0.5, nil), ([10, 0, 0, 0, 0, 0, 0, 0, 0], 0.5, 0.025),
            ([0, 4, 0, 0, 0, 0, 0, 0, 0], 0.5, 0.075), ([1, 0, 0, 0, 0, 0, 0, 1, 0], 0.99, 9.9),
            ([1, 0, 0, 0, 0, 0, 0, 0, 1], 0.99, nil), ([2, 0, 0, 0, 0, 0, 0, 0, 2], 0.5, 0.05),
        ] as [([Int], Double, Double?)])
    func quantiles(counts: [Int], share: Double, expected: Double?) throws {
        let found = PushStatistics.quantile(share, of: counts)
        guard let expected else { return #expect(found == nil) }
        #expect(abs(try #require(found) - expected) < 0.001)
    }

    @Test("of many different answers 64 are told apart, the most frequent first")
    func answers() {
        var statistics = PushStatistics()
        for number in 0..<200 {
            let response = PushResponse(status: 400, reason: "R\(number)", at: Self.noon)
            for _ in 0...(number == 3 ? 1 : 0) {
                statistics.note(response, to: Self.push(), of: PartyID("p"), .deadLetter)
            }
        }
        let answers = statistics.answers(at: Self.noon)
        #expect(answers.count == 65)
        #expect(answers.first?.answer.reason == "others" && answers.first?.count == 136)
        #expect(answers.dropFirst().first?.answer.reason == "R3")
        #expect(answers.map(\.count).reduce(0, +) == 201)
    }

    @Test("the newest 200 refusals are kept, the newest first")
    func refusals() {
        var statistics = PushStatistics()
        for number in 0..<501 {
            statistics.note(
                PushResponse(status: 410, reason: "Unregistered", at: Self.noon),
                to: Self.push(activity: "a\(number)"), of: PartyID("p"), .dropToken)
        }
        #expect(statistics.refusals.count == PushStatistics.refusalsMax)
        #expect(statistics.refusals.first?.activity == ActivityID("a500"))
        #expect(statistics.refusals.last?.activity == ActivityID("a301"))
        #expect(statistics.seconds(at: Self.noon).last?.refused == 501)
    }

    @Test("what has not been tried is no refusal", arguments: PushResponse.Silence.allCases)
    func untried(silence: PushResponse.Silence) {
        let isTried = [.notSent, .unknown, .unreadable, .linted].contains(silence)
        var statistics = PushStatistics()
        statistics.note(
            PushResponse(silence, at: Self.noon), to: Self.push(), of: PartyID("p"), nil)
        #expect(statistics.refusals.count == (isTried ? 1 : 0))
        #expect(statistics.seconds(at: Self.noon).last?.refused == (isTried ? 1 : 0))
        #expect(statistics.answers(at: Self.noon).map(\.answer.reason) == [silence.rawValue])
        #expect(statistics.refusals.allSatisfy { !$0.meaning.isEmpty && !$0.reaction.isEmpty })
    }
}

@Suite("E3: how all pushes fare", .timeLimit(.minutes(2)))
struct PushOverviewTests {
    private static let path = "/v1/admin/pushes"

    private static func sum(_ series: Value) -> Double {
        series.array.compactMap(\.number).reduce(0, +)
    }

    @Test("accepted pushes are counted by priority, and each card by what it has spent")
    func accepted() async throws {
        let stage = try await Stage.make()
        let before = await stage.server.admin(.get, Self.path).body
        #expect(before["latency"]["p50"].isNull && before["answers"].array.isEmpty)
        #expect(before["seconds"]["high"].array.count == PushStatistics.span)
        #expect(before["hosts"][0]["state"].string == "answers")
        try await stage.start()
        _ = await stage.server.step { stage.apns.pushes.count > 8 }
        await stage.server.untilAsleep()
        let after = await stage.server.admin(.get, Self.path).body
        let sent = stage.apns.pushes
        for (series, priority) in [("high", PushRequest.Priority.high), ("low", .low)] {
            let count = sent.count { $0.request.priority == priority }
            #expect(Self.sum(after["seconds"][series]) == Double(count), "\(series)")
            #expect(Self.sum(after["minutes"][series]) == Double(count), "\(series)")
        }
        #expect(after["answers"].array.count == 1)
        #expect(after["answers"][0]["status"].number == 200)
        #expect(after["answers"][0]["count"].number == Double(sent.count))
        #expect(after["latency"]["buckets"].array.count == PushStatistics.latencyBounds.count + 1)
        #expect(!after["latency"]["p99"].isNull)
        #expect(after["budget"].array.compactMap { $0["cards"].number }.reduce(0, +) == 1)
        #expect(after["refusals"].array.isEmpty && after["isCut"].bool == false)
        await stage.server.server.drain()
    }

    @Test("a refusal says what it means and what the server does; a waiting card says why it waits")
    func refused() async throws {
        let stage = try await Stage.make()
        stage.apns.answer(.at(once: MomentTests.refusal(410, "Unregistered")))
        try await stage.start()
        var body = Value.null
        _ = await stage.server.step {
            body = await stage.server.admin(.get, Self.path).body
            return !body["waits"].array.isEmpty && !body["refusals"].array.isEmpty
        }
        let refusal = body["refusals"][0]
        #expect(refusal["party"].string == stage.party)
        #expect(refusal["activity"].string == "activity-1")
        #expect(refusal["status"].number == 410 && refusal["reason"].string == "Unregistered")
        #expect(refusal["means"].string?.contains("token is dead") == true)
        #expect(refusal["action"].string?.contains("next one") == true)
        #expect(body["answers"][0]["reason"].string == "Unregistered")
        #expect(Self.sum(body["seconds"]["refused"]) == 1)
        #expect(body["waits"][0]["reason"].string == "waits for a push token (T2)")
        #expect(body["waits"][0]["cards"].number == 1)
        await stage.server.server.drain()
    }

    @Test("pushes that an owner has paused are no refusals")
    func paused() async throws {
        let stage = try await Stage.make()
        #expect(await stage.server.admin(.put, "/v1/admin/push-pause").status == 200)
        try await stage.start()
        await stage.server.step(forSeconds: 5)
        let body = await stage.server.admin(.get, Self.path).body
        #expect(body["refusals"].array.isEmpty && Self.sum(body["minutes"]["refused"]) == 0)
        await stage.server.server.drain()
    }

    @Test("of 200 requests at once all get the same survey, and players get none")
    func crowd() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        let (statuses, _) = await FairLimitTests.storm { number in
            number.isMultiple(of: 2)
                ? await stage.server.admin(.get, Self.path)
                : await stage.panda.send(.get, Self.path)
        }
        #expect(statuses == [200: 100, 401: 100])
        #expect(await stage.server.send(.get, Self.path).status == 401)
        await stage.server.server.drain()
    }
}
