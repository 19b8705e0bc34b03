import APNsClient
import GameLogic
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// A8: channels are deleted when their event is over, and forgotten ones are found.
@Suite("The sweeper of channels", .timeLimit(.minutes(2)), .simulated)
struct ChannelSweeperTests {
    private static let first = ChannelID(base64: "CH01")
    private static let stranger = ChannelID(base64: "ORPH")

    private func ended() async throws -> ChannelScene {
        let scene = try await ChannelScene.started()
        _ = await scene.open()
        #expect(await scene.untilEnded())
        // The end's acceptance is noted a moment later.
        while scene.channelCount("over") == 0 { await scene.sweep() }
        return scene
    }

    /// A server that may delete orphans, with more of them than one portion.
    private func sceneWithOrphans() async throws -> ChannelScene {
        let scene = try await ChannelScene.make(orphans: .delete)
        for number in 0..<250 { scene.channels.list(ChannelID(base64: "\(1000 + number)")) }
        return scene
    }

    @Test("a channel whose event is over is deleted after an hour, not before")
    func grace() async throws {
        let scene = try await ended()
        #expect(scene.channelCount("over") == 1)
        #expect(scene.channels.deleted.isEmpty)
        await scene.sweep(6)
        #expect(scene.channels.deleted == [Self.first])
        await scene.sweep()
        #expect(scene.channelCount("over") == 0)
        await scene.server.server.drain()
    }

    @Test("a deletion that fails is tried again")
    func again() async throws {
        let scene = try await ended()
        scene.channels.failDeletion(.notSent)
        await scene.sweep(7)
        #expect(scene.channels.listed == [Self.first])
        #expect(scene.channelCount("over") == 1)
        scene.channels.failDeletion(nil)
        await scene.sweep()
        #expect(scene.channels.deleted == [Self.first])
        await scene.server.server.drain()
    }

    @Test("hundreds of channels are deleted in portions, with a pause between them")
    func portions() async throws {
        let scene = try await sceneWithOrphans()
        let channels = scene.channels
        await scene.sweep(2)
        #expect(channels.deleted.count == ChannelSweep.burstMax)
        for count in [200, 250] {
            scene.server.clock.advance(
                to: scene.server.clock.now.adding(seconds: ChannelSweeper.pauseSeconds))
            await scene.server.untilAsleep()
            #expect(channels.deleted.count == count)
        }
        #expect(channels.listings == 3)
        await scene.server.server.drain()
    }

    @Test("if nothing of a portion can be deleted, the next sweep retries")
    func noUse() async throws {
        let scene = try await sceneWithOrphans()
        let channels = scene.channels
        channels.failDeletion(.notSent)
        await scene.sweep(2)
        channels.failDeletion(nil)
        scene.server.clock.advance(
            to: scene.server.clock.now.adding(seconds: ChannelSweeper.pauseSeconds))
        await scene.server.untilAsleep()
        #expect(channels.deleted.isEmpty)
        await scene.sweep()
        #expect(channels.deleted.count == ChannelSweep.burstMax)
        await scene.server.server.drain()
    }

    @Test("a server that stops between two portions stops at once")
    func stopped() async throws {
        let scene = try await sceneWithOrphans()
        let channels = scene.channels
        await scene.sweep(2)
        await scene.server.server.drain()
        #expect(channels.deleted.count == ChannelSweep.burstMax)
    }

    @Test("a channel in use that Apple has lost is counted and logged from the second sweep on")
    func lost() async throws {
        let scene = try await ChannelScene.started()
        _ = await scene.open()
        scene.channels.lose(Self.first)
        await scene.sweep()
        #expect(scene.channelCount("missing") == 0)
        await scene.sweep()
        #expect(scene.channelCount("missing") == 1)
        #expect(scene.server.logged.withLock { $0 }.contains("their spectators receive nothing"))
        await scene.server.server.drain()
    }

    @Test("a server sweeps at its start")
    func atStart() async throws {
        let scene = try await ended().moved(resting: 2 * 60 * 60)
        await TestServer.until { scene.channels.deleted == [Self.first] }
        await scene.server.server.drain()
    }

    @Test("a channel in use is kept")
    func living() async throws {
        let scene = try await ChannelScene.started()
        _ = await scene.open()
        await scene.sweep(12)
        #expect(scene.channels.deleted.isEmpty)
        #expect(scene.channelCount("living") == 1)
        #expect(scene.channelCount("orphan") == 0)
        await scene.server.server.drain()
    }

    @Test("a channel that was created, but neither stored nor deleted, is counted as an orphan")
    func crash() async throws {
        let made = Locked<FaultyStore?>(nil)
        let scene = try await ChannelScene.started(wrapping: { sqlite in
            let store = FaultyStore(sqlite)
            made.withLock { $0 = store }
            return store
        })
        let store = try #require(made.withLock { $0 })
        store.failWrites(.unavailable("the disk is full"))
        scene.channels.failDeletion(.notSent)
        #expect(await scene.open().status == 503)
        scene.channels.failDeletion(nil)
        store.failWrites(nil)
        #expect(scene.channels.listed == [Self.first])
        await scene.sweep(3)
        #expect(scene.channelCount("orphan") == 1)
        #expect(scene.channels.deleted.isEmpty)
        await scene.server.server.drain()
    }

    @Test(
        "a channel that the party no longer needs is deleted at once, or by the sweeper",
        arguments: [true, false])
    func notNeeded(isReachable: Bool) async throws {
        let scene = try await ChannelScene.started()
        let (server, party) = (scene.server, scene.party)
        scene.channels.whileCreating { await server.end(party) }
        if !isReachable { scene.channels.failDeletion(.notSent) }
        #expect(await scene.open().status == 409)
        #expect(scene.channels.deleted == (isReachable ? [Self.first] : []))
        scene.channels.failDeletion(nil)
        await scene.sweep()
        #expect(scene.channelCount("over") == 1)
        #expect(scene.channelCount("living") == 0)
        await scene.sweep(6)
        #expect(scene.channels.deleted == [Self.first])
        await scene.sweep()
        #expect(scene.channelCount("over") == 0)
        await scene.server.server.drain()
    }

