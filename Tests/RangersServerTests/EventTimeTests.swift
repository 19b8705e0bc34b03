import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// PR12: what has happened keeps its time, whatever the wall clock shows since.
@Suite("An event's time is the same after a restart", .timeLimit(.minutes(4)), .simulated)
struct EventTimeTests {
    /// How the wall clock is at the restart.
    enum Change: CaseIterable {
        case none, drifted, setBack, setForward, offForLong

        /// The clock of the next server.
        func clock(after first: VirtualClock) -> VirtualClock {
            guard self != .offForLong else {
                return VirtualClock(now: first.wall.adding(seconds: 30 * 3600), bootID: "boot-2")
            }
            let clock = VirtualClock(now: first.now.adding(seconds: 20))
            let step: Int64 =
                switch self {
                case .none, .offForLong: 0
                case .drifted: 700
                case .setBack: -3_600_000
                case .setForward: 172_800_000
                }
            clock.stepWall(
                byMilliseconds: first.wall.milliseconds - first.now.milliseconds + step)
            return clock
        }
    }

    /// A server that plays for some minutes, and whose wall clock is stepped once meanwhile.
    private func playing(steppingBy seconds: Int64 = 0) async throws -> Stage {
        let stage = try await Stage.make(speed: 1000)
        try await stage.start()
        await stage.server.step(forSeconds: 150)
        if seconds != 0 { stage.server.clock.stepWall(bySeconds: seconds) }
        await stage.server.step(forSeconds: 150)
        return stage
    }

    private func restarted(_ stage: Stage, _ change: Change) async throws -> Stage {
        await stage.server.server.drain()
        let server = try await TestServer(
            file: stage.server.file, clock: change.clock(after: stage.server.clock),
            apns: FakeAPNs(), speed: 1000)
        return stage.moved(to: server)
    }

    /// The times that a list of a response has, of its first elements.
    private func times(_ list: Value, _ fields: String..., count: Int) -> [[Double?]] {
        list.array.prefix(count).map { element in fields.map { element[$0].number } }
    }

    /// Every time that is shown of the first so many events, decisions and pushes.
    private func shown(by stage: Stage, count: Int) async throws -> [[Double?]] {
        let admin = "/v1/admin/parties/\(stage.party)"
        let party = await stage.panda.send(.get, "/v1/parties/\(stage.party)?after=0").body
        let story = await stage.server.admin(.get, "\(admin)/story").body
        let ledger = await stage.server.admin(.get, "\(admin)/decisions?limit=100").body
        let pushes = await stage.server.admin(.get, "\(admin)/pushes?after=0").body
        let activity = await stage.panda.send(.get, "/v1/activities/activity-1").body
        try #require(party["events"].array.count >= count)
        try #require(pushes["pushes"].array.count >= count)
        var shown = times(party["events"], "at", count: count)
        shown += times(story["events"], "at", count: count)
        shown += times(ledger["decisions"], "at", count: count)
        for decision in ledger["decisions"].array.prefix(count) {
            shown += times(decision["pushes"], "sentAt", "respondedAt", count: 1)
        }
        shown += times(
            pushes["pushes"], "dueSince", "readyAt", "sentAt", "answeredAt", "timestamp",
            count: count)
        shown += [[activity["registeredAt"].number, activity["tokenRegisteredAt"].number]]
        return shown
    }

    @Test("the API, the ledger and replays show the times of before", arguments: Change.allCases)
    func api(change: Change) async throws {
        let first = try await playing()
        let before = try await shown(by: first, count: 4)
        let second = try await restarted(first, change)
        #expect(try await shown(by: second, count: 4) == before)
        await second.server.server.drain()
    }

    @Test(
        "a step while the server runs changes no time of before, and neither does a restart after",
        arguments: [-3600, 3600, 172_800] as [Int64])
    func stepped(seconds: Int64) async throws {
        let stage = try await Stage.make(speed: 1000)
        try await stage.start()
        await stage.server.step(forSeconds: 200)
        let before = try await shown(by: stage, count: 3)
        stage.server.clock.stepWall(bySeconds: seconds)
        await stage.server.step(forSeconds: 100)
        #expect(try await shown(by: stage, count: 3) == before)
        let later = try await shown(by: stage, count: 6)
        for change in [Change.none, .setBack] {
            let file = stage.server.file + "-\(change)"
            try await SQLiteStore.copy(file: stage.server.file, to: file)
            let server = try await TestServer(
                file: file, clock: change.clock(after: stage.server.clock), apns: FakeAPNs(),
                speed: 1000)
            #expect(try await shown(by: stage.moved(to: server), count: 6) == later)
            await server.server.drain()
        }
        await stage.server.server.drain()
    }

