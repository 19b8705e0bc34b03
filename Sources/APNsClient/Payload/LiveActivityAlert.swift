/// An alert that comes with a Live Activity's push. Only the Apple Watch prints the words; iPhone
/// and iPad show the expanded activity and play the sound.
public struct LiveActivityAlert: Hashable, Sendable {
    /// Words as they are, or by the app's own String Catalog.
    public enum Text: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The same words in every language.
        case plain(String)
        /// The device looks the key up and fills its gaps: `{"loc-key": …, "loc-args": […]}`.
        case localized(key: String, arguments: [String] = [])

        /// Plain words.
        public init(stringLiteral value: String) { self = .plain(value) }
    }

    /// The title: an alert without one is ignored by the device, so it is not optional.
    public let title: Text
    /// The body.
    public let body: Text
    /// "default", or a file in the app's bundle; `nil`: no sound.
    public let sound: String?

    /// An alert with all of its fields.
    public init(title: Text, body: Text, sound: String? = "default") {
        self.title = title
        self.body = body
        self.sound = sound
    }
}
