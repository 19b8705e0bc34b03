package import APNsClient

/// A typical push of the game, as the typed value that the server would encode.
package enum SamplePush: String, CaseIterable, Sendable {
    /// New content, no alert: most pushes are so.
    case quiet
    /// With an alert in the device's own language.
    case alert

    /// What the game's `ContentState` says of a hero alone, with its own fast writer as there.
    package struct Content: LiveActivityContent, Decodable, Hashable {
        let currentHealthLevel: Double
        let eventDescription: String

        package func write(to json: inout JSONFields) {
            json.field("currentHealthLevel", currentHealthLevel)
            json.field("eventDescription", eventDescription)
        }
    }

    /// The one that arguments name.
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

    /// The body, encoded anew each time. The moment is in seconds since 1970.
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

    /// A well-formed device token. All pushes carry the same one, as h2load asks for one path.
    package static let token = String(repeating: "ab12cd34", count: 8)
    /// From the content's moment to `apns-expiration`.
    package static let lifetimeSeconds: Int64 = 3_600
    /// The app of Apple's sample.
    package static let bundleID = "com.example.apple-samplecode.Emoji-Rangers"
}
