internal import HTTP2

/// What a broadcast's outcome shows about its host, for the choice of the host.
enum BroadcastSign: Hashable, Sendable {
    /// A response that only a broadcast host gives, success or not.
    case knowsBroadcasts
    /// A response that only another kind of host gives: nothing was or will be published there.
    case takesNone
    /// No connection was made, so the broadcast was not sent.
    case unreachable
    /// Inconclusive: the outcome shows nothing about the host, or the broadcast may have been
    /// published.
    case silent

    /// Classifies one result. A refused connect, a failed handshake and a mismatched certificate
    /// all arrive as "not sent".
    init(_ result: RequestResult) {
        switch result {
        case .success(let response): self = response.status == 200 ? .knowsBroadcasts : .silent
        case .failure(.refused(let refusal)): self = Self.of(refusal)
        case .failure(.notSent): self = .unreachable
        case .failure(.unknown), .failure(.heldBack), .failure(.notTaken): self = .silent
        }
    }

    private static func of(_ refusal: APNsClient.Refusal) -> Self {
        let row = refusals.first { row in
            row.status == refusal.status && (row.reasons?.contains(refusal.reason) ?? true)
        }
        return row?.sign ?? .silent
    }

    /// One row of the refusal table.
    private struct Row {
        let status: Int
        /// `nil`: any reason.
        let reasons: Set<String>?
        let sign: BroadcastSign
    }

    /// Path and method are Apple's own, so a host that rejects them is another kind of host. Of the
    /// reasons, only those documented for either devices or channels are conclusive ("Handling
    /// notification responses from APNs", "Handling error responses from APNs"): tokens, sizes,
    /// rates and failures are the same everywhere.
    private static let refusals = [
        Row(status: 404, reasons: nil, sign: .takesNone),
        Row(status: 405, reasons: nil, sign: .takesNone),
        // Misdirected Request (RFC 9110 section 15.5.20).
        Row(status: 421, reasons: nil, sign: .takesNone),
        Row(status: 400, reasons: reasonsOfDevices, sign: .takesNone),
        Row(status: 410, reasons: nil, sign: .takesNone),
        Row(status: 400, reasons: reasonsOfChannels, sign: .knowsBroadcasts),
        Row(status: 403, reasons: ["TopicMismatch"], sign: .knowsBroadcasts),
    ]

    /// A broadcast has neither a device nor a topic.
    private static let reasonsOfDevices: Set<String> = [
        "BadDeviceToken", "BadTopic", "DeviceTokenNotForTopic", "MissingDeviceToken",
        "MissingTopic",
    ]

    private static let reasonsOfChannels: Set<String> = [
        "BadChannelId", "BadRequestParams", "BadRequestPayload", "ChannelNotRegistered",
        "FeatureNotEnabled", "MissingChannelId", "MissingPushType",
    ]
}
