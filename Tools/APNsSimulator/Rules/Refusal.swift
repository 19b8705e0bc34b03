/// APNs' response other than 200.
package struct Refusal: Error, Hashable, Sendable {
    package let reason: RefusalReason
    /// With 410: since when the token is invalid, in milliseconds since 1970.
    package let timestamp: Int64?

    package init(_ reason: RefusalReason, timestamp: Int64? = nil) {
        self.reason = reason
        self.timestamp = timestamp
    }
}

/// A reason with its status: Apple's reasons, for pushes to devices ("Handling notification
/// responses from APNs"), then those for channels and broadcasts only ("Handling error responses
/// from APNs"), or any other.
package struct RefusalReason: Hashable, Sendable {
    package let rawValue: String
    /// The reason's HTTP status.
    package let status: Int

    package init(_ rawValue: String, status: Int) {
        self.rawValue = rawValue
        self.status = status
    }

    /// One of Apple's reasons; `nil`: it is none.
    package init?(rawValue: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else {
            return nil
        }
        self = known
    }
}

extension RefusalReason {
    package static let badCollapseID = Self("BadCollapseId", status: 400)
    package static let badDeviceToken = Self("BadDeviceToken", status: 400)
    package static let badExpirationDate = Self("BadExpirationDate", status: 400)
    package static let badMessageID = Self("BadMessageId", status: 400)
    package static let badPriority = Self("BadPriority", status: 400)
    package static let badTopic = Self("BadTopic", status: 400)
    package static let deviceTokenNotForTopic = Self("DeviceTokenNotForTopic", status: 400)
    package static let duplicateHeaders = Self("DuplicateHeaders", status: 400)
    package static let idleTimeout = Self("IdleTimeout", status: 400)
    package static let invalidPushType = Self("InvalidPushType", status: 400)
    package static let missingDeviceToken = Self("MissingDeviceToken", status: 400)
    package static let missingTopic = Self("MissingTopic", status: 400)
    package static let payloadEmpty = Self("PayloadEmpty", status: 400)
    package static let topicDisallowed = Self("TopicDisallowed", status: 400)
    package static let badCertificate = Self("BadCertificate", status: 403)
    package static let badCertificateEnvironment = Self("BadCertificateEnvironment", status: 403)
    package static let expiredProviderToken = Self("ExpiredProviderToken", status: 403)
    package static let forbidden = Self("Forbidden", status: 403)
    package static let invalidProviderToken = Self("InvalidProviderToken", status: 403)
    package static let missingProviderToken = Self("MissingProviderToken", status: 403)
    package static let unrelatedKeyIDInToken = Self("UnrelatedKeyIdInToken", status: 403)
    /// As Apple documents it.
    package static let badEnvironmentKeyIDInToken = Self("BadEnvironmentKeyIdInToken", status: 403)
    /// As Apple's hosts send it.
    package static let badEnvironmentKeyInToken = Self("BadEnvironmentKeyInToken", status: 403)
    package static let badPath = Self("BadPath", status: 404)
    package static let methodNotAllowed = Self("MethodNotAllowed", status: 405)
    package static let expiredToken = Self("ExpiredToken", status: 410)
    package static let unregistered = Self("Unregistered", status: 410)
    package static let payloadTooLarge = Self("PayloadTooLarge", status: 413)
    package static let tooManyProviderTokenUpdates = Self(
        "TooManyProviderTokenUpdates", status: 429)
    package static let tooManyRequests = Self("TooManyRequests", status: 429)
    package static let internalServerError = Self("InternalServerError", status: 500)
    package static let serviceUnavailable = Self("ServiceUnavailable", status: 503)
    package static let shutdown = Self("Shutdown", status: 503)
    package static let featureNotEnabled = Self("FeatureNotEnabled", status: 400)
    package static let missingChannelID = Self("MissingChannelId", status: 400)
    package static let badChannelID = Self("BadChannelId", status: 400)
    package static let channelNotRegistered = Self("ChannelNotRegistered", status: 400)
    package static let badRequestParams = Self("BadRequestParams", status: 400)
    package static let badRequestPayload = Self("BadRequestPayload", status: 400)
    package static let missingPushType = Self("MissingPushType", status: 400)
    package static let cannotCreateChannelConfig = Self("CannotCreateChannelConfig", status: 400)
    package static let topicMismatch = Self("TopicMismatch", status: 403)

    /// Apple's reasons.
    package static let allCases: [RefusalReason] = [
        .badCollapseID, .badDeviceToken, .badExpirationDate, .badMessageID, .badPriority, .badTopic,
        .deviceTokenNotForTopic, .duplicateHeaders, .idleTimeout, .invalidPushType,
        .missingDeviceToken, .missingTopic, .payloadEmpty, .topicDisallowed, .badCertificate,
        .badCertificateEnvironment, .expiredProviderToken, .forbidden, .invalidProviderToken,
        .missingProviderToken, .unrelatedKeyIDInToken, .badEnvironmentKeyIDInToken,
        .badEnvironmentKeyInToken, .badPath, .methodNotAllowed, .expiredToken, .unregistered,
        .payloadTooLarge, .tooManyProviderTokenUpdates, .tooManyRequests, .internalServerError,
        .serviceUnavailable, .shutdown, .featureNotEnabled, .missingChannelID, .badChannelID,
        .channelNotRegistered, .badRequestParams, .badRequestPayload, .missingPushType,
        .cannotCreateChannelConfig, .topicMismatch,
    ]
}
