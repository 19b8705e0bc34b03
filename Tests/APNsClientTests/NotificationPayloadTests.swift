import Testing

@testable import APNsClient

@Suite("Payloads of the other push types")
struct NotificationPayloadTests {
    @Test("a plain notification equals the golden file")
    func plain() throws {
        let notification = NotificationPayload(
            title: "Power Panda is knocked down!", body: "Use a potion to heal Power Panda!")
        #expect(
            try SortedJSON.text(of: notification.encoded()) == SortedJSON.golden("notification"))
    }

    @Test("a localised notification has flat keys, and equals the golden file")
    func localized() throws {
        var notification = NotificationPayload(
            title: .localized(key: "%@ is knocked down!", arguments: ["Power Panda"]),
            body: .localized(key: "Use a potion to heal %@!", arguments: ["Power Panda"]),
            sound: "HeroDown.mp4")
        notification.subtitle = .localized(key: "The party needs you")
        notification.badge = 1
        notification.thread = "party-7"
        notification.category = "HERO_DOWN"
        notification.interruption = .timeSensitive
        #expect(
            try SortedJSON.text(of: notification.encoded())
                == SortedJSON.golden("notification-localized"))
    }

    @Test("a notification above 4,096 bytes is refused with both sizes")
    func tooLarge() throws {
        let frame = try NotificationPayload(title: "", body: "").encoded().count
        func notification(_ bytes: Int) -> NotificationPayload {
            let words = String(repeating: "x", count: bytes - frame)
            return NotificationPayload(title: "", body: .plain(words))
        }
        #expect(try notification(4096).encoded().count == 4096)
        #expect(throws: PayloadError.tooLarge(bytes: 4097, limit: 4096)) {
            try notification(4097).encoded()
        }
    }

    @Test(
        "a call without content equals the golden file",
        arguments: [
            ("background", SignalPayload.contentAvailable),
            ("content-changed", SignalPayload.contentChanged),
        ])
    func signal(name: String, payload: [UInt8]) throws {
        #expect(try SortedJSON.text(of: payload) == SortedJSON.golden(name))
    }
}
