internal import JSONWriter

extension LiveActivityPayload {
    /// The JSON body: `{"aps": {…}}`.
    public func encoded(limit: PayloadLimit = .device) throws(PayloadError) -> [UInt8] {
        var aps = ApsWriter()
        try aps.date("timestamp", timestamp)
        switch event {
        case .update(let state, let alert, let freshness):
            aps.json.field("event", "update")
            try aps.content("content-state", state)
            try aps.freshness(freshness.staleDate, freshness.relevanceScore)
            aps.alert(alert)
        case .end(let state, let alert, let dismissalDate):
            aps.json.field("event", "end")
            if let state { try aps.content("content-state", state) }
            try aps.date("dismissal-date", dismissalDate)
            aps.alert(alert)
        case .start(let state, let start):
            aps.json.field("event", "start")
            aps.json.field("attributes-type", start.attributesType)
            try aps.content("attributes", start.attributes)
            try aps.content("content-state", state)
            try aps.freshness(start.freshness.staleDate, start.freshness.relevanceScore)
            aps.alert(start.alert)
            aps.input(start.input)
        }
        let bytes = aps.finish()
        guard bytes.count <= limit.bytes else {
            throw .tooLarge(bytes: bytes.count, limit: limit.bytes)
        }
        return bytes
    }
}

/// Writes the keys of the `aps` dictionary.
private struct ApsWriter {
    var json = JSONWriter(reserving: 352)

    init() {
        json.beginObject()
        json.key("aps")
        json.beginObject()
    }

    mutating func finish() -> [UInt8] {
        json.endObject()
        json.endObject()
        return json.bytes
    }

    mutating func date(_ key: StaticString, _ seconds: Int64?) throws(PayloadError) {
        guard let seconds else { return }
        guard (0..<EpochSeconds.limit).contains(seconds) else {
            throw .badDate(key: "\(key)", value: seconds)
        }
        json.key(key)
        json.value(seconds)
    }

    mutating func freshness(_ staleDate: Int64?, _ score: Double?) throws(PayloadError) {
        try date("stale-date", staleDate)
        guard let score else { return }
        let key: StaticString = "relevance-score"
        guard score.isFinite else { throw .notANumber(key: "\(key)") }
        json.key(key)
        json.value(score)
    }

    mutating func content(
        _ key: StaticString, _ value: some Encodable & Sendable
    ) throws(PayloadError) {
        json.key(key)
        guard let fast = value as? any LiveActivityContent else {
            json.raw(try SlowContent.bytes(of: value, key: key))
            return
        }
        var fields = JSONFields(continuing: &json)
        fast.write(to: &fields)
        try fields.finish(into: &json, key: key)
    }

    mutating func alert(_ alert: LiveActivityAlert?) {
        guard let alert else { return }
        json.object("alert") { json in
            Self.text("title", alert.title, &json)
            Self.text("body", alert.body, &json)
            if let sound = alert.sound { json.field("sound", sound) }
        }
    }

    mutating func input(_ input: LiveActivityInput?) {
        switch input {
        case .token: json.field("input-push-token", 1)
        case .channel(let id): json.field("input-push-channel", id)
        case nil: break
        }
    }

    private static func text(
        _ key: String, _ text: LiveActivityAlert.Text, _ json: inout JSONWriter
    ) {
        switch text {
        case .plain(let words): json.field(key, words)
        case .localized(let name, let arguments):
            json.object(key) { json in
                json.field("loc-key", name)
                json.array("loc-args", arguments) { $0.value($1) }
            }
        }
    }
}
