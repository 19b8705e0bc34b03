// Rules for the document as a whole.
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
}