    @Test("an open stream and a snapshot show the times of before", arguments: Change.allCases)
    func snapshot(change: Change) async throws {
        let first = try await playing(steppingBy: 7200)
        let before = await first.events().compactMap { $0["at"].number }
        let second = try await restarted(first, change)
        await second.server.step(forSeconds: 120)
        let after = await second.events().compactMap { $0["at"].number }
        #expect(after.count > before.count && Array(after.prefix(before.count)) == before)
        // New ones have the new clock's.
        let wall = Double(second.server.clock.wall.milliseconds)
        let newest = try #require(after.last)
        #expect((wall - 200_000...wall).contains(newest))
        await second.server.server.drain()
    }

    @Test("rangers why tells the times of before", arguments: Change.allCases)
    func why(change: Change) async throws {
        let first = try await playing(steppingBy: 7200)
        await first.server.server.drain()
        let place = GamePlace.file(first.server.file)
        let before = try await ActivityStory.text(of: "activity-1", party: nil, in: place)
        let second = try await restarted(first, change)
        await second.server.step(forSeconds: 30)
        await second.server.server.drain()
        let after = try await ActivityStory.text(of: "activity-1", party: nil, in: place)
        let told = before.split(separator: "\n").dropFirst().prefix(12)
        #expect(told.count == 12 && told == after.split(separator: "\n").dropFirst().prefix(12))
    }

    // MARK: The clock at a start

    private static let noon = WallTime(milliseconds: 1_685_966_400_000)

    private func record(_ offsets: WallOffsets) -> ClockRecord {
        ClockRecord(
            anchor: ClockAnchor(
                time: Self.noon,
                reading: ClockReading(bootID: "one", sinceBoot: 0, wall: Self.noon),
                offsets: offsets))
    }

    private func offsets(_ record: ClockRecord, wallAhead: Int64) -> WallOffsets {
        ServerClock.offsets(
            after: record,
            at: ClockReading(
                bootID: "one", sinceBoot: 1000,
                wall: Self.noon.adding(milliseconds: 1000 + wallAhead)),
            showing: Self.noon.adding(milliseconds: 1000))
    }

    @Test(
        "what two readings differ by is no step",
        arguments: [(0, 0), (3, 0), (-999, 0), (999, 0), (1000, 1000), (-1000, -1000)]
            as [(Int64, Int64)])
    func readings(difference: Int64, newest: Int64) {
        let offsets = offsets(record(WallOffsets(42)), wallAhead: 42 + difference)
        #expect(offsets.newest == 42 + newest)
        #expect(offsets.offset(at: Self.noon) == 42)
    }

    @Test("a first start shows what the wall clock shows")
    func firstStart() {
        #expect(offsets(ClockRecord(), wallAhead: 0) == WallOffsets(0))
    }

    @Test("each time has the offset of its own moment, and times to come the newest")
    func moments() {
        var offsets = WallOffsets(5)
        offsets.step(to: 7, at: Self.noon)
        offsets.step(to: -3, at: Self.noon.adding(seconds: 1))
        let at = [-1, 0, 999, 1000, 86_400_000].map {
            offsets.offset(at: Self.noon.adding(milliseconds: $0))
        }
        #expect(at == [5, 7, 7, -3, -3])
        #expect(offsets.newest == -3)
    }

    @Test("of very many steps the newest are told apart")
    func manySteps() {
        var offsets = WallOffsets(0)
        for number in 1...200 {
            offsets.step(to: Int64(number), at: Self.noon.adding(seconds: Int64(number)))
        }
        #expect(offsets.steps.count == WallOffsets.stepsMax)
        #expect(offsets.newest == 200)
        #expect(offsets.offset(at: Self.noon) == Int64(200 - WallOffsets.stepsMax))
        #expect(WallOffsets(first: offsets.first, steps: offsets.steps) == offsets)
        #expect(WallOffsets(first: 0, steps: offsets.steps.reversed()) == nil)
    }
}
