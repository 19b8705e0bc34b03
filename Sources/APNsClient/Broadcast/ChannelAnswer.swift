internal import HTTP2

/// What the management host says when it has done what it was asked. `nil`: the answer does not
/// hold what Apple documents, so nobody knows.
enum ChannelAnswer {
    /// 201: the new id is a header.
    static func created(_ answer: HTTP2Answer) -> ChannelID? {
        guard let text = answer.value(of: .apnsChannelID) else { return nil }
        let id = ChannelID(base64: text)
        return id.isWellFormed ? id : nil
    }

    /// 200 with `{"message-storage-policy":…, "push-type":…}`.
    static func policy(_ answer: HTTP2Answer) -> ChannelPolicy? {
        JSONValue(answer.body)?["message-storage-policy"]?.integer.flatMap(Int.init(exactly:))
            .flatMap(ChannelPolicy.init(rawValue:))
    }

    /// 200 with `{"channels":["…"]}`. One id that is none spoils the list: a sweeper must not
    /// work from half of one.
    static func list(_ answer: HTTP2Answer) -> [ChannelID]? {
        guard let elements = JSONValue(answer.body)?["channels"]?.elements else { return nil }
        let ids = elements.compactMap { $0.text.map(ChannelID.init(base64:)) }
        guard ids.count == elements.count, ids.allSatisfy(\.isWellFormed) else { return nil }
        return ids
    }
}
