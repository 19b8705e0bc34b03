internal import JSONWriter

/// An ordinary notification ("Generating a remote notification").
///
/// Its text is localised by flat keys (`title-loc-key`, `title-loc-args`), a Live Activity alert's
/// text by dictionaries. Separate types keep the two apart.
///
/// ```swift
/// let notification = NotificationPayload(
///     title: .localized(key: "%@ is knocked down!", arguments: ["Power Panda"]),
///     body: "Use a potion!")
/// ```
public struct NotificationPayload: Hashable, Sendable {
    /// Literal text, or a key of the app's String Catalog.
    public enum Text: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The same text in every language.
        case plain(String)
        /// A key that the device looks up, with arguments.
        case localized(key: String, arguments: [String] = [])

        /// Creates plain text.
        public init(stringLiteral value: String) { self = .plain(value) }
    }

    /// `interruption-level`: how much it may interrupt.
    public enum Interruption: String, Hashable, Sendable, CaseIterable {
        /// Adds it to the list, without lighting the screen or playing a sound.
        case passive
        /// Lights the screen; the default.
        case active
        /// Breaks through a Focus; requires the app's entitlement.
        case timeSensitive = "time-sensitive"
        /// Breaks through the mute switch; requires Apple's permission.
        case critical
    }

    /// The first line.
    public var title: Text
    /// A line between title and body.
    public var subtitle: Text?
    /// The text.
    public var body: Text
    /// "default", or a file in the app's bundle; `nil`: no sound.
    public var sound: String?
    /// The number on the app's icon; 0 removes it.
    public var badge: Int?
    /// `thread-id`: groups the notifications of one thread.
    public var thread: String?
    /// `category`: the actions that the app offers with it.
    public var category: String?
    /// How much it may interrupt; `nil`: the system's default.
    public var interruption: Interruption?

    /// Creates a notification; set the rarely used properties afterwards.
    public init(title: Text, body: Text, sound: String? = "default") {
        self.title = title
        self.body = body
        self.sound = sound
    }

    /// Returns the JSON body: `{"aps": {…}}`, at most 4,096 bytes.
    ///
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
    /// One of the alert's lines, with the names of its keys.
    fileprivate enum Line {
        case title, subtitle, body

        /// The keys for plain text, for the String Catalog's key, and for its arguments.
        var names: (plain: StaticString, key: StaticString, arguments: StaticString) {
            switch self {
            case .title: ("title", "title-loc-key", "title-loc-args")
            case .subtitle: ("subtitle", "subtitle-loc-key", "subtitle-loc-args")
            case .body: ("body", "loc-key", "loc-args")
            }
        }
    }

    fileprivate func write(_ line: Line, to json: inout JSONWriter) {
        switch self {
        case .plain(let words): json.field(line.names.plain, words)
        case .localized(let key, let arguments):
            json.field(line.names.key, key)
            guard !arguments.isEmpty else { return }
            json.array(line.names.arguments, arguments) { $0.value($1) }
        }
    }
}
