internal import APNsClient

/// The parts of a Live Activity's `aps` dictionary that the warnings need.
struct ApsOutline: Hashable, Sendable {
    enum Event: Hashable, Sendable {
        case missing, start, update, end, other

        init(_ text: String?) {
            switch text {
            case nil: self = .missing
            case "start"?: self = .start
            case "update"?: self = .update
            case "end"?: self = .end
            case .some: self = .other
            }
        }
    }

    enum Number: Hashable, Sendable {
        case missing, noNumber
        case value(Double)

        var value: Double? {
            switch self {
            case .value(let value): value
            case .missing, .noNumber: nil
            }
        }
    }

    enum Content: Hashable, Sendable {
        case missing, noObject
        /// Has a bit for each of the schema's fields that is present and valid.
        case object(fitting: UInt64)
    }

    struct Alert: Hashable, Sendable {
        var hasTitle = false
        var hasBody = false
        /// Keys of ordinary notifications.
        var hasForeignKeys = false

        static let foreignKeys = ["title-loc-key", "title-loc-args", "loc-key", "loc-args"]
    }

    /// Keys allowed in a start only.
    struct StartKeys: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let attributesType = StartKeys(rawValue: 1)
        static let attributes = StartKeys(rawValue: 2)
        static let inputPushToken = StartKeys(rawValue: 4)
        static let inputPushChannel = StartKeys(rawValue: 8)

        static let attributeKeys: StartKeys = [.attributesType, .attributes]
        static let inputKeys: StartKeys = [.inputPushToken, .inputPushChannel]

        /// The keys as spelled in payloads.
        static let names: [(key: StartKeys, name: String)] = [
            (.attributesType, "attributes-type"), (.attributes, "attributes"),
            (.inputPushToken, "input-push-token"), (.inputPushChannel, "input-push-channel"),
        ]
    }

    var event = Event.missing
    var timestamp = Number.missing
    var content = Content.missing
    var alert: Alert?
    var staleDate = Number.missing
    var dismissalDate = Number.missing
    var startKeys: StartKeys = []
    /// Whether the content exceeds ActivityKit's limit. Only a broadcast has room for that, and a
    /// scan reads pushes to one device.
    var isContentTooLarge = false

    /// ActivityKit's limit of content state and, in a start, attributes.
    private static let contentBytesMax = 4_096

    init() {}
}

extension ApsOutline {
    /// Creates an outline from a parsed tree.
    init(_ aps: JSONValue, _ schema: RequiredFields) {
        event = Event(aps["event"]?.text)
        timestamp = Number(aps["timestamp"])
        if let state = aps["content-state"] {
            content = state.fields == nil ? .noObject : .object(fitting: schema.fitting(in: state))
        }
        alert = aps["alert"].map { Alert($0) }
        staleDate = Number(aps["stale-date"])
        dismissalDate = Number(aps["dismissal-date"])
        for (key, name) in StartKeys.names where aps[name] != nil { startKeys.insert(key) }
        let attributes = event == .start ? aps["attributes"] : nil
        let bytes = (aps["content-state"]?.byteCount ?? 0) + (attributes?.byteCount ?? 0)
        isContentTooLarge = bytes > Self.contentBytesMax
    }
}

extension ApsOutline.Number {
    fileprivate init(_ json: JSONValue?) {
        guard let json else {
            self = .missing
            return
        }
        self = json.number.map { .value($0) } ?? .noNumber
    }
}

extension ApsOutline.Alert {
    fileprivate init(_ json: JSONValue) {
        let alert = PushedAps.Alert(json)
        hasTitle = alert.title != nil
        hasBody = alert.body != nil
        hasForeignKeys = Self.foreignKeys.contains { json[$0] != nil }
    }
}
