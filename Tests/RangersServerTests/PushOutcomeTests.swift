import APNsClient
import HTTPServer
import Playtest
import PushPolicy
import RangersServer
import Testing

/// What each of Apple's answers makes of the next push.
@Suite("Answers of APNs", .timeLimit(.minutes(2)), .simulated)
struct PushOutcomeTests {
    private static func refusal(
        _ status: Int, _ reason: String, since: WallTime? = nil
    ) -> APNsClient.Outcome {
        .refused(
            APNsClient.Refusal(
                status: status, reason: reason, timestamp: since?.milliseconds,
                action: APNsReason.action(status: status, reason: reason)))
    }

    private static let accepted = APNsClient.Outcome.accepted(apnsUniqueID: nil)

    /// A party whose story stands still: its only news is a second hero, whose push gets this
    /// answer.
    private func quietStage(answering answer: FakeAPNs.Answer) async throws -> Stage {
        let stage = try await Stage.make()
        stage.apns.answer(answer)
        let egghead = try await TestPlayer.make("Egghead", at: stage.server)
        let state = await stage.panda.send(.get, "/v1/parties/\(stage.party)")
        let code = try #require(state.body["inviteCode"].string)
        #expect(await egghead.join(code).status == 200)
        await stage.apns.untilSent(1)
        return stage
    }

    private func quietStage(answering outcome: APNsClient.Outcome) async throws -> Stage {
        try await quietStage(answering: .at(once: outcome))
    }

    /// Moves a quiet stage's clock on in steps until its next push leaves; gives when.
    private func nextPush(of stage: Stage) async throws -> WallTime {
        let count = stage.apns.pushes.count
        let isSent = await stage.server.step(until: { stage.apns.pushes.count > count })
        try #require(isSent)
        return stage.server.clock.now
    }

    private func content(_ push: FakeAPNs.Push) -> String? {
        push.aps["content-state"]["eventDescription"].string
    }

    /// Whether the push tells the beginning of the adventure.
    private func begins(_ push: FakeAPNs.Push) -> Bool {
        Sentences.of("classic/1.begins").contains(content(push) ?? "")
    }

    @Test(
        "PR8: the same content goes again 15 minutes after a 5xx, not before",
        arguments: [(500, "InternalServerError"), (503, "ServiceUnavailable")])
    func appleFailed(status: Int, reason: String) async throws {
        let stage = try await quietStage(answering: Self.refusal(status, reason))
        let start = stage.server.clock.now
        stage.apns.answer(.at(once: Self.accepted))
        let again = try await nextPush(of: stage)
        #expect(again >= start.adding(seconds: 15 * 60))
        #expect(again <= start.adding(seconds: 15 * 60 + 1))
        #expect(content(stage.apns.pushes[0]) == content(stage.apns.pushes[1]))
        await stage.server.server.drain()
    }

    @Test("PR8: newer content goes at once after a 5xx")
    func newerAfterFailure() async throws {
        let stage = try await quietStage(answering: Self.refusal(503, "ServiceUnavailable"))
        let start = stage.server.clock.now
        stage.apns.answer(.at(once: Self.accepted))
        try await stage.start()
        await stage.apns.untilSent(2)
        #expect(stage.server.clock.now <= start.adding(seconds: 2))
        #expect(begins(stage.apns.pushes[1]))
        await stage.server.server.drain()
    }

    @Test("PR7: a 429 pauses its device for a minute, newer content included")
    func tooManyRequests() async throws {
        let stage = try await quietStage(answering: Self.refusal(429, "TooManyRequests"))
        let start = stage.server.clock.now
        stage.apns.answer(.at(once: Self.accepted))
        try await stage.start()
        let again = try await nextPush(of: stage)
        #expect(again >= start.adding(seconds: 60))
        #expect(again <= start.adding(seconds: 61))
        await stage.server.server.drain()
    }

