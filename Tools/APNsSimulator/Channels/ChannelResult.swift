internal import HTTP2
internal import JSONWriter

/// The outcome of a valid channel request.
package enum ChannelResult: Hashable, Sendable {
    case created(id: String)
    case described(Channel.StoragePolicy)
    case deleted(id: String)
    case listed([String])
    case published(AcceptedBroadcast)

    /// Apple's status.
    package var status: Int {
        switch self {
        case .created: 201
        case .deleted: 204
        case .described, .listed, .published: 200
        }
    }

    /// A summary for display.
    package var summary: String {
        switch self {
        case .created(let id): "channel \(id) created"
        case .described(let policy): "channel with policy \(policy.rawValue) read"
        case .deleted(let id): "channel \(id) deleted"
        case .listed(let ids): "\(ids.count) channels listed"
        case .published(let broadcast): "broadcast to \(broadcast.channelID)"
        }
    }

    /// Returns the response with Apple's headers and body.
    func response(_ headers: [HTTP2Header]) -> HTTP2Response {
        switch self {
        case .created(let id):
            HTTP2Response(status: status, headers: headers + [HTTP2Header("apns-channel-id", id)])
        case .deleted, .published:
            HTTP2Response(status: status, headers: headers)
        case .described(let policy):
            json(headers) { json in
                json.field("message-storage-policy", policy.rawValue)
                json.field("push-type", "LiveActivity")
            }
        case .listed(let ids):
            json(headers) { json in json.array("channels", ids) { $0.value($1) } }
        }
    }

    private func json(
        _ headers: [HTTP2Header], _ body: (inout JSONWriter) -> Void
    ) -> HTTP2Response {
        var json = JSONWriter()
        json.beginObject()
        body(&json)
        json.endObject()
        let type = HTTP2Header("content-type", "application/json")
        return HTTP2Response(status: status, headers: headers + [type], body: json.bytes)
    }
}
