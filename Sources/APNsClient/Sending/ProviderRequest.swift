package import HTTP2

/// Whatever is sent to an APNs host with a provider token: a push to a device, a broadcast, an
/// order about a channel.
package protocol ProviderRequest: Sendable {
    /// Which header field carries the request's own id, and comes back with the answer.
    static var idField: String { get }
    /// That id: a UUID in lower case.
    var id: String { get }
    /// The request as it goes over the wire.
    func http2Request(providerToken: ProviderToken) -> HTTP2Request
}

extension PushRequest: ProviderRequest {
    package static let idField = "apns-id"
}

/// Why a request has not succeeded.
package enum RequestFailure: Hashable, Sendable {
    /// APNs said no; with what to do.
    case refused(APNsClient.Refusal)
    /// It did not leave, or the peer did nothing: safe to send again.
    case notSent(String)
    /// It did not leave, because its host is given a pause: safe to send again after it.
    case heldBack(String, retryAfterMilliseconds: Int64)
    /// The connection was lost between sending and answer.
    case unknown(String)
}

/// What became of a request: APNs' answer with a status of 200 to 299, or why there is none.
package typealias RequestResult = Result<HTTP2Response, RequestFailure>

extension RequestFailure: Error {}
