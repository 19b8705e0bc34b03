internal import HTTP2
internal import JSONWriter

/// Apple's JSON bodies.
enum APNsResponses {
    static func refused(_ refusal: Refusal, _ headers: [HTTP2Header]) -> HTTP2Response {
        var json = JSONWriter(reserving: 64)
        json.beginObject()
        json.field("reason", refusal.reason.rawValue)
        if let timestamp = refusal.timestamp { json.field("timestamp", timestamp) }
        json.endObject()
        return HTTP2Response(status: refusal.reason.status, headers: headers, body: json.bytes)
    }

    /// Returns the debug data of GOAWAY.
    static func reason(_ reason: String) -> [UInt8] {
        var json = JSONWriter(reserving: 64)
        json.beginObject()
        json.field("reason", reason)
        json.endObject()
        return json.bytes
    }
}
