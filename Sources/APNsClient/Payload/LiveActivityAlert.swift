/// An alert in a Live Activity push. Only the Apple Watch displays the text; iPhone and iPad show
/// the expanded activity and play the sound.
public struct LiveActivityAlert: Hashable, Sendable {
    /// Literal text, or a key of the app's String Catalog.
    public enum Text: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The same text in every language.
        case plain(String)
        /// A key that the device looks up, with arguments: `{"loc-key": …, "loc-args": […]}`.
        case localized(key: String, arguments: [String] = [])

        /// Creates plain text.
        public init(stringLiteral value: String) { self = .plain(value) }
    }

    /// The title. Mandatory, because the device ignores an alert without one.
    public let title: Text
    /// The body.
    public let body: Text
    /// "default", or a file in the app's bundle; `nil`: no sound.
    public let sound: String?

    /// Creates an alert from its fields.
    public init(title: Text, body: Text, sound: String? = "default") {
        self.title = title
        self.body = body
        self.sound = sound
    }
}
