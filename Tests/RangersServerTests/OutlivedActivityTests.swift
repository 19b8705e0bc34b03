import APNsClient
import Foundation
import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// Live Activities by the thousand that end, or whose tokens die: what they leave behind is bounded.
@Suite("Activities that have ended, or outlived their tokens", .timeLimit(.minutes(60)), .simulated)
struct OutlivedActivityTests {
    /// How many, as the environment says; by default so few that a debug build is quick.
    private static func count(_ name: String, or standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    private static let dead = APNsClient.Outcome.refused(
        APNsClient.Refusal(
            status: 410, reason: "Unregistered", timestamp: nil,
            action: APNsReason.action(status: 410, reason: "Unregistered")))

    /// `ENDED_ACTIVITIES=5000` takes a minute without optimization.
    @Test(
        "PR22: a party of which a player ends activities by the hundred stays small, and in memory")
    func ended() async throws {
        let stage = try await Stage.make(speed: 1000)
        try await stage.start()
        await stage.server.untilAsleep()
        let reads = stage.store.partyReads
        // The player has one activity already.
        let lanes = ActivityLimits.playerMax - 1
        let each = Self.count("ENDED_ACTIVITIES", or: 300) / lanes
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for number in 0..<each {
                        let activity = "a-\(lane)-\(number)"
                        #expect(await stage.panda.watch(activity).status == 204)
                        let ended = await stage.panda.send(
                            .post, "/v1/activities/\(activity)/state", #"{"state":"ended"}"#)
                        #expect(ended.status == 204)
                    }
                }
            }
        }
        // No registration made the shard read the party, so nothing was decoded for it.
        #expect(stage.store.partyReads == reads)
        let stored = try #require(await stage.store.party(PartyID(stage.party)))
        let ended = stored.activities.count(where: \.registration.state.isFinal)
        #expect(ended == min(lanes * each, ActivityLimits.endedMax))
        #expect(stored.activities.count <= ended + ActivityLimits.playerMax)
        // A tick looks at these only.
        #expect(stored.activities.count { $0.outbox != nil } <= ActivityLimits.playerMax)
        await stage.server.server.drain()
    }

    /// `DEAD_ADVENTURES=10000` takes a quarter of an hour without optimization.
    @Test("N1: parties whose tokens die leave memory when their activities are too old")
    func dying() async throws {
        let stage = try await Stage.make(speed: 600_000)
        stage.apns.answer(.at(once: Self.dead))
        let waves = 4
        let each = Self.count("DEAD_ADVENTURES", or: 40) / waves
        for wave in 0..<waves {
            try await Self.adventures(each, wave, at: stage.server)
            await Self.pass(seconds: 60, at: stage.server)
            // Each waits for another token of its activity.
            #expect(Self.inMemory(stage) == Double(each))
            await Self.pass(seconds: ActivityOutbox.ageMaxSeconds, at: stage.server)
            #expect(Self.inMemory(stage) == 0)
        }
        let pushed = stage.apns.pushes.count { $0.request.token.hex != "abcd" }
        #expect(pushed == waves * each)
        await stage.server.server.drain()
    }

    private static func inMemory(_ stage: Stage) -> Double {
        stage.server.metrics.value(.partiesInMemory, labels: "loop=\"0\"")
    }

    /// Lets players go on adventures of their own, each with an activity.
    private static func adventures(
        _ count: Int, _ wave: Int, at server: TestServer
    ) async throws {
        let lanes = 50
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for number in stride(from: lane, to: count, by: lanes) {
                        let player = try await TestPlayer.make("Hero \(number)", at: server)
                        let party = try await player.found().id
                        #expect(await player.watch("card-\(wave)-\(number)").status == 204)
                        let path = "/v1/parties/\(party)/adventure"
                        #expect(await player.send(.post, path).status == 201)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Goes from one time that somebody waits for to the next: a step of a server that has nothing to
    /// do is long.
    private static func pass(seconds: Int64, at server: TestServer) async {
        let end = server.clock.now.adding(seconds: seconds)
        await server.untilAsleep()
        while server.clock.now < end {
            server.clock.advance(to: min(server.clock.nextSleeper ?? end, end))
            await server.untilAsleep()
        }
    }
}
