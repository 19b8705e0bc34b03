package import HTTP2

/// A request to an APNs host with a provider token: a push, a broadcast or a channel management
/// request.
package protocol ProviderRequest: Sendable {
    /// The header field that carries the request's id, and returns with the response.
    static var idField: FieldName { get }
    /// The request's id.
    var id: PushID { get }
    /// Writes the request's head in its wire form.
    func write(to head: inout HTTP2RequestHead, with providerToken: ProviderToken)
    /// The request's body.
    var body: [UInt8] { get }
}

extension PushRequest: ProviderRequest {
    package static let idField = FieldName.apnsID
    package var body: [UInt8] { payload }
}

/// Why a request failed.
package enum RequestFailure: Hashable, Sendable {
    /// APNs refused it; the refusal contains the action to take.
    case refused(APNsClient.Refusal)
    /// It was not sent, or the peer did nothing: safe to repeat.
    case notSent(String)
    /// It was not accepted, because it is invalid HTTP or the client is shutting down. It shows
    /// nothing about the host.
    case notTaken(String)
    /// It was not sent, because its host is paused or too many requests are waiting: safe to repeat
    /// after that time.
    case heldBack(String, retryAfterMilliseconds: Int64)
    /// The connection was lost between request and response.
    case unknown(String)
}

/// A request's result: APNs' response with a status of 200 to 299, or why there is none.
package typealias RequestResult = Result<HTTP2Response, RequestFailure>

extension RequestFailure: Error {}