    @Test("PR7: a 429 pauses no other device")
    func othersGoOn() async throws {
        let apns = FakeAPNs()
        let stage = try await Stage.make(apns: apns)
        apns.answer(
            .by { request in
                request.token.hex == "abcd" ? Self.refusal(429, "TooManyRequests") : Self.accepted
            })
        #expect(await stage.panda.watch("activity-2", token: "ef01").status == 204)
        try await stage.start()
        let ended = await stage.server.step(until: {
            apns.pushes.contains {
                $0.request.token.hex == "ef01" && $0.aps["event"].string == "end"
            }
        })
        #expect(ended)
        let paused = apns.pushes.filter { $0.request.token.hex == "abcd" }
        // The adventure is over in half a minute.
        #expect(paused.count == 1)
        await stage.server.server.drain()
    }

    @Test("a push that did not leave goes again after a second")
    func notSent() async throws {
        let stage = try await quietStage(answering: .notSent("no connection"))
        let start = stage.server.clock.now
        stage.apns.answer(.at(once: Self.accepted))
        let again = try await nextPush(of: stage)
        #expect(again >= start.adding(seconds: 1))
        #expect(again <= start.adding(seconds: 2))
        #expect(stage.timestamps[0] < stage.timestamps[1])
        await stage.server.server.drain()
    }

    @Test("PR4: after an unknown fate the newest state goes, under the same name if it is the same")
    func unknownFate() async throws {
        let stage = try await quietStage(answering: .unknown("the connection was lost"))
        stage.apns.answer(.at(once: Self.accepted))
        _ = try await nextPush(of: stage)
        let pushes = stage.apns.pushes
        #expect(pushes[0].request.id == pushes[1].request.id)
        #expect(stage.timestamps[0] < stage.timestamps[1])
        await stage.server.server.drain()
    }

    @Test("PR4: after an unknown fate what happened meanwhile goes with it")
    func unknownFateOfOldNews() async throws {
        let stage = try await quietStage(answering: .later)
        let apns = stage.apns
        try await stage.start()
        apns.answer(.at(once: Self.accepted))
        apns.release(.unknown("the connection was lost"))
        await apns.untilSent(2)
        #expect(begins(apns.pushes[1]))
        await stage.server.server.drain()
    }

    @Test(
        "a push that Apple can never take is not sent again, newer content is",
        arguments: [(400, "BadMessageId"), (413, "PayloadTooLarge")])
    func deadLetter(status: Int, reason: String) async throws {
        let stage = try await quietStage(answering: Self.refusal(status, reason))
        stage.apns.answer(.at(once: Self.accepted))
        for _ in 0..<20 { await stage.server.step() }
        #expect(stage.apns.pushes.count == 1)
        try await stage.start()
        await stage.apns.untilSent(2)
        #expect(begins(stage.apns.pushes[1]))
        await stage.server.server.drain()
    }

    @Test(
        "PR6: after a refusal that blames our settings one push tries each 1 to 8 seconds",
        arguments: [
            (400, "BadTopic"), (400, "MissingTopic"), (400, "TopicDisallowed"),
            (403, "Forbidden"), (403, "MissingProviderToken"), (403, "Bananas"),
        ])
    func misconfigured(status: Int, reason: String) async throws {
        let stage = try await quietStage(answering: Self.refusal(status, reason))
        let start = stage.server.clock.now
        stage.apns.answer(.at(once: Self.accepted))
        let again = try await nextPush(of: stage)
        #expect(again >= start.adding(seconds: 1))
        // It is decided after two seconds without an acceptance that all pushes are meant.
        #expect(again <= start.adding(seconds: 2 + 8))
        #expect(content(stage.apns.pushes[0]) == content(stage.apns.pushes[1]))
        await stage.server.server.drain()
    }

    @Test("L12: an end that was refused for our settings goes once they are right")
    func misconfiguredEnd() async throws {
        let apns = FakeAPNs()
        let stage = try await Stage.make(apns: apns)
        apns.answer(.at(once: Self.refusal(400, "BadTopic")))
        try await stage.start()
        #expect(await stage.server.step(until: { stage.isEnded }))
        apns.answer(.at(once: Self.accepted))
        let count = apns.pushes.count
        #expect(await stage.server.step(until: { apns.pushes.count > count }))
        #expect(stage.isEnded)
        await stage.server.server.drain()
    }

