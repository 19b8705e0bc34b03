import APNsClient
import Testing

@testable import APNsSimulator

/// Channels by curl, with the commands of Apple's pages.
@Suite(
    "Channels on the wire", .enabled(if: Tool.curl.isInstalled, "curl is not installed"))
struct ChannelWireTests {
    /// Runs curl; gives the status, the channel's id if one was made, and the body.
    private func ask(
        _ scene: WireScene, port: UInt16, _ method: String, _ path: String,
        _ headers: [String: String] = [:], body: String? = nil
    ) async throws -> (status: String, channelID: String, body: String) {
        var arguments = [
            "--silent", "--http2", "--max-time", "20", "--cacert", scene.credentials.caFile,
            "--request", method, "--header", "authorization: \(try scene.bearer())",
            "--write-out", "\n%{http_version} %{http_code} %header{apns-channel-id}",
        ]
        for (name, value) in headers { arguments += ["--header", "\(name): \(value)"] }
        if let body { arguments += ["--data", body] }
        arguments.append("https://127.0.0.1:\(port)\(path)")
        let lines = try await Tool.curl.run(arguments).split(separator: "\n").map(String.init)
        let words = (lines.last ?? "").split(separator: " ").map(String.init)
        return (
            words.prefix(2).joined(separator: " "), words.count > 2 ? words[2] : "",
            lines.dropLast().joined()
        )
    }

    @Test("a channel is made, written to, and deleted, all at one port by default")
    func life() async throws {
        let scene = try WireScene()
        let port = scene.simulator.port
        #expect(scene.simulator.managementPort == port)
        let made = try await ask(
            scene, port: port, "POST", ChannelScene.channelsPath, body: ChannelScene.body)
        #expect(made.status == "2 201")
        #expect(scene.simulator.channels.map(\.id) == [made.channelID])
        let id = ["apns-channel-id": made.channelID]
        let headers = id.merging(
            ["apns-push-type": "liveactivity", "apns-expiration": "0", "apns-priority": "10"]
        ) { $1 }
        let published = try await ask(
            scene, port: port, "POST", ChannelScene.publishPath, headers, body: Scene.body)
        #expect(published.status == "2 200")
        #expect(scene.broadcasts.map(\.channelID) == [made.channelID])
        #expect(scene.accepted.isEmpty)
        let deleted = try await ask(scene, port: port, "DELETE", ChannelScene.channelsPath, id)
        #expect(deleted.status == "2 204")
        #expect(scene.simulator.channels.isEmpty)
        await scene.stop()
    }

    @Test("with a port of their own, channels are managed there and nowhere else")
    func ports() async throws {
        let scene = try WireScene { $0.managementPort = 0 }
        let (port, managementPort) = (scene.simulator.port, scene.simulator.managementPort)
        #expect(managementPort != port)
        let wrong = try await ask(
            scene, port: port, "POST", ChannelScene.channelsPath, body: ChannelScene.body)
        #expect(wrong.status == "2 404")
        #expect(wrong.body == #"{"reason":"BadPath"}"#)
        let right = try await ask(
            scene, port: managementPort, "POST", ChannelScene.channelsPath,
            body: ChannelScene.storingBody)
        #expect(right.status == "2 201")
        let headers = [
            "apns-channel-id": right.channelID, "apns-push-type": "liveactivity",
        ]
        let lost = try await ask(
            scene, port: managementPort, "POST", ChannelScene.publishPath, headers,
            body: Scene.body)
        #expect(lost.status == "2 404")
        let found = try await ask(
            scene, port: port, "POST", ChannelScene.publishPath, headers, body: Scene.body)
        #expect(found.status == "2 200")
        #expect(scene.simulator.storedBroadcast(of: right.channelID)?.aps.event == "update")
        await scene.stop()
    }
}
