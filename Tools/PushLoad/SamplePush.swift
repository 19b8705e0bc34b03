package import APNsClient

/// A typical push of the game, as the typed value that the server encodes.
package enum SamplePush: String, CaseIterable, Sendable {
    /// New content without an alert, as in most pushes.
    case quiet
    /// With an alert in the device's language.
    case alert

    /// The part of the game's `ContentState` for one hero, with the same fast writer.
    package struct Content: LiveActivityContent, Decodable, Hashable {
        let currentHealthLevel: Double
        let eventDescription: String

        package func write(to json: inout JSONFields) {
            json.field("currentHealthLevel", currentHealthLevel)
            json.field("eventDescription", eventDescription)
        }
    }

    /// Reads the sample named in the arguments.
    init(_ values: NamedValues) throws(BenchError) {
        let name = try values.text("payload")
        guard let sample = SamplePush(rawValue: name) else {
            throw BenchError("payload=\(name) is neither quiet nor alert")
        }
        self = sample
    }

    static let content = Content(
        currentHealthLevel: 0.941,
        eventDescription: "Power Panda took a critical hit from the dragon!")

    /// Encodes the body anew each time. The moment is in seconds since 1970.
    package func encoded(at moment: Int64) throws(PayloadError) -> [UInt8] {
        let payload = LiveActivityPayload.update(
            at: moment, state: Self.content, alert: words, staleDate: moment + 900,
            relevanceScore: 75)
        return try payload.encoded()
    }

    private var words: LiveActivityAlert? {
        switch self {
        case .quiet: nil
        case .alert:
            LiveActivityAlert(
                title: .localized(key: "%@ is knocked down!", arguments: ["Power Panda"]),
                body: .localized(key: "Use a potion to heal %@!", arguments: ["Power Panda"]))
        }
    }

    /// A well-formed device token. All pushes use the same one, because h2load needs a fixed path.
    package static let token = String(repeating: "ab12cd34", count: 8)
    /// The time from the content's moment to `apns-expiration`.
    package static let lifetimeSeconds: Int64 = 3_600
    /// The app in Apple's sample code.
    package static let bundleID = "com.example.apple-samplecode.Emoji-Rangers"
}
