import APNsClient
import GameLogic
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// What APNs refuses again and again, whatever it says.
@Suite("PR8: no refusal is repeated without a bound", .timeLimit(.minutes(5)), .simulated)
struct RefusalBoundTests {
    private static let accepted = APNsClient.Outcome.accepted(apnsUniqueID: nil)

    private static func refusal(
        _ status: Int, _ reason: String, since: WallTime? = nil
    ) -> APNsClient.Outcome {
        .refused(
            APNsClient.Refusal(
                status: status, reason: reason, timestamp: since?.milliseconds,
                action: APNsReason.action(status: status, reason: reason)))
    }

    /// Before any token was registered.
    private static let longAgo = WallTime(milliseconds: 1)

    /// A party whose phone gets these answers, and another one's that keeps the host in use.
    private static func stage(
        _ answer: @escaping @Sendable (PushRequest) -> APNsClient.Outcome
    ) async throws -> Stage {
        let stage = try await Stage.make(speed: 1000)
        stage.apns.answer(.by { $0.token.hex == "900d" ? accepted : answer($0) })
        let other = try await TestPlayer.make("Bear", at: stage.server)
        let party = try await other.found().id
        #expect(await other.watch("other", token: "900d").status == 204)
        #expect(await other.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        return stage
    }

    /// The same, with a single thing to show: a second hero has joined.
    private static func quietStage(
        _ answer: @escaping @Sendable (PushRequest) -> APNsClient.Outcome
    ) async throws -> Stage {
        let stage = try await stage(answer)
        let egghead = try await TestPlayer.make("Egghead", at: stage.server)
        let state = await stage.panda.send(.get, "/v1/parties/\(stage.party)")
        #expect(await egghead.join(try #require(state.body["inviteCode"].string)).status == 200)
        return stage
    }

    private static func activity(_ stage: Stage) async -> Value {
        await stage.panda.send(.get, "/v1/activities/activity-1").body
    }

    private static func pushes(_ stage: Stage, to token: String = "abcd") -> [FakeAPNs.Push] {
        stage.apns.pushes.filter { $0.request.token.hex == token }
    }

    private static func content(_ aps: Value) -> String {
        let state = aps["content-state"]
        let health = state["currentHealthLevel"].number ?? -1
        return "\(health) \(state["eventDescription"].string ?? "")"
    }

    // MARK: One content

    @Test("A6: after two 410 from before the registration the app is asked for another token")
    func oldDate() async throws {
        let stage = try await Self.quietStage { _ in
            Self.refusal(410, "Unregistered", since: Self.longAgo)
        }
        await stage.server.step(forSeconds: 300)
        #expect(Self.pushes(stage).count == OwnRefusals.sameMax)
        #expect(await Self.activity(stage)["hasPushToken"].bool == false)
        let advice = await stage.panda.send(
            .post, "/v1/me/reconcile",
            """
            {"device":"phone","activities":[
            {"id":"activity-1","hero":"\(stage.panda.hero)","state":"active"}]}
            """)
        #expect(advice.body["register"].array.compactMap(\.string) == ["activity-1"])
        stage.apns.answer(.at(once: Self.accepted))
        #expect(await stage.panda.watch("activity-1", token: "ef01").status == 204)
        #expect(await stage.server.step { !Self.pushes(stage, to: "ef01").isEmpty })
        await stage.server.server.drain()
    }

    @Test("a restart forgets no refusal")
    func restart() async throws {
        let refusal = Self.refusal(410, "Unregistered", since: Self.longAgo)
        let first = try await Self.quietStage { _ in refusal }
        #expect(await first.server.step { Self.pushes(first).count == 1 })
        await first.server.step(forSeconds: 5)
        await first.server.server.drain()
        let apns = FakeAPNs()
        apns.answer(.by { $0.token.hex == "900d" ? Self.accepted : refusal })
        let server = try await TestServer(
            file: first.server.file,
            clock: VirtualClock(now: first.server.clock.now.adding(seconds: 1)), apns: apns,
            speed: 1000)
        let second = first.moved(to: server)
        await server.step(forSeconds: 300)
        #expect(Self.pushes(first).count + Self.pushes(second).count == OwnRefusals.sameMax)
        #expect(await Self.activity(second)["hasPushToken"].bool == false)
        await server.server.drain()
    }

