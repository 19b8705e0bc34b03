/// Why APNs would refuse a broadcast or a channel request.
public enum BroadcastError: Error, Hashable, Sendable {
    /// Not a bundle id, or one with a push type's suffix.
    case badBundleID(String)
    /// The channel id is not base64.
    case badChannelID
    /// The expiration is not in seconds since 1970.
    case badExpiration(Int64)
    /// The payload is empty.
    case payloadEmpty
    /// The payload exceeds APNs' limit.
    case payloadTooLarge(bytes: Int, limit: Int)
    /// The payload is not JSON with `aps` and `event`.
    case badPayload
    /// The event cannot be broadcast.
    case badEvent(String)

    /// The refusal that APNs would return.
    public var refusal: APNsClient.Refusal {
        switch self {
        case .badBundleID: .certain(400, "TopicDisallowed")
        case .badChannelID: .certain(400, "BadChannelId")
        case .badExpiration: .certain(400, "BadExpirationDate")
        case .payloadEmpty: .certain(400, "PayloadEmpty")
        case .payloadTooLarge: .certain(413, "PayloadTooLarge")
        case .badPayload, .badEvent: .certain(400, "BadRequestPayload")
        }
    }
}

extension BroadcastError: CustomStringConvertible {
    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .badBundleID(let id):
            "\"\(id)\" is not a bundle ID: give the app's own, without a push type's suffix"
        case .badChannelID: "the channel id is not base64: give it as APNs returned it"
        case .badExpiration(let date): "the expiration \(date) is not in seconds since 1970"
        case .payloadEmpty: "the payload is empty"
        case .payloadTooLarge(let bytes, let limit):
            "the payload has \(bytes) bytes, a channel accepts \(limit): shorten the content state"
        case .badPayload: "the payload is not a JSON object with \"aps\" and its \"event\""
        case .badEvent(let event):
            "a broadcast cannot carry the event \"\(event)\": only update and end"
        }
    }
}
