internal import HTTP2
internal import APNsClient
internal import JSONReader
internal import JSONWriter

/// A request with its outcome.
package struct PushRecord: Sendable {
    /// Milliseconds since 1970.
    package let receivedAt: Int64
    package let connection: Int
    package let facts: PushFacts
    /// The `apns-id`, received or generated.
    package let apnsID: String
    package let outcome: Outcome

    package enum Outcome: Sendable {
        case accepted(AcceptedPush)
        case refused(Refusal)
        /// A valid channel request or broadcast.
        case channel(ChannelResult)
        /// A scripted fault replaced the response; the request may have been performed.
        indirect case fault(Fault.Effect, Outcome?)
    }

    /// The push if APNs accepted it, whatever the sender received.
    package var accepted: AcceptedPush? { outcome.accepted }

    /// The broadcast, likewise.
    package var broadcast: AcceptedBroadcast? { outcome.broadcast }
}

extension PushRecord.Outcome {
    fileprivate var accepted: AcceptedPush? {
        switch self {
        case .accepted(let push): push
        case .fault(_, let outcome): outcome?.accepted
        case .refused, .channel: nil
        }
    }

    fileprivate var broadcast: AcceptedBroadcast? {
        switch self {
        case .channel(.published(let broadcast)): broadcast
        case .fault(_, let outcome): outcome?.broadcast
        case .accepted, .refused, .channel: nil
        }
    }

    /// The outcome without its fault. An unsent refusal has no effect.
    var done: PushRecord.Outcome? {
        switch self {
        case .accepted, .channel: self
        case .refused, .fault: nil
        }
    }
}

// MARK: - JSON

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