    @Test(
        "what a device refuses again and again ends with its token, whatever the reason",
        arguments: [
            (400, "TopicDisallowed"), (400, "IdleTimeout"), (403, "Forbidden"),
            (403, "SomethingNew"), (403, ""), (421, "Misdirected"),
        ])
    func anyReason(status: Int, reason: String) async throws {
        let stage = try await Self.quietStage { _ in Self.refusal(status, reason) }
        #expect(
            await stage.server.step { await Self.activity(stage)["hasPushToken"].bool == false })
        let count = Self.pushes(stage).count
        #expect((OwnRefusals.sameMax...OwnRefusals.givingUpMin).contains(count))
        await stage.server.step(forSeconds: 60)
        #expect(Self.pushes(stage).count == count)
        await stage.server.server.drain()
    }

    @Test(
        "Apple's failures, its rates and the provider token give up no token",
        arguments: [
            (500, "InternalServerError"), (503, "Shutdown"), (599, "SomethingNew"),
            (429, "TooManyRequests"), (429, "SomethingNew"), (403, "InvalidProviderToken"),
            (403, "BadEnvironmentKeyInToken"), (403, "MissingProviderToken"),
            (403, "UnrelatedKeyIdInToken"),
        ])
    func others(status: Int, reason: String) async throws {
        let stage = try await Self.stage { _ in Self.refusal(status, reason) }
        try await stage.start()
        await stage.server.step(forSeconds: 200)
        #expect(Self.pushes(stage).count > 1)
        #expect(await Self.activity(stage)["hasPushToken"].bool == true)
        #expect(Self.refusal(status, reason).ownRefusal == nil)
        await stage.server.server.drain()
    }

    // MARK: A life

    @Test("an activity that has got all its refusals ends, and its app may start another")
    func spent() async throws {
        let stage = try await Self.quietStage { _ in Self.refusal(400, "BadPriority") }
        for number in 0..<3 * OwnRefusals.lifeMax {
            await stage.server.step(forSeconds: 5)
            let token = String(7000 + number)
            let status = await stage.panda.watch("activity-1", token: token).status
            guard status == 204 else {
                #expect(status == 409)
                break
            }
        }
        #expect(await Self.activity(stage)["state"].string == "ended")
        let refused = stage.apns.pushes.count { $0.request.token.hex != "900d" }
        #expect(refused == OwnRefusals.lifeMax)
        stage.apns.answer(.at(once: Self.accepted))
        #expect(await stage.panda.watch("activity-2", token: "ef01").status == 204)
        await stage.server.server.drain()
    }

    // MARK: Invented answers

    /// A push that was refused for itself.
    private struct Refused: Hashable {
        let token: String
        let content: String
    }

    /// Answers that nobody has documented, and some that are.
    private static func invented(_ dice: inout SeededRandom) -> APNsClient.Outcome {
        switch dice.draw(in: 0...9) {
        case 0: return accepted
        case 1: return .unknown("reset")
        case 2: return refusal([500, 503, 429, 599][dice.draw(in: 0...3)], "SomethingNew")
        default: break
        }
        let known = APNsReason.table.filter { (400..<500).contains($0.status) }
        let row = known[dice.draw(in: 0...known.count - 1)]
        let isOdd = dice.draw(in: 0...1) == 0
        let status = isOdd ? dice.draw(in: 400...499) : row.status
        let reason = dice.draw(in: 0...2) == 0 ? "New\(dice.draw(in: 0...99))" : row.reason
        let dates: [WallTime?] = [nil, longAgo, WallTime(milliseconds: 1 << 50)]
        return refusal(status, reason, since: dates[dice.draw(in: 0...2)])
    }

    @Test(
        "property: whatever APNs answers and the app puts, both bounds hold",
        arguments: (1...8).map(UInt64.init))
    func invented(seed: UInt64) async throws {
        let dice = Locked(SeededRandom(seed: seed))
        let refused = Locked<(all: Int, forGood: [Refused: Int])>((0, [:]))
        let stage = try await Self.stage { request in
            let outcome = dice.withLock { Self.invented(&$0) }
            guard case .refused(let refusal) = outcome, let own = refusal.ownRefusal else {
                return outcome
            }
            let payload = try? Value(json: request.payload)
            refused.withLock { refused in
                refused.all += 1
                // What blames the settings may concern all pushes: then it is no judgement.
                guard own == .forGood, refusal.action != .fixSettings else { return }
                let push = Refused(
                    token: request.token.hex, content: Self.content(payload?["aps"] ?? .null))
                refused.forGood[push, default: 0] += 1
            }
            return outcome
        }
        try await stage.start()
        for step in 0..<40 {
            await stage.server.step(forSeconds: 15)
            let activity = await Self.activity(stage)
            let (isAsked, roll) = (
                activity["hasPushToken"].bool == false, dice.withLock { $0.draw(in: 0...9) }
            )
            guard isAsked ? roll < 7 : roll == 0 else { continue }
            // Apps have nothing but the token that the system gave them, most of the time.
            let token = roll % 2 == 0 ? "abcd" : String(7000 + step)
            _ = await stage.panda.watch("activity-1", token: token)
        }
        let (all, forGood) = refused.withLock { $0 }
        #expect((1...OwnRefusals.lifeMax).contains(all))
        #expect((forGood.values.max() ?? 0) <= OwnRefusals.sameMax)
        await stage.server.server.drain()
    }
}

extension APNsClient.Outcome {
    fileprivate var ownRefusal: OwnRefusal? {
        guard case .refused(let refusal) = self else { return nil }
        return refusal.ownRefusal
    }
}
