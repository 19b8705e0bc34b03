import Foundation
import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import PartyStore
@testable import RangersServer

/// A file of schema 8 as `rangers` 0.1.0 left it: two players with a hero each, on one adventure.
@Suite("D4: accounts of before devices had tokens", .timeLimit(.minutes(1)))
struct OlderAccountTests {
    private static let panda = "c76y2afy6tjs7sgawrhdsh7gycip7tru6nn4pq6ptbmt2l52f2e3"
    private static let xylophonist = "xjgpogvk6zd4gij4ekivgxzlnz3g2unptep5ab5t7fuqpzlhpo3b"
    private static let party = "party-drmqkgn3l6tkro7g"
    /// When the older server stopped.
    private static let end = WallTime(milliseconds: 1_795_362_711_515)

    private static func server() async throws -> TestServer {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "PartyStoreTests/Fixtures/schema8.db")
        let file = TestServer.freshFile()
        try FileManager.default.copyItem(at: fixture, to: URL(filePath: file))
        #expect(
            try Database(path: file, access: .readOnly).integer("PRAGMA user_version") == 8)
        return try await TestServer(file: file, clock: VirtualClock(now: end), speed: 300_000)
    }

    @Test("D4: a token of before works, as that of a device without a name, and can be replaced")
    func tokens() async throws {
        let server = try await Self.server()
        for token in [Self.panda, Self.xylophonist] {
            let devices = await server.send(.get, "/v1/me/devices", as: token).body["devices"]
            #expect(devices.array.map { $0["device"].string } == ["default"])
            #expect(devices[0]["current"].bool == true)
            let party = await server.send(.get, "/v1/parties/\(Self.party)", as: token)
            #expect(party.status == 200)
        }
        let me = await server.send(.get, "/v1/me", as: Self.xylophonist).body
        #expect(me["devices"][0]["device"].string == "phone")
        #expect(me["activities"][0]["id"].string == "card")
        let new = await server.send(.post, "/v1/me/token", as: Self.panda).body["token"].string
        #expect(await server.send(.get, "/v1/me", as: new).status == 200)
        #expect(await server.send(.get, "/v1/me", as: Self.panda).status == 401)
        await server.server.drain()
    }

    @Test("PR2: the adventure goes on, and its player can delete the account")
    func deletion() async throws {
        let server = try await Self.server()
        let path = "/v1/parties/\(Self.party)?after=0"
        let before = await server.send(.get, path, as: Self.panda)
        #expect(before.text.contains("Xylophonist"))
        #expect(await server.send(.delete, "/v1/me", as: Self.xylophonist).status == 204)
        let after = await server.send(.get, path, as: Self.panda)
        #expect(after.status == 200 && !after.text.contains("Xylophonist"))
        #expect(
            await server.step(until: {
                let party = await server.send(.get, path, as: Self.panda).body
                return party["adventure"]["phase"].string == "over"
            }))
        await server.server.drain()
        let file = try FileBytes.of(server.file)
        #expect(!file.contains("Xylophonist") && file.contains("Power Panda"))
        let report = await Replay.report(file: server.file, party: nil)
        #expect(report.differences == [] && report.events > 0)
    }
}
