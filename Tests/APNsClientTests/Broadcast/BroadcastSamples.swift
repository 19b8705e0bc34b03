internal import HTTP2
internal import Foundation
internal import HTTP2Server

@testable internal import APNsClient

extension Sample {
    static let appID = "com.example.app"
    static let channel = ChannelID(base64: "dHN0LXNyY2gtY2hubA==")
    static let sword = FastState(
        currentHealthLevel: 0.941, eventDescription: "Power Panda found a sword!")

    static func broadcast(
        payload: [UInt8] = Array(#"{"aps":{"event":"update"}}"#.utf8),
        channel: ChannelID = channel, bundleID: String = appID,
        storage: BroadcastStorage = .noStorage, id: PushID = id
    ) -> BroadcastRequest {
        BroadcastRequest(
            payload: payload, channel: channel, bundleID: bundleID, priority: .low,
            storage: storage, id: id)
    }
}

/// A request as text, to compare with a golden file.
enum WireText {
    static func of(_ request: HTTP2Request) -> String {
        let head =
            ["\(request.method) \(request.path)"]
            + request.headers.map { "\($0.name): \($0.value)" }
        let body = request.body.isEmpty ? [] : ["", String(decoding: request.body, as: UTF8.self)]
        return (head + body).joined(separator: "\n") + "\n"
    }

    static func golden(_ name: String) throws -> String {
        let file = Bundle.module.url(
            forResource: name, withExtension: "http", subdirectory: "Fixtures")
        guard let file else { throw CocoaError(.fileNoSuchFile) }
        return try String(contentsOf: file, encoding: .utf8)
    }
}
