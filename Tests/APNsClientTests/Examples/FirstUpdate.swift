internal import APNsClient
internal import Foundation

struct ContentState: Codable, Sendable {
    var currentHealthLevel: Double
    var eventDescription: String
}

func sendFirstUpdate(to token: String) async throws -> APNsClient.Outcome {
    let client = try APNsClient(
        APNsClient.Configuration(
            host: "api.sandbox.push.apple.com", keyID: "ABC123DEFG", teamID: "DEF123GHIJ",
            privateKeyPEM: PrivateKeyPEM(file: "AuthKey_ABC123DEFG.p8")))
    let update = LiveActivityPayload.update(
        at: Int64(Date.now.timeIntervalSince1970),
        state: ContentState(currentHealthLevel: 0.9, eventDescription: "Found a sword!"))
    let request = try PushRequest.liveActivity(
        update, to: DeviceToken(hex: token), bundleID: "com.example.rangers", priority: .high)
    let outcome = await client.send(request)
    await client.shutdown(graceMilliseconds: 5_000)
    return outcome
}
