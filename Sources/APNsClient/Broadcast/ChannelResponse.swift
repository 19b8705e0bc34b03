internal import HTTP2
internal import JSONReader

/// The management host's successful responses. `nil`: the response lacks what Apple documents, so
/// its effect is unknown.
enum ChannelResponse {
    /// 201: the new id is a header.
    static func created(_ response: HTTP2Response) -> ChannelID? {
        guard let text = response.value(of: .apnsChannelID) else { return nil }
        let id = ChannelID(base64: text)
        return id.isWellFormed ? id : nil
    }

    /// 200 with `{"message-storage-policy":…, "push-type":…}`.
    static func policy(_ response: HTTP2Response) -> ChannelPolicy? {
        JSONValue(response.body)?["message-storage-policy"]?.integer.flatMap(Int.init(exactly:))
            .flatMap(ChannelPolicy.init(rawValue:))
    }

    /// 200 with `{"channels":["…"]}`. One invalid id invalidates the list: a sweeper must not work
    /// from a partial list.
    static func list(_ response: HTTP2Response) -> [ChannelID]? {
        guard let elements = JSONValue(response.body)?["channels"]?.elements else { return nil }
        let ids = elements.compactMap { $0.text.map(ChannelID.init(base64:)) }
        guard ids.count == elements.count, ids.allSatisfy(\.isWellFormed) else { return nil }
        return ids
    }
}