    @Test("orphans are deleted if the operator allows it, and only in the second sweep")
    func orphans() async throws {
        let channels = FakeChannels()
        let scene = try await ChannelScene.make(channels: channels, orphans: .delete)
        await scene.server.untilAsleep()
        channels.list(Self.stranger)
        await scene.sweep()
        #expect(channels.deleted.isEmpty)
        await scene.sweep()
        #expect(channels.deleted == [Self.stranger])
        await scene.server.server.drain()
    }
}

@Suite("What a sweep finds")
struct ChannelSweepTests {
    private static let now = WallTime(milliseconds: 1_800_000_000_000)

    private static func record(_ id: String, age: Int64 = 0, over: Int64? = nil) -> TrackedChannel {
        let record = ChannelRecord(
            id: ChannelName(id), environment: .sandbox, party: PartyID("party"),
            createdAt: now.adding(milliseconds: -age),
            overSince: over.map { now.adding(milliseconds: -$0) })
        return TrackedChannel(record)
    }

    private static func ids(_ ids: String...) -> [ChannelID] { ids.map(ChannelID.init(base64:)) }

    private static func plan(
        _ known: [TrackedChannel], listed: [ChannelID],
        orphans: ChannelSweep.Orphans = .keep
    ) -> ChannelSweep.Plan {
        var sweep = ChannelSweep()
        return sweep.plan(
            known: known, list: ChannelList(listed: listed), orphans: orphans, now: now)
    }

    @Test("a channel is deleted once its grace is over")
    func grace() {
        let grace = ChannelSweep.graceMilliseconds
        let known = [Self.record("aaaa", over: grace), Self.record("bbbb", over: grace - 1)]
        let plan = Self.plan(known, listed: Self.ids("aaaa", "bbbb"))
        #expect(plan.deletions == Self.ids("aaaa"))
        #expect(plan.over == 2)
    }

    @Test(
        "a channel whose end was never published is deleted four hours after the longest activity")
    func old() {
        let age = ChannelSweep.ageMaxMilliseconds
        let known = [Self.record("aaaa", age: age), Self.record("bbbb", age: age - 1)]
        let plan = Self.plan(known, listed: Self.ids("aaaa", "bbbb"))
        #expect(plan.deletions == Self.ids("aaaa"))
        #expect(plan.living == 2)
    }

    @Test("a channel that Apple no longer lists is forgotten if it is over")
    func gone() {
        let known = [
            Self.record("aaaa", over: ChannelSweep.graceMilliseconds), Self.record("bbbb"),
        ]
        let plan = Self.plan(known, listed: [])
        #expect(plan.forgotten == Self.ids("aaaa"))
        #expect(plan.deletions.isEmpty)
    }

    @Test("an unknown channel is an orphan from the second sweep on, unless it is known by then")
    func orphans() {
        var sweep = ChannelSweep()
        let list = ChannelList(listed: Self.ids("aaaa", "bbbb"))
        let first = sweep.plan(known: [], list: list, orphans: .delete, now: Self.now)
        #expect(first.orphans.isEmpty)
        #expect(first.deletions.isEmpty)
        let second = sweep.plan(
            known: [Self.record("bbbb")], list: list, orphans: .delete, now: Self.now)
        #expect(second.orphans == Self.ids("aaaa"))
        #expect(second.deletions == Self.ids("aaaa"))
    }

    @Test("orphans may be another server's: they are kept unless the operator says otherwise")
    func kept() {
        var sweep = ChannelSweep()
        let list = ChannelList(listed: Self.ids("aaaa"))
        _ = sweep.plan(known: [], list: list, orphans: .keep, now: Self.now)
        let plan = sweep.plan(known: [], list: list, orphans: .keep, now: Self.now)
        #expect(plan.orphans == Self.ids("aaaa"))
        #expect(plan.deletions.isEmpty)
    }

    @Test("a warning precedes Apple's limit")
    func limit() {
        let listed = (0..<ChannelSweep.warningCount).map { ChannelID(base64: "\($0)") }
        #expect(Self.plan([], listed: listed).isNearLimit)
        #expect(!Self.plan([], listed: Array(listed.dropLast())).isNearLimit)
        #expect(ChannelSweep.warningCount < BroadcastChannel.countMax)
    }

    @Test("deletions are divided into portions, and none is lost")
    func bursts() {
        let grace = ChannelSweep.graceMilliseconds
        let known = (0..<250).map { Self.record("\($0)", over: grace) }
        let plan = Self.plan(known, listed: known.map(\.channel))
        #expect(plan.bursts.map(\.count) == [100, 100, 50])
        #expect(plan.bursts.flatMap(\.self) == plan.deletions)
    }

    @Test("a channel in use that is not listed twice in a row is missing; one that is over is not")
    func missing() {
        var sweep = ChannelSweep()
        let known = [Self.record("aaaa"), Self.record("bbbb"), Self.record("cccc", over: 1)]
        let none = ChannelList(listed: [])
        let one = ChannelList(listed: Self.ids("bbbb"))
        let first = sweep.plan(known: known, list: none, orphans: .keep, now: Self.now)
        let second = sweep.plan(known: known, list: one, orphans: .keep, now: Self.now)
        #expect(first.missing.isEmpty)
        #expect(second.missing == Self.ids("aaaa"))
    }
}
