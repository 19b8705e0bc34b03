import APNsClient
import Content
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite(
    "What a phone showed, although its pack was replaced since", .timeLimit(.minutes(5)), .simulated
)
struct MomentPackTests {
    private static let file = String(
        decoding: EmbeddedPacks.file(named: "stolen-pie") ?? [], as: UTF8.self)
    private static let old = Sentences.of("stolen-pie/2.begins")

    /// Publishes version 3 of the pie, with other first sentences.
    private static func publish(at server: TestServer) async -> Int {
        let pie = Sentences.marking("begins", of: "stolen-pie", in: file)
            .replacing("\"version\": 2", with: "\"version\": 3")
        return await server.admin(.put, "/v1/admin/packs/stolen-pie", pie).status
    }

    private static func start(_ stage: Stage) async -> Int {
        await stage.panda.send(
            .post, "/v1/parties/\(stage.party)/adventure", #"{"pack":"stolen-pie"}"#
        ).status
    }

    private static func get(_ stage: Stage, _ path: String) async -> Value {
        await stage.server.admin(.get, "/v1/admin/parties/\(stage.party)/\(path)").body
    }

    /// What each push showed, as APNs got it and as it is told again.
    private static func compare(_ stage: Stage, _ activity: String) async throws {
        let token = TestPlayer.token(of: activity)
        let sent = stage.apns.pushes.filter { $0.request.token.hex == token }
        let told = await get(stage, "pushes?activity=\(activity)&limit=500")["pushes"].array
        #expect(told.count == sent.count && sent.count > 5)
        for (told, sent) in zip(told, sent) {
            #expect(
                told["contentState"]["eventDescription"].string
                    == sent.aps["content-state"]["eventDescription"].string)
            #expect(told["bytes"].number == Double(sent.request.payload.count))
        }
    }

    @Test("a running adventure is told again with its own version, also after a restart")
    func replacedMeanwhile() async throws {
        let stage = try await Stage.make()
        #expect(await Self.start(stage) == 201)
        _ = await stage.server.step { await stage.events().count >= 6 }
        #expect(await Self.publish(at: stage.server) == 200)
        #expect(await stage.untilEnded())
        await stage.server.step(forSeconds: 2)
        try await Self.compare(stage, "activity-1")
        let story = await Self.get(stage, "story")
        let last = await stage.events().count
        #expect(story["events"].array.count == last)
        let begun = await Self.get(stage, "cards?at=2")["cards"][0]["shown"]
        #expect(Self.old.contains(begun["contentState"]["eventDescription"].string ?? ""))
        await stage.server.server.drain()
        let server = try await TestServer(file: stage.server.file, clock: stage.server.clock)
        let moved = stage.moved(to: server)
        let again = await Self.get(moved, "story")
        #expect(
            again["events"].array.map(\.["description"].string)
                == story["events"].array.map(\.["description"].string))
        #expect(
            again["events"].array.map(\.["healths"][0].number)
                == story["events"].array.map(\.["healths"][0].number))
        await server.server.drain()
    }

    @Test("two adventures of one party keep the words of their own versions")
    func twoVersions() async throws {
        let stage = try await Stage.make()
        #expect(await Self.start(stage) == 201)
        #expect(await stage.untilEnded())
        await stage.server.step(forSeconds: 2)
        let first = await stage.events().count
        #expect(await Self.publish(at: stage.server) == 200)
        #expect(await stage.panda.watch("activity-2").status == 204)
        #expect(await Self.start(stage) == 201)
        _ = await stage.server.step { await stage.isOver() }
        await stage.server.step(forSeconds: 5)
        try await Self.compare(stage, "activity-2")
        let begins = await Self.get(stage, "story")["events"].array.filter {
            $0["kind"].string == "adventureBegan"
        }
        let said = begins.compactMap(\.["description"].string)
        #expect(Self.old.contains(said[0]))
        #expect(Self.old.map { Sentences.mark + $0 }.contains(said[1]))
        #expect(begins.last?["sequence"].number ?? 0 > Double(first))
        await stage.server.server.drain()
    }
}
