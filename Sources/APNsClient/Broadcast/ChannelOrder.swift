package import HTTP2
internal import JSONWriter

/// A channel management request ("Sending channel management requests to APNs").
public struct ChannelOrder: Hashable, Sendable {
    /// The operation to perform.
    public enum Operation: Hashable, Sendable {
        /// Creates a channel with a permanent policy.
        case create(ChannelPolicy)
        /// Reads a channel's policy.
        case read(ChannelID)
        /// Deletes a channel permanently; a stored message may still arrive.
        case delete(ChannelID)
        /// Lists the ids of all channels.
        case list
    }

    /// The operation to perform.
    public let operation: Operation
    /// The app's bundle id, without a suffix.
    public let bundleID: String
    /// `apns-request-id`: echoed by APNs.
    public let id: PushID

    /// Creates a request from its fields.
    public init(_ operation: Operation, bundleID: String, id: PushID = .random()) {
        self.operation = operation
        self.bundleID = bundleID
        self.id = id
    }

    /// Throws what APNs would refuse.
    public func validate() throws(BroadcastError) {
        guard BundleID.isWellFormed(bundleID) else { throw .badBundleID(bundleID) }
        guard channel?.isWellFormed ?? true else { throw .badChannelID }
    }

    /// Writes the request's head in its wire form.
    package func write(to head: inout HTTP2RequestHead, with providerToken: ProviderToken) {
        parts.write(to: &head, with: providerToken)
    }

    private var channel: ChannelID? {
        switch operation {
        case .create, .list: nil
        case .read(let channel), .delete(let channel): channel
        }
    }
}

extension ChannelOrder {
    /// The parts, for the wire and for display.
    package var parts: RequestParts {
        var headers: [HTTP2Header] = []
        if let channel { headers.append(HTTP2Header("apns-channel-id", channel.base64)) }
        headers.append(HTTP2Header("apns-request-id", "\(id)", indexing: .never))
        return RequestParts(method: method, path: path, headers: headers, body: body)
    }

    private var method: String {
        switch operation {
        case .create: "POST"
        case .read, .list: "GET"
        case .delete: "DELETE"
        }
    }

    private var path: String {
        switch operation {
        case .create, .read, .delete: "/1/apps/\(bundleID)/channels"
        case .list: "/1/apps/\(bundleID)/all-channels"
        }
    }

    package var body: [UInt8] {
        guard case .create(let policy) = operation else { return [] }
        var json = JSONWriter(reserving: 64)
        json.beginObject()
        json.field("message-storage-policy", policy.rawValue)
        json.field("push-type", "LiveActivity")
        json.endObject()
        return json.bytes
    }
}
