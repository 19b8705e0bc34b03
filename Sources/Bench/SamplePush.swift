package import APNsClient
internal import PushPolicy
internal import RangersServer

/// A typical push of the game, as the typed value that the server would encode.
package enum SamplePush: String, CaseIterable, Sendable {
    /// New content, no alert: most pushes are so.
    case quiet
    /// With an alert in the device's own language.
    case alert

    /// The body, encoded anew each time by the content's own fast writer. The moment is in
    /// seconds since 1970.
    package func encoded(at moment: Int64) throws(PayloadError) -> [UInt8] {
        let state = ContentState(
            currentHealthLevel: 0.941,
            eventDescription: "Power Panda took a critical hit from the dragon!")
        let payload = LiveActivityPayload<ContentState>.update(
            at: moment, state: state, alert: words, staleDate: moment + 900, relevanceScore: 75)
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
    static let lifetimeSeconds: Int64 = 3_600
    /// The app of Apple's sample.
    package static let bundleID = "com.example.apple-samplecode.Emoji-Rangers"
}
