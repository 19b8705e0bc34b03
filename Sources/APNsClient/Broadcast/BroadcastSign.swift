internal import HTTP2

/// What one host made of a broadcast, as far as it matters for the choice of the host.
enum BroadcastSign: Hashable, Sendable {
    /// It answered as only a host of broadcasts does, with whatever verdict.
    case knowsBroadcasts
    /// It answered as only another host does: nothing was published, nor will it ever be there.
    case takesNone
    /// No connection came about, so the broadcast has not left.
    case unreachable
    /// It says nothing of the host, or the broadcast may have been published: nobody knows.
    case silent

    /// Reads one result. A refused connect, a failed handshake and a certificate of another name
    /// are all known as "not sent".
    init(_ result: RequestResult) {
        switch result {
        case .success(let answer): self = answer.status == 200 ? .knowsBroadcasts : .silent
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

    /// One row of the table of refusals.
    private struct Row {
        let status: Int
        /// `nil`: whatever the reason.
        let reasons: Set<String>?
        let sign: BroadcastSign
    }

    /// Path and method are Apple's own, so whoever does not know them is another host. Of the
    /// reasons only those tell something that Apple documents either for devices or for channels
    /// ("Handling notification responses from APNs", "Handling error responses from APNs"):
    /// tokens, sizes, rates and failures are the same everywhere.
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
