/// Apple's statuses and reasons, each with the action to take.
///
/// From "Handling notification responses from APNs" and "Handling error responses from APNs"
/// (channels and broadcasts), with the spellings that Apple's hosts send where they differ.
public enum APNsReason {
    /// One row of the table.
    public struct Row: Hashable, Sendable {
        /// The HTTP status.
        public let status: Int
        /// Apple's `reason`.
        public let reason: String
        /// The action to take.
        public let action: APNsAction
    }

    /// Returns the action for a response other than 200. A reason that is not in the table, or not
    /// with this status, is judged by its status. A response without a known status is never
    /// repeated.
    public static func action(status: Int, reason: String) -> APNsAction {
        actions[Key(status: status, reason: reason)] ?? action(status: status)
    }

    /// Returns whether the table has this reason with this status.
    public static func isKnown(status: Int, reason: String) -> Bool {
        actions[Key(status: status, reason: reason)] != nil
    }

    /// Returns the one spelling of a reason that has two: the one that Apple's hosts send. Logs and
    /// metrics then have one name for one thing.
    public static func canonical(_ reason: String) -> String { spellings[reason] ?? reason }

    /// Returns a reason as a metric's label: one of Apple's or "other", to bound their number.
    public static func label(of reason: String) -> String {
        reasons.contains(reason) ? canonical(reason) : other
    }

    /// The label of unknown reasons.
    public static let other = "other"
    /// The documented spellings of reasons that Apple's hosts spell otherwise.
    private static let spellings = [
        "BadEnvironmentKeyIdInToken": "BadEnvironmentKeyInToken",
        "Service Unavailable": "ServiceUnavailable",
    ]
    private static let reasons = Set(table.map(\.reason))

    /// Every known pair.
    public static let table: [Row] =
        rows(
            400, .deadLetter,
            [
                "BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority",
                "DuplicateHeaders", "InvalidPushType", "MissingDeviceToken", "PayloadEmpty",
            ])
        + rows(400, .fixSettings, ["BadTopic", "MissingTopic", "TopicDisallowed"])
        + rows(400, .dropToken, ["BadDeviceToken", "DeviceTokenNotForTopic"])
        + rows(400, .newConnection, ["IdleTimeout"])
        + rows(
            403, .fixSettings,
            [
                "BadCertificate", "BadCertificateEnvironment", "Forbidden",
                "MissingProviderToken",
            ])
        + rows(403, .renewProviderToken, ["ExpiredProviderToken", "InvalidProviderToken"])
        + rows(
            403, .changeProviderKey, ["BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken"])
        + rows(403, .newConnection, ["UnrelatedKeyIdInToken"])
        + rows(404, .deadLetter, ["BadPath"])
        + rows(405, .deadLetter, ["MethodNotAllowed"])
        + rows(410, .dropToken, ["ExpiredToken", "Unregistered"])
        + rows(413, .deadLetter, ["PayloadTooLarge"])
        + rows(429, .stopMinting, ["TooManyProviderTokenUpdates"])
        + rows(429, .backOffDevice, ["TooManyRequests"])
        + rows(500, .retryLater, ["InternalServerError"])
        + rows(503, .backOffHost, ["ServiceUnavailable", "Service Unavailable", "Shutdown"])
        + broadcastRows

    /// The responses to channels and broadcasts only.
    private static let broadcastRows: [Row] =
        rows(
            400, .deadLetter,
            [
                "BadChannelId", "BadRequestParams", "BadRequestPayload",
                "CannotCreateChannelConfig", "ChannelNotRegistered", "MissingChannelId",
                "MissingPushType",
            ])
        + rows(400, .fixSettings, ["FeatureNotEnabled"])
        + rows(403, .fixSettings, ["TopicMismatch"])

    private struct Key: Hashable {
        let status: Int
        let reason: String
    }

    private static let actions = [Key: APNsAction](
        uniqueKeysWithValues: table.map {
            (Key(status: $0.status, reason: $0.reason), $0.action)
        })

    private static func rows(_ status: Int, _ action: APNsAction, _ reasons: [String]) -> [Row] {
        reasons.map { Row(status: status, reason: $0, action: action) }
    }

    /// Returns the action for a status alone.
    private static func action(status: Int) -> APNsAction {
        switch status {
        case 410: .dropToken
        // Misdirected Request (RFC 9110 section 15.5.20): another connection may work.
        case 421: .newConnection
        case 429: .backOffDevice
        case 403: .fixSettings
        case 408, 425, 500...501, 505...599: .retryLater
        case 502...504: .backOffHost
        default: .deadLetter
        }
    }
}
