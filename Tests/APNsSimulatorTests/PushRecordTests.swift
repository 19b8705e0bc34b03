import APNsClient
import JSONReader
import Testing

@testable import APNsSimulator

@Suite struct PushRecordTests {
    private func line(_ changes: [String: String?], body: String = Scene.body) throws -> JSONValue {
        var scene = try Scene()
        let record = scene.send(scene.request(changes, body: body)).record
        return try #require(JSONValue(record.json))
    }

    @Test("an accepted push is one line of JSON with its payload")
    func accepted() throws {
        let json = try line([:], body: Scene.body + "\n\n")
        #expect(json["status"]?.integer == 200)
        #expect(json["headers"]?["apns-priority"]?.text == "10")
        #expect(json["payload"]?["aps"]?["event"]?.text == "update")
        #expect(json["warnings"]?.elements == [])
    }

    @Test("a refused push says status and reason")
    func refused() throws {
        let json = try line(["apns-topic": nil])
        #expect(json["status"]?.integer == 400)
        #expect(json["reason"]?.text == "MissingTopic")
    }

    @Test("PR17: neither the device's nor the provider's token is in the line")
    func secrets() throws {
        var scene = try Scene()
        let record = scene.send(scene.request()).record
        let text = String(decoding: record.json, as: UTF8.self)
        #expect(!text.contains("\n"))
        #expect(!text.contains("bearer"))
        #expect(!text.contains(Scene.token))
        #expect(text.contains(#""token":"…0a1b""#))
    }

    @Test("a payload that is no JSON is shown as text")
    func noJSON() throws {
        #expect(try line([:], body: "hello")["payload"]?.text == "hello")
    }
}