    @Test(
        "PR6: after refused credentials one push tries each 1 to 8 seconds",
        arguments: ["ExpiredProviderToken", "InvalidProviderToken"])
    func credentials(reason: String) async throws {
        let stage = try await quietStage(answering: Self.refusal(403, reason))
        let start = stage.server.clock.now
        stage.apns.answer(.at(once: Self.accepted))
        let again = try await nextPush(of: stage)
        #expect(again >= start.adding(seconds: 1))
        #expect(again <= start.adding(seconds: 2 + 8))
        await stage.server.server.drain()
    }

    @Test("A6: a 410 from before the token was registered does not retire it")
    func olderDeath() async throws {
        let before = VirtualClock().now.adding(seconds: -1)
        let stage = try await quietStage(
            answering: Self.refusal(410, "Unregistered", since: before))
        stage.apns.answer(.at(once: Self.accepted))
        try await stage.start()
        _ = try await nextPush(of: stage)
        #expect(stage.apns.pushes[1].request.token.hex == "abcd")
        await stage.server.server.drain()
    }

    @Test("A6: a token that was rotated while its 410 was on the way stays")
    func rotatedMeanwhile() async throws {
        let stage = try await quietStage(answering: .later)
        let apns = stage.apns
        await stage.server.step()
        #expect(await stage.panda.watch("activity-1", token: "ef01").status == 204)
        apns.answer(.at(once: Self.accepted))
        apns.release(
            Self.refusal(410, "Unregistered", since: stage.server.clock.now.adding(seconds: 1)))
        await apns.untilSent(2)
        #expect(apns.pushes[1].request.token.hex == "ef01")
        await stage.server.server.drain()
    }

    /// What APNs says of a push that left before its token was put again.
    static let lateRefusals: [(Int, String, Int64?)] = [
        (410, "Unregistered", -1), (410, "Unregistered", 1), (400, "BadDeviceToken", nil),
    ]

    @Test(
        "A6: a token that is put again while it is being retired lives", arguments: lateRefusals)
    func putAgain(status: Int, reason: String, seconds: Int64?) async throws {
        let stage = try await quietStage(answering: .later)
        let apns = stage.apns
        await stage.server.step()
        #expect(await stage.panda.watch("activity-1").status == 204)
        apns.answer(.at(once: Self.accepted))
        let since = seconds.map { stage.server.clock.now.adding(seconds: $0) }
        apns.release(Self.refusal(status, reason, since: since))
        let isSentAgain = await stage.server.step(until: { apns.pushes.count >= 2 })
        try #require(isSentAgain)
        #expect(apns.pushes[1].request.token.hex == "abcd")
        let known = try await stage.store.activity(ActivityID("activity-1"))
        #expect(known?.pushToken == PushToken(hex: "abcd"))
        await stage.server.server.drain()
    }

    @Test("A6: a token dies by the 410 of a push that left after it was put again")
    func putBefore() async throws {
        let stage = try await Stage.make()
        await stage.server.step()
        #expect(await stage.panda.watch("activity-1").status == 204)
        let since = stage.server.clock.now.adding(seconds: 1)
        stage.apns.answer(.at(once: Self.refusal(410, "Unregistered", since: since)))
        try await stage.start()
        await stage.apns.untilSent(1)
        let isRetired = await stage.server.step(until: {
            let known = try? await stage.store.activity(ActivityID("activity-1"))
            return known != nil && known?.pushToken == nil
        })
        #expect(isRetired)
        #expect(stage.apns.pushes.count == 1)
        await stage.server.server.drain()
    }

    @Test("A6: a 400 BadDeviceToken retires the token too")
    func badDeviceToken() async throws {
        let stage = try await quietStage(answering: Self.refusal(400, "BadDeviceToken"))
        stage.apns.answer(.at(once: Self.accepted))
        try await stage.start()
        for _ in 0..<200 { await stage.server.step() }
        #expect(stage.apns.pushes.count == 1)
        await stage.server.server.drain()
    }

    @Test("pushes are counted by status and reason, strange reasons as other")
    func counted() async throws {
        let stage = try await quietStage(answering: Self.refusal(503, "Bananas"))
        let metrics = stage.server.metrics
        let line = #"rangers_pushes_total{priority="5",status="503",reason="other"} 1"#
        #expect(await stage.server.step(until: { metrics.exposition().contains(line) }))
        #expect(await stage.server.step(until: { metrics.value(.pushesInFlight) == 0 }))
        await stage.server.server.drain()
    }
}
