extension PushRequest {
    /// Finds what APNs would refuse anyway, before it costs an error there: many errors make it
    /// disconnect a provider.
    public func validate() throws(PushRequestError) {
        guard token.isWellFormed else { throw .badToken }
        guard BundleID.isWellFormed(bundleID) else { throw .badTopic(topic) }
        guard pushType.allows(priority) else { throw .badPriority(priority, pushType) }
        if let expiration, expiration < 0 || expiration >= EpochSeconds.limit {
            throw .badExpiration(expiration)
        }
        if let collapseID,
            !(1...Self.collapseIDBytesMax).contains(collapseID.utf8.count)
                || !collapseID.utf8.allSatisfy(Self.isVisible)
        {
            throw .badCollapseID(bytes: collapseID.utf8.count)
        }
        guard !payload.isEmpty else { throw .payloadEmpty }
        guard payload.count <= PayloadLimit.device.bytes else {
            throw .payloadTooLarge(bytes: payload.count, limit: PayloadLimit.device.bytes)
        }
    }

    private static func isVisible(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }

    private static let collapseIDBytesMax = 64
}

/// Why a request would be refused by APNs; each has the status and reason that it would get.
public enum PushRequestError: Error, Hashable, Sendable {
    /// The token is not hex of whole bytes.
    case badToken
    /// The topic is not a bundle id followed by the push type's suffix.
    case badTopic(String)
    /// The push type does not go with this priority.
    case badPriority(PushRequest.Priority, PushRequest.PushType)
    /// The expiration is not in seconds since 1970.
    case badExpiration(Int64)
    /// The collapse id is empty, longer than 64 bytes, or not printable ASCII.
    case badCollapseID(bytes: Int)
    /// There is no payload.
    case payloadEmpty
    /// The payload is larger than APNs takes.
    case payloadTooLarge(bytes: Int, limit: Int)

    /// The answer that APNs would give.
    public var refusal: APNsClient.Refusal {
        switch self {
        case .badToken: .certain(400, "BadDeviceToken")
        case .badTopic: .certain(400, "BadTopic")
        case .badPriority: .certain(400, "BadPriority")
        case .badExpiration: .certain(400, "BadExpirationDate")
        case .badCollapseID: .certain(400, "BadCollapseId")
        case .payloadEmpty: .certain(400, "PayloadEmpty")
        case .payloadTooLarge: .certain(413, "PayloadTooLarge")
        }
    }
}

extension PushRequestError: CustomStringConvertible {
    /// What is wrong, with the value where it is no secret.
    public var description: String {
        switch self {
        case .badToken: "the token is not hex of whole bytes: report it as \"%02x\" of each byte"
        case .badTopic(let topic):
            "the topic \"\(topic)\" is not a bundle id followed by its push type's suffix"
        case .badPriority(let priority, let type):
            "a push of type \(type.rawValue) cannot have priority \(priority.rawValue)"
        case .badExpiration(let date): "the expiration \(date) is not in seconds since 1970"
        case .badCollapseID(let bytes):
            "the collapse id has \(bytes) bytes: it must have 1 to 64, printable ASCII"
        case .payloadEmpty: "there is no payload"
        case .payloadTooLarge(let bytes, let limit):
            "the payload has \(bytes) bytes, APNs takes \(limit): shorten the content state"
        }
    }
}

/// Dates on Apple's wire.
enum EpochSeconds {
    /// The year 5138: whatever is later was written in milliseconds.
    static let limit: Int64 = 100_000_000_000
}
