// Rules about the text as a whole, and about how it is sent.
extension PayloadRule {
    static let document = [
        PayloadRule(
            "payload-empty", .dropped, "APNs answers 400 PayloadEmpty; send a JSON object",
            anywhere: { $0.byteCount == 0 ? [Spot("payload", "is empty")] : [] }),
        PayloadRule(
            "not-json", .dropped,
            "no device can decode it; write it with an encoder, or mend that byte",
            anywhere: { payload in
                guard payload.byteCount > 0, case .failure(let error) = payload.document else {
                    return []
                }
                return [Spot("payload", "is not JSON, as \(error)")]
            }),
        PayloadRule(
            "aps-missing", .dropped,
            "the device has nothing to read; put everything into {\"aps\": {…}}",
            anywhere: { payload in
                guard payload.json != nil, payload.aps == nil else { return [] }
                return [Spot("aps", "is missing or not an object")]
            }),
        PayloadRule(
            "too-large", .dropped, "APNs answers 413 PayloadTooLarge; shorten the content state",
            anywhere: { payload in
                let limit = payload.context.destination.bytes
                guard payload.byteCount > limit else { return [] }
                return [Spot("payload", "has \(payload.byteCount) bytes, above \(limit)")]
            }),
        PayloadRule(
            "key-twice", .mistreated,
            "a decoder keeps one of the values, and which one nobody promises; write it once",
            anywhere: { payload in
                payload.json?.repeatedKeys().map { Spot($0, "comes more than once") } ?? []
            }),
    ]

    static let delivery = [
        PayloadRule(
            "priority-unknown", .dropped,
            "APNs answers 400 BadPriority; use 10, or 5 for what may wait",
            activity: { aps in
                let allowed =
                    switch aps.context.destination {
                    case .device: [5, 10]
                    case .broadcast: [1, 5, 10]
                    }
                let priority = aps.context.priority
                guard !allowed.contains(priority) else { return [] }
                return [Spot("apns-priority", "is \(priority), which a Live Activity may not have")]
            }),
        PayloadRule(
            "start-by-broadcast", .dropped,
            "a channel can update and end activities; start each by its push-to-start token",
            activity: { aps in
                let isBroadcast = aps.context.destination == .broadcast
                return aps.spot(
                    "event", "is start in a broadcast", when: isBroadcast && aps.event == .start)
            }),
    ]
}
