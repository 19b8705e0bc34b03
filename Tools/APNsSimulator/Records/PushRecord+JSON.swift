internal import APNsClient
internal import HTTP2
internal import JSONWriter

extension PushRecord {
    /// The record as one line of JSON for testers, with the token shortened and without the
    /// provider token.
    package var json: [UInt8] {
        var json = JSONWriter(reserving: 1_024)
        json.beginObject()
        json.field("at", receivedAt)
        json.field("connection", connection)
        writeOutcome(&json)
        json.field("apns-id", apnsID)
        json.field("token", TokenMask.shortened(facts.token ?? ""))
        json.object("headers") { json in
            for header in facts.headers where header.name != "apns-id" {
                json.key(named: header.name)
                json.value(header.value)
            }
        }
        json.key("payload")
        if JSONValue(facts.payload) != nil {
            json.raw(facts.payload.map { $0 < 0x20 ? 0x20 : $0 })
        } else {
            json.value(String(decoding: facts.payload, as: UTF8.self))
        }
        json.array("warnings", accepted?.warnings ?? broadcast?.warnings ?? []) { $0.value($1) }
        json.endObject()
        return json.bytes
    }

    private func writeOutcome(_ json: inout JSONWriter) {
        switch outcome {
        case .accepted(let push):
            json.field("status", 200)
            if push.repetition == .again { json.field("repeated", true) }
            if push.delivery != .atOnce { json.field("delivery", push.delivery.rawValue) }
        case .channel(let reply):
            json.field("status", reply.status)
            json.field("did", reply.summary)
        case .refused(let refusal):
            json.field("status", refusal.reason.status)
            json.field("reason", refusal.reason.rawValue)
            if let timestamp = refusal.timestamp { json.field("timestamp", timestamp) }
        case .fault(let effect, let outcome):
            json.field("fault", effect.description)
            json.field("accepted", outcome != nil)
        }
    }
}

/// Tokens for display.
package enum TokenMask {
    /// Returns the last four characters, enough to distinguish two tokens.
    package static func shortened(_ token: String) -> String { "…\(token.suffix(4))" }
}
