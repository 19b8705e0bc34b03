package import HTTP2

/// Whatever is sent to an APNs host with a provider token: a push to a device, a broadcast, an
/// order about a channel.
package protocol ProviderRequest: Sendable {
    /// Which header field carries the request's own id, and comes back with the answer.
    static var idField: FieldName { get }
    /// That id.
    var id: PushID { get }
    /// Writes the request's head as it goes over the wire.
    func write(to head: inout RequestHead, with providerToken: ProviderToken)
    /// What comes behind the head.
    var body: [UInt8] { get }
}

extension ProviderRequest {
    /// The request as a value: for whoever looks at it instead of sending it.
    package func http2Request(providerToken: ProviderToken) -> HTTP2Request {
        var head = RequestHead(authority: "")
        write(to: &head, with: providerToken)
        return HTTP2Request(head, body: body)
    }
}

extension PushRequest: ProviderRequest {
    package static let idField = FieldName.apnsID
    package var body: [UInt8] { payload }
}

/// Why a request has not succeeded.
package enum RequestFailure: Hashable, Sendable {
    /// APNs said no; with what to do.
    case refused(APNsClient.Refusal)
    /// It did not leave, or the peer did nothing: safe to send again.
    case notSent(String)
    /// It was not taken: too many wait already, or no peer would understand it. That says nothing
    /// of the host.
    case notTaken(String)
    /// It did not leave, because its host is given a pause: safe to send again after it.
    case heldBack(String, retryAfterMilliseconds: Int64)
    /// The connection was lost between sending and answer.
    case unknown(String)
}

/// What became of a request: APNs' answer with a status of 200 to 299, or why there is none.
package typealias RequestResult = Result<HTTP2Answer, RequestFailure>

extension RequestFailure: Error {}
