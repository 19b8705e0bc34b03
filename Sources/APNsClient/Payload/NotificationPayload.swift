internal import JSONWriter

/// An ordinary notification ("Generating a remote notification").
///
/// Its words are localised by flat keys (`title-loc-key`, `title-loc-args`), other than a Live
/// Activity's alert, whose words are dictionaries; the two are types of their own so that they
/// cannot be mixed.
///
/// ```swift
/// let notification = NotificationPayload(
///     title: .localized(key: "%@ is knocked down!", arguments: ["Power Panda"]),
///     body: "Use a potion!")
/// ```
public struct NotificationPayload: Hashable, Sendable {
    /// Words as they are, or by the app's own String Catalog.
    public enum Text: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The same words in every language.
        case plain(String)
        /// The device looks the key up and fills its gaps.
        case localized(key: String, arguments: [String] = [])

        /// Plain words.
        public init(stringLiteral value: String) { self = .plain(value) }
    }

    /// `interruption-level`: how much it may disturb.
    public enum Interruption: String, Hashable, Sendable, CaseIterable {
        /// Into the list, without light and sound.
        case passive
        /// Lights the screen; the default.
        case active
        /// Breaks through a Focus, with the app's entitlement.
        case timeSensitive = "time-sensitive"
        /// Breaks through the mute switch, with Apple's permission.
        case critical
    }

    /// The first line.
    public var title: Text
    /// A line between title and body.
    public var subtitle: Text?
    /// The words.
    public var body: Text
    /// "default", or a file in the app's bundle; `nil`: silence.
    public var sound: String?
    /// The number on the app's icon; 0 removes it.
    public var badge: Int?
    /// `thread-id`: notifications of one thread are shown together.
    public var thread: String?
    /// `category`: which actions the app offers with it.
    public var category: String?
    /// How much it may disturb; `nil`: the system's default.
    public var interruption: Interruption?

    /// A notification; what is seldom needed can be set afterwards.
    public init(title: Text, body: Text, sound: String? = "default") {
        self.title = title
        self.body = body
        self.sound = sound
    }

    /// The JSON body: `{"aps": {…}}`.
    ///
    /// - Returns: At most 4,096 bytes.
    /// - Throws: When it is larger.
    public func encoded() throws(PayloadError) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.object("aps") { json in
            json.object("alert") { json in
                title.write(.title, to: &json)
                subtitle?.write(.subtitle, to: &json)
                body.write(.body, to: &json)
            }
            writeManners(to: &json)
        }
        json.endObject()
        let limit = PayloadLimit.device.bytes
        guard json.bytes.count <= limit else {
            throw .tooLarge(bytes: json.bytes.count, limit: limit)
        }
        return json.bytes
    }

    private func writeManners(to json: inout JSONWriter) {
        if let sound { json.field("sound", sound) }
        if let badge { json.field("badge", badge) }
        if let thread { json.field("thread-id", thread) }
        if let category { json.field("category", category) }
        if let interruption { json.field("interruption-level", interruption.rawValue) }
    }
}

extension NotificationPayload.Text {
    /// Which of the alert's lines, by the names of its keys.
    fileprivate enum Line: String {
        case title, subtitle, body

        /// The body's localised keys have no prefix.
        var prefix: String {
            switch self {
            case .title, .subtitle: "\(rawValue)-"
            case .body: ""
            }
        }
    }

    fileprivate func write(_ line: Line, to json: inout JSONWriter) {
        switch self {
        case .plain(let words): json.field(line.rawValue, words)
        case .localized(let key, let arguments):
            json.field("\(line.prefix)loc-key", key)
            guard !arguments.isEmpty else { return }
            json.array("\(line.prefix)loc-args", arguments) { $0.value($1) }
        }
    }
}
