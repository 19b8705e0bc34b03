internal import JSONWriter

extension LiveActivityPayload {
    /// Returns the JSON body: `{"aps": {…}}`.
    public func encoded(limit: PayloadLimit = .device) throws(PayloadError) -> [UInt8] {
        var aps = ApsWriter()
        try aps.date("timestamp", timestamp)
        switch event {
        case .update(let state, let alert, let freshness):
            aps.event("update")
            try aps.content("content-state", state)
            try aps.freshness(freshness.staleDate, freshness.relevanceScore)
            aps.alert(alert)
        case .end(let state, let alert, let dismissalDate):
            aps.event("end")
            if let state { try aps.content("content-state", state) }
            try aps.date("dismissal-date", dismissalDate)
            aps.alert(alert)
        case .start(let state, let start):
            aps.event("start")
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
        json.key(Key.aps)
        json.beginObject()
    }

    mutating func event(_ name: String) {
        json.key(Key.event)
        json.value(name)
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
        guard score.isFinite else { throw .notANumber(key: "\(Key.relevanceScore)") }
        json.key(Key.relevanceScore)
        // Writes 100, as in Apple's samples, instead of 100.0.
        if let whole = Int64(exactly: score) { json.value(whole) } else { json.value(score) }
    }

    mutating func content(
        _ key: StaticString, _ value: some Encodable & Sendable
    ) throws(PayloadError) {
        json.key(key)
        guard let fast = value as? any LiveActivityContent else {
            json.raw(Array(try SlowContent.bytes(of: value, key: key)))
            return
        }
        var fields = JSONFields(continuing: &json)
        fast.write(to: &fields)
        try fields.finish(into: &json, key: key)
    }

    mutating func alert(_ alert: LiveActivityAlert?) {
        guard let alert else { return }
        json.key(Key.alert)
        json.beginObject()
        text(Key.title, alert.title)
        text(Key.body, alert.body)
        if let sound = alert.sound {
            json.key(Key.sound)
            json.value(sound)
        }
        json.endObject()
    }

    mutating func input(_ input: LiveActivityInput?) {
        switch input {
        case .token: json.field("input-push-token", 1)
        case .channel(let id): json.field("input-push-channel", id)
        case nil: break
        }
    }

    private mutating func text(_ key: StaticString, _ text: LiveActivityAlert.Text) {
        json.key(key)
        switch text {
        case .plain(let words): json.value(words)
        case .localized(let name, let arguments):
            json.beginObject()
            json.key(Key.name)
            json.value(name)
            json.key(Key.arguments)
            json.beginArray()
            for argument in arguments { json.value(argument) }
            json.endArray()
            json.endObject()
        }
    }
}

/// Names of most pushes, written without a check for escapes.
private enum Key {
    static let aps: StaticString = "aps"
    static let event: StaticString = "event"
    static let relevanceScore: StaticString = "relevance-score"
    static let alert: StaticString = "alert"
    static let title: StaticString = "title"
    static let body: StaticString = "body"
    static let name: StaticString = "loc-key"
    static let arguments: StaticString = "loc-args"
    static let sound: StaticString = "sound"
}
