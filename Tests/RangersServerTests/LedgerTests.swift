import APNsClient
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("B7: the ledger has what APNs responded", .timeLimit(.minutes(2)), .simulated)
struct LedgerTests {
    static func refusal(_ status: Int, _ reason: String) -> APNsClient.Outcome {
        .refused(
            APNsClient.Refusal(
                status: status, reason: reason, timestamp: .max,
                action: APNsReason.action(status: status, reason: reason)))
    }

    private static func decisions(_ stage: Stage, _ query: String = "") async -> [Value] {
        await stage.server.admin(.get, "/v1/admin/parties/\(stage.party)/decisions\(query)")
            .body["decisions"].array
    }

    /// Steps until the decision on the adventure's begin has so many pushes with a response.
    private static func begun(_ stage: Stage, responses: Int) async -> Value {
        var found = Value.null
        _ = await stage.server.step {
            found = await decisions(stage).first { $0["kind"].string == "adventureBegan" } ?? .null
            return found["pushes"].array.count { !$0["respondedAt"].isNull } >= responses
        }
        return found
    }

    private static func why(_ stage: Stage, party: String? = nil) async throws -> [String] {
        try await ActivityStory.text(of: "activity-1", party: party, in: .file(stage.server.file))
            .split(separator: "\n").map(String.init)
    }

