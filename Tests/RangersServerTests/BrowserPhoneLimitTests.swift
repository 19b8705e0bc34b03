import GameLogic
import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// However many pages come at once, the limits hold, and each open one gets its pushes.
@Suite("Limits of browser phones", .timeLimit(.minutes(2)))
struct BrowserPhoneLimitTests {
    private static func scenes(_ count: Int, at server: TestServer) async throws -> [PageScene] {
        try await withThrowingTaskGroup(of: PageScene.self) { group in
            for number in 0..<count {
                group.addTask {
                    try await PageScene.make(
                        "Panda \(number)", at: server, activity: "page-\(number)")
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func open(_ scenes: [PageScene]) async -> [HeldPage] {
        await withTaskGroup(of: HeldPage.self) { group in
            for scene in scenes { group.addTask { await scene.hold() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("200 pages at once are open, and each gets what its party does")
    func together() async throws {
        let server = try await TestServer(pagesMax: 1000)
        let scenes = try await Self.scenes(200, at: server)
        #expect(scenes.count == 200)
        var opened = await Self.open(scenes)
        #expect(opened.count { $0.status == 200 } == 200)
        #expect(server.metrics.value(.streams) == 200)
        for scene in scenes { try await scene.start() }
        #expect(opened.count { $0.read() == ["push"] } == 200)
        #expect(server.apns.pushes.isEmpty)
        opened = []
        #expect(server.metrics.value(.streams) == 0)
        await server.server.drain()
        #expect(server.metrics.value(.pushesInFlight) == 0)
    }

    @Test("beyond the limit pages that come at once get a 503 with Retry-After")
    func limit() async throws {
        let server = try await TestServer(pagesMax: 50)
        let scenes = try await Self.scenes(200, at: server)
        let opened = await Self.open(scenes)
        #expect(opened.count { $0.status == 200 } == 50)
        let refused = opened.filter { $0.status == 503 }
        #expect(refused.count == 150)
        #expect(refused.allSatisfy { $0.retryAfter == "1" })
        #expect(server.metrics.value(.streams) == 50)
        await server.server.drain()
    }

    @Test("PR22: when one network has all pages, a client of another one gets a place of it")
    func turns() async throws {
        let server = try await TestServer(pagesMax: 2)
        let scenes = try await Self.scenes(2, at: server)
        var opened: [HeldPage] = []
        for scene in scenes { opened.append(await scene.hold()) }
        let newcomer = try await PageScene.make(
            "Egghead", at: server, activity: "page-9", from: "192.0.2.1")
        let page = await newcomer.hold()
        #expect(page.status == 200)
        #expect(server.metrics.value(.streamsDisplaced) == 1)
        #expect(server.metrics.value(.streams) == 2)
        // The newest one of the network has gone, and the network gets none back.
        #expect(await scenes[1].hold().status == 503)
        for scene in [scenes[0], newcomer] { try await scene.start() }
        #expect(opened[0].read() == ["push"] && page.read() == ["push"])
        await server.server.drain()
    }

    @Test("the limit of a page server is 1,000, and places of pages that have gone are free")
    func freed() async throws {
        #expect(PageStreams.pagesMax == 1000)
        let scene = try await PageScene.make(pagesMax: 1)
        for _ in 0..<3 {
            var page: (client: StreamClient, status: Int)? = await scene.open()
            #expect(page?.status == 200)
            page = nil
            #expect(await scene.step { scene.server.metrics.value(.streams) == 0 })
        }
        await scene.server.server.drain()
    }

    @Test("of 20 streams of one page at once the newest one lives, and has the pushes")
    func replaced() async throws {
        let scene = try await PageScene.make(pagesMax: 2)
        let opened = await Self.open(Array(repeating: scene, count: 20))
        try await scene.start()
        await scene.server.untilAsleep()
        let told = opened.filter { $0.status == 200 }.map { $0.read() }
        #expect(told.count { $0 == ["push"] } == 1)
        #expect(told.count { $0 == ["closed"] } == told.count - 1)
        // Those that were replaced before their change was made.
        let refused = opened.filter { $0.status != 200 }
        #expect(refused.allSatisfy { $0.status == 409 })
        #expect(told.count + refused.count == 20)
        await scene.server.server.drain()
    }

    @Test("a ninth page of a player is refused, another player's is not")
    func limitOfPlayer() throws {
        let pages = PageStreams(limit: 1000, VirtualClock().serverClock, Metrics())
        func open(_ activity: String, of player: String) throws {
            _ = try pages.open(
                ActivityID(activity), of: PlayerID(player), at: nil, in: PartyID("party"),
                bearer: [])
        }
        for number in 0..<PageStreams.playerMax { try open("page-\(number)", of: "panda") }
        #expect { try open("page-9", of: "panda") } throws: { ($0 as? Problem)?.status == 429 }
        try open("page-10", of: "egghead")
        // One that opens again replaces its own.
        try open("page-0", of: "panda")
    }
}
