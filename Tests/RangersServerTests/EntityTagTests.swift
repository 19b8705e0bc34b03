import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// A client that has the newest response gets a 304 (RFC 9110 section 13.1.2).
@Suite("Entity tags", .timeLimit(.minutes(1)))
struct EntityTagTests {
    private static func get(
        _ path: String, _ stage: Stage, tag: String? = nil, language: String? = nil
    ) async -> Response {
        var headers = ["authorization": "Bearer \(stage.panda.token)"]
        headers["if-none-match"] = tag
        headers["accept-language"] = language
        let request = Request(method: .get, path: path, headers: headers)
        let server = stage.server.server
        let quick = request.withHead { server.immediateResponse(to: $0) }
        let response = await server.respond(to: request)
        if let quick { #expect(quick.status == response.status && quick.body == response.body) }
        return response
    }

    private static func tag(of response: Response) -> String? {
        response.headers.first { $0.name == "etag" }?.value
    }

    @Test(
        "a read has a tag, and the same tag again gets a 304 without a body",
        arguments: ["/v1/me", "/v1/heroes", "/v1/parties", "/v1/activities/activity-1", "party"])
    func unchanged(_ path: String) async throws {
        let stage = try await Stage.make()
        let path = path == "party" ? "/v1/parties/\(stage.party)" : path
        let first = await Self.get(path, stage)
        #expect(first.status == 200)
        let tag = try #require(Self.tag(of: first))
        for wanted in [tag, "W/" + tag, "\"x\", \(tag)", "*"] {
            let again = await Self.get(path, stage, tag: wanted)
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            #expect(Self.tag(of: again) == tag)
        }
        for other in ["\"x\"", String(tag.dropLast(2)) + "\"", ""] {
            #expect(await Self.get(path, stage, tag: other).status == 200)
        }
        await stage.server.server.drain()
    }

    @Test("each change of a party has another tag, and so has each language")
    func changed() async throws {
        let stage = try await Stage.make()
        let path = "/v1/parties/\(stage.party)"
        let before = Self.tag(of: await Self.get(path, stage))
        let german = await Self.get(path, stage, tag: before, language: "de")
        #expect(german.status == 200)
        try await stage.start()
        let after = await Self.get(path, stage, tag: before)
        #expect(after.status == 200)
        let tags = [before, Self.tag(of: german), Self.tag(of: after)].compactMap(\.self)
        #expect(Set(tags).count == 3)
        await stage.server.server.drain()
    }

    @Test("over a connection a 304 has the length of the body that it stands for, and no body")
    func onTheWire() async throws {
        let stage = try await Stage.make()
        let client = StreamClient(to: stage.server)
        let path = "/v1/parties/\(stage.party)"
        let response = await Self.get(path, stage)
        let tag = try #require(Self.tag(of: response))
        for _ in 0..<3 {
            #expect(await client.get(path, as: stage.panda.token, ["if-none-match": tag]) == 304)
            #expect(await client.headers["content-length"] == "\(response.body.count)")
            #expect(await client.headers["etag"] == tag)
        }
        await stage.server.server.drain()
    }
}
