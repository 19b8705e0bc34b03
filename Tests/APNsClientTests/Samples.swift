internal import Foundation

@testable internal import APNsClient

/// The content state of Apple's sample, written by `JSONEncoder`.
struct PlainState: Codable, Hashable, Sendable {
    var currentHealthLevel: Double
    var eventDescription: String
}

/// The same, with a writer of its own.
struct FastState: Codable, Hashable, Sendable, LiveActivityContent {
    var currentHealthLevel: Double
    var eventDescription: String

    func write(to json: inout JSONFields) {
        json.field("currentHealthLevel", currentHealthLevel)
        json.field("eventDescription", eventDescription)
    }
}

/// JSON text with its keys sorted: equal documents have equal texts.
enum SortedJSON {
    static func text(of json: some Sequence<UInt8>) throws -> String {
        let value = try JSONSerialization.jsonObject(with: Data(json))
        let sorted = try JSONSerialization.data(
            withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: sorted, as: UTF8.self)
    }

    /// One of the golden files.
    static func golden(_ name: String) throws -> String {
        try text(of: GoldenFile.bytes(name))
    }
}

/// Files in `Fixtures`. Those in a folder of theirs, `Exact`, have the very bytes of our writer.
enum GoldenFile {
    static func bytes(_ name: String, in folder: String = "Fixtures") throws -> [UInt8] {
        let file = Bundle.module.url(
            forResource: name, withExtension: "json", subdirectory: folder)
        guard let file else { throw CocoaError(.fileNoSuchFile) }
        return Array(try Data(contentsOf: file))
    }
}

/// Values that many tests share.
enum Sample {
    static let token = DeviceToken(hex: String(repeating: "c0ffee00", count: 8))
    static let bundleID = "com.example.apple-samplecode.Emoji-Rangers"
    static let keyID = "ABC123DEFG"
    static let teamID = "DEF123GHIJ"
    static let id = PushID("123e4567-e89b-42d3-a456-426614174000") ?? .random()

    static func request(
        token: DeviceToken = token, bundleID: String = bundleID,
        expiration: Int64? = 1_685_955_600, id: PushID = id, collapseID: String? = nil,
        payload: [UInt8] = Array(#"{"aps":{}}"#.utf8),
        type: PushRequest.PushType = .liveactivity, priority: PushRequest.Priority = .high
    ) -> PushRequest {
        PushRequest(
            token: token, pushType: type, bundleID: bundleID, priority: priority,
            expiration: expiration, id: id, collapseID: collapseID, payload: payload)
    }
}