    @Test("an accepted push shows what it cost and when APNs took it")
    func accepted() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        let at = Double(stage.server.clock.now.milliseconds)
        let row = await Self.begun(stage, responses: 1)
        #expect(row["verdict"].string == "sent")
        let push = row["pushes"][0]
        #expect(row["pushes"].array.count == 1)
        #expect(push["event"].string == "update")
        #expect(push["priority"].number == 10)
        #expect(push["status"].number == 200 && push["reason"].isNull)
        #expect(push["sentAt"].number == at)
        #expect((push["respondedAt"].number ?? 0) >= at)
        let before = try #require(push["budgetBefore"].number)
        #expect(push["budgetAfter"].number == before - 1)
        #expect(push["timestamp"].number == stage.timestamps.first)
        await stage.server.server.drain()
    }

    @Test(
        "A5: the ledger has one name for a reason that Apple spells in two ways",
        arguments: ["BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken"])
    func spelling(reason: String) {
        let refused = ReportedOutcome.Result.reported(Self.refusal(403, reason))
        let response = PushResponse(of: refused, at: WallTime(milliseconds: 0))
        #expect(response.reason == "BadEnvironmentKeyInToken")
    }

    @Test("a 410 shows as such, and so does the push to the next token")
    func dead() async throws {
        let stage = try await Stage.make()
        stage.apns.answer(.at(once: Self.refusal(410, "Unregistered")))
        try await stage.start()
        var row = await Self.begun(stage, responses: 1)
        #expect(row["verdict"].string == "sent")
        #expect(row["pushes"][0]["status"].number == 410)
        #expect(row["pushes"][0]["reason"].string == "Unregistered")
        var waiting: Value?
        _ = await stage.server.step {
            waiting = await Self.decisions(stage).last
            return waiting?["verdict"].string == "deferred"
        }
        #expect(waiting?["pushes"].array.isEmpty == true)
        stage.apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        #expect(await stage.panda.watch("activity-1", token: "beef").status == 204)
        row = await Self.begun(stage, responses: 2)
        #expect(row["pushes"].array.compactMap { $0["status"].number } == [410, 200])
        let page = await Self.decisions(stage, "?limit=1")
        #expect(page.count == 1)
        #expect(page[0]["pushes"].array.compactMap { $0["status"].number } == [410, 200])
        await stage.server.server.drain()
    }

    @Test("a push without a response of APNs says why")
    func silence() async throws {
        let stage = try await Stage.make()
        stage.apns.answer(.at(once: .unknown("the connection was lost")))
        try await stage.start()
        let row = await Self.begun(stage, responses: 2)
        #expect(row["pushes"][0]["status"].isNull)
        #expect(row["pushes"][0]["reason"].string == "outcome unknown")
        #expect(row["pushes"].array.count <= LoggedDecision.pushesMax)
        stage.apns.answer(.later)
        await stage.server.step(forSeconds: 30)
        await stage.server.server.drain()
    }

    @Test("responses survive a restart, also when only a row of outcomes has them")
    func restart() async throws {
        let first = try await Stage.make()
        first.apns.answer(.later)
        try await first.start()
        await first.apns.untilSent(1)
        first.apns.answerShutdown(Self.refusal(500, "InternalServerError"))
        await first.server.server.drain()
        let server = try await TestServer(
            file: first.server.file,
            clock: VirtualClock(now: first.server.clock.now.adding(seconds: 1)))
        let second = first.moved(to: server)
        let row = await Self.begun(second, responses: 1)
        #expect(row["pushes"][0]["status"].number == 500)
        await server.server.drain()
        let report = await Replay.report(file: server.file, party: nil)
        #expect(report.differences == [])
    }

    @Test("the ledger of one activity has only its decisions")
    func filtered() async throws {
        let stage = try await Stage.make()
        #expect(await stage.panda.watch("activity-2", token: "ef01").status == 204)
        try await stage.start()
        #expect(await stage.untilEnded())
        let all = await Self.decisions(stage)
        let one = await Self.decisions(stage, "?activity=activity-2")
        #expect(one.count * 2 == all.count && one.count > 5)
        #expect(one.allSatisfy { $0["activity"].string == "activity-2" })
        let after = await Self.decisions(stage, "?activity=activity-2&limit=3&after=4")
        #expect(after.compactMap { $0["event"].number } == [5, 6, 7])
        await stage.server.server.drain()
    }

    @Test("a start by push has its response")
    func starts() async throws {
        let scene = try await StartScene.make()
        try await scene.start()
        let isThere = await scene.server.step(until: {
            await scene.decisions().first?["pushes"][0]["status"].number == 200
        })
        #expect(isThere)
        #expect(await scene.decisions().first?["pushes"][0]["event"].string == "start")
        await scene.server.server.drain()
    }

    @Test("B7: `why` tells it in sentences, while the server runs and afterwards")
    func story() async throws {
        let stage = try await Stage.make()
        stage.apns.answer(.at(once: Self.refusal(410, "Unregistered")))
        try await stage.start()
        _ = await Self.begun(stage, responses: 1)
        let lines = try await Self.why(stage)
        #expect(lines[0].hasPrefix("Live Activity activity-1 of hero \(stage.panda.hero) in party"))
        let begun = try #require(lines.firstIndex { $0.contains("(adventureBegan)") })
        #expect(
            lines[begun].hasSuffix(
                "A push became due at high priority: the start of an adventure cannot wait (Q5); "
                    + "the card tells it: a turn of the story (C7)."))
        #expect(lines[begun + 1].contains("the server sent an update at high priority."))
        #expect(lines[begun + 1].contains("High-priority pushes left:"))
        #expect(lines[begun + 2].hasSuffix("APNs refused it with 410 Unregistered."))
        await stage.server.server.drain()
        #expect(try await Self.why(stage).count >= lines.count)
        await #expect(throws: (any Error).self) {
            _ = try await ActivityStory.text(of: "none", party: nil, in: .file(stage.server.file))
        }
        let unknown = try await ActivityStory.text(
            of: "none", party: stage.party, in: .file(stage.server.file))
        #expect(unknown.hasSuffix("is not registered now."))
    }

    @Test("reading a file changes nothing of it")
    func untouched() async throws {
        let stage = try await Stage.make()
        await stage.server.server.drain()
        let before = try FileBytes.of(stage.server.file)
        _ = try await Self.why(stage)
        _ = await Replay.report(file: stage.server.file, party: nil)
        #expect(try FileBytes.of(stage.server.file) == before)
        let missing = stage.server.file + "-none"
        let report = await Replay.report(file: missing, party: nil)
        #expect(report.differences.count == 1 && report.differences[0].contains("no file"))
        #expect(try FileBytes.of(missing).isEmpty)
    }
}
