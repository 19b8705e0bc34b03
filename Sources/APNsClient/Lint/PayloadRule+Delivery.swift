internal import JSONReader

// Rules for the document as a whole, for how it is sent, and for pushes that are not for Live
// Activities.
extension PayloadRule {
    static let document = [
        PayloadRule(
            "payload-empty", .dropped, "APNs responds with 400 PayloadEmpty; send a JSON object",
            anywhere: { $0.byteCount == 0 ? [Spot("payload", "is empty")] : [] }),
        PayloadRule(
            "not-json", .dropped,
            "no device can decode it; write it with an encoder, or fix that byte",
            anywhere: { payload in
                guard payload.byteCount > 0, case .failure(let error) = payload.document else {
                    return []
                }
                return [Spot("payload", "is not JSON: \(error)")]
            }),
        PayloadRule(
            "aps-missing", .dropped,
            "the device has nothing to read; put everything into {\"aps\": {…}}",
            anywhere: { payload in
                guard payload.json != nil, payload.aps == nil else { return [] }
                return [Spot("aps", "is missing or not an object")]
            }),
        PayloadRule(
            "too-large", .dropped,
            "APNs responds with 413 PayloadTooLarge; shorten the content state",
            anywhere: { payload in
                let limit = payload.context.destination.bytes
                guard payload.byteCount > limit else { return [] }
                return [Spot("payload", "has \(payload.byteCount) bytes, above \(limit)")]
            }),
        PayloadRule(
            "key-twice", .mistreated,
            "a decoder keeps one of the values, and it is undefined which; write it once",
            anywhere: { payload in
                payload.json?.repeatedKeys().map { Spot($0, "occurs more than once") } ?? []
            }),
    ]

    static let delivery = [
        PayloadRule(
            "priority-not-allowed", .dropped,
            "APNs responds with 400 BadPriority; use 5 in the background, and 10 or 5 elsewhere",
            anywhere: { payload in
                let context = payload.context
                let priority = PushRequest.Priority(rawValue: context.priority)
                let isAllowed =
                    switch context.destination {
                    case .device: priority.map(context.pushType.allows) ?? false
                    case .broadcast: priority != nil
                    }
                let type = context.pushType.rawValue
                let observation = "is \(context.priority), not allowed for type \(type)"
                return isAllowed ? [] : [Spot("apns-priority", observation)]
            }),
        PayloadRule(
            "start-by-broadcast", .dropped,
            "a channel can update and end activities; start each by its push-to-start token",
            activity: { aps in
                let isBroadcast = aps.context.destination == .broadcast
                return aps.spot(
                    "event", "is start in a broadcast", when: isBroadcast && aps.event == .start)
            }),
        PayloadRule(
            "push-type-mismatch", .dropped,
            "no Live Activity gets it; send it with push type and topic of liveactivity",
            anywhere: { payload in
                let type = payload.context.pushType
                guard type != .liveactivity, payload.aps?["content-state"] != nil else { return [] }
                return [Spot("aps.content-state", "is sent with push type \(type.rawValue)")]
            }),
        PayloadRule(
            "background-without-call", .dropped,
            "the system does not wake the app; write \"content-available\": 1",
            anywhere: { payload in
                let call = payload.aps?["content-available"]
                guard payload.isOther(.background), call?.integer != 1 else { return [] }
                return [Spot("aps.content-available", "is not 1")]
            }),
        PayloadRule(
            "background-with-sign", .mistreated,
            "a background push shows and plays nothing; send it with push type alert",
            anywhere: { payload in
                guard payload.isOther(.background) else { return [] }
                return ["alert", "sound", "badge"].filter { payload.aps?[$0] != nil }
                    .map { Spot("aps.\($0)", "is in a background push") }
            }),
        PayloadRule(
            "reload-without-call", .dropped,
            "the system does not ask for new content; write \"content-changed\": true",
            anywhere: { payload in
                guard payload.isOther(.widgets) || payload.isOther(.controls),
                    payload.aps?["content-changed"] != .truth(true)
                else { return [] }
                return [Spot("aps.content-changed", "is not true")]
            }),
        PayloadRule(
            "activity-localization", .mistreated,
            "an ordinary notification has no such shape; write title-loc-key, or loc-key for the "
                + "body",
            anywhere: { payload in
                guard payload.isOther(.alert), let alert = payload.aps?["alert"] else { return [] }
                return ["title", "body"].filter { alert[$0]?.fields != nil }
                    .map { Spot("aps.alert.\($0)", "has the shape of a Live Activity's") }
            }),
    ]
}

extension LintedPayload {
    /// Whether this is a push of this type, and not a mislabelled Live Activity push.
    fileprivate func isOther(_ type: PushRequest.PushType) -> Bool {
        context.pushType == type && aps != nil && aps?["content-state"] == nil
    }
}
