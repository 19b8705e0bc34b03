import APNsClient
import Foundation
import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// Thousands of tokens that APNs calls dead at once: the apps of a build that was withdrawn, or
/// tokens that somebody has invented.
@Suite("Many dead tokens", .timeLimit(.minutes(10)), .simulated)
struct DeadTokenTests {
    /// How many die at once; `DEAD_TOKENS=10000` takes minutes without optimization.
    private static let count =
        ProcessInfo.processInfo.environment["DEAD_TOKENS"].flatMap { Int($0) } ?? 600

    private static let dead = APNsClient.Outcome.refused(
        APNsClient.Refusal(
            status: 410, reason: "Unregistered", timestamp: nil,
            action: APNsReason.action(status: 410, reason: "Unregistered")))

    /// Players on adventures of their own, each with a first push on its way.
    private static func play(at server: TestServer) async throws {
        for first in stride(from: 0, to: count, by: 100) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in first..<min(first + 100, count) {
                    group.addTask {
                        let player = try await TestPlayer.make("Hero \(number)", at: server)
                        let party = try await player.found().id
                        #expect(await player.watch("card-\(number)").status == 204)
                        let path = "/v1/parties/\(party)/adventure"
                        #expect(await player.send(.post, path).status == 201)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("A6, PR22: a player waits for a few of the tokens that are being retired, not for all")
    func bulk() async throws {
        let stage = try await Stage.make()
        stage.apns.answer(.later)
        try await Self.play(at: stage.server)
        await stage.apns.untilSent(Self.count)
        await stage.server.untilAsleep()
        let before = stage.store.written.count
        stage.store.hold()
        stage.apns.release(Self.dead)
        await stage.store.untilHolding()
        async let answer = stage.panda.watch("activity-1", token: "ef01")
        await TestServer.until {
            stage.server.metrics.value(.requestsUnderWay, labels: "loop=\"0\"") == 1
        }
        stage.store.release()
        #expect(await answer.status == 204)
        let isRetired = await stage.server.step(until: {
            stage.store.written.count >= before + Self.count + 1
        })
        #expect(isRetired)
        let written = stage.store.written.dropFirst(before)
        let place = written.firstIndex(of: PartyID(stage.party)).map { $0 - before }
        // The batches that the writer has, and as many of a pass that had begun.
        let most = 2 * ShardSettings.batchesOutMaxDefault * ChangeBatches.ownRequestsMax
        try #require(Self.count > 2 * most)
        #expect(try #require(place) <= most, "behind \(place ?? 0) others, not \(most)")
        await stage.server.server.drain()
    }

    @Test("A6, PR22: of many starts on dead tokens a few are written at a time")
    func starts() async throws {
        let stage = try await Stage.make()
        stage.apns.answer(.later)
        let count = 5 * StartSettlements.atOnceMax
        var players: [PlayerID] = []
        for number in 0..<count {
            let player = try await TestPlayer.make("Hero \(number)", at: stage.server)
            players.append(PlayerID(player.id))
            let party = try await player.found().id
            #expect(await player.offer("phone", token: String(1000 + number)).status == 204)
            let path = "/v1/parties/\(party)/adventure"
            #expect(await player.send(.post, path).status == 201)
        }
        await stage.apns.untilSent(count)
        await stage.server.untilAsleep()
        stage.store.hold()
        stage.apns.release(Self.dead)
        await TestServer.until { stage.store.heldCount >= StartSettlements.atOnceMax }
        for _ in 0..<1000 { await Task.yield() }
        #expect(stage.store.heldCount <= StartSettlements.atOnceMax)
        stage.store.release()
        let ids = players
        await TestServer.until {
            let devices = try? await stage.store.startDevices(of: ids)
            return devices?.allSatisfy { $0.token == nil } == true
        }
        await stage.server.server.drain()
    }

    @Test("requests of callers come before the server's own, and none is lost or taken twice")
    func queues() {
        var dice = SeededRandom(seed: 5)
        var queues = RequestQueues()
        let parties = (0..<10).map { LiveParty(PartyID("p\($0)")) }
        var (added, taken) = (0, 0)
        for _ in 0..<3000 {
            let party = parties[dice.draw(in: 0...9)]
            switch dice.draw(in: 0...3) {
            case 0...1:
                party.requests.append(Self.request(of: party, dice.draw(in: 0...1) == 0))
                added += 1
                queues.add(party)
            case 2:
                if let (party, _) = queues.takeNext() {
                    taken += 1
                    queues.add(party)
                }
            default:
                let isAnybodyWaiting = parties.contains { $0.urgency == .next }
                if let (party, _) = queues.takeLater() {
                    taken += 1
                    // Those of callers are all in the other queue.
                    #expect(!isAnybodyWaiting || party.urgency != .next)
                    queues.add(party)
                }
            }
        }
        while let (party, _) = queues.takeNext() ?? queues.takeLater() {
            taken += 1
            queues.add(party)
        }
        #expect(taken == added && added > 1000)
        #expect(queues.isEmpty && parties.allSatisfy { $0.requests.isEmpty })
    }

    private static func request(of party: LiveParty, _ isOwn: Bool) -> ChangeRequest {
        isOwn
            ? .own(party.id, failed: { _ in }, { _ in })
            : ChangeRequest(
                party: party.id, target: .existing, origin: .caller, body: { _ in },
                completion: { _ in })
    }
}
