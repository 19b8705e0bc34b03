internal import JSONReader

// Rules for `aps.event`, the dates, and the keys of the `aps` dictionary.
extension PayloadRule {
    static let events = [
        PayloadRule(
            "event-missing", .dropped,
            "the device does not know what to do; write start, update or end",
            activity: { $0.spot("event", "is missing", when: $0["event"] == nil) }),
        PayloadRule(
            "event-unknown", .dropped,
            "the device knows start, update and end, in lower case; write one of them",
            activity: { aps in
                let isUnknown = aps["event"]?.text != nil && aps.event == nil
                return aps.spot("event", "is not start, update or end", when: isUnknown)
            }),
        PayloadRule(
            "timestamp-missing", .dropped,
            "the device cannot tell what is newest; write the seconds since 1970 at which you send",
            activity: { $0.spot("timestamp", "is missing", when: $0["timestamp"] == nil) }),
    ]

    static let dates = [
        PayloadRule(
            "date-in-milliseconds", .dropped,
            "the device reads seconds: a date beyond the year 5138; divide by 1,000",
            activity: { aps in
                aps.dates { date in
                    guard case .milliseconds(let number) = date else { return nil }
                    return "is \(number.inWords), which is in milliseconds"
                }
            }),
        PayloadRule(
            "date-not-a-number", .dropped,
            "the device reads dates only from numbers; write the seconds since 1970",
            activity: { aps in
                aps.dates { date in
                    guard case .unreadable(let typeName) = date else { return nil }
                    return "is \(typeName)"
                }
            }),
        PayloadRule(
            "date-since-2001", .dropped,
            "the device reads a date long ago; Swift's own dates count from 2001, so add 978307200",
            activity: { aps in
                aps.dates { date in
                    guard case .since2001(let number) = date else { return nil }
                    return "is \(number.inWords), before 2001 in seconds since 1970"
                }
            }),
        PayloadRule(
            "timestamp-ahead", .mistreated,
            "the device ignores every later push whose timestamp is lower; send the time of sending",
            activity: { aps in
                guard let now = aps.context.now.map(Double.init),
                    let timestamp = aps.date(.timestamp).seconds, timestamp > now + aheadSeconds
                else { return [] }
                let ahead = (timestamp - now).inWords
                return [Spot("aps.timestamp", "is \(ahead) s in the future")]
            }),
        PayloadRule(
            "stale-date-in-past", .mistreated,
            "the activity is stale at once; give a date after the time of sending",
            activity: { aps in
                guard let stale = aps.date(.staleDate).seconds, let sent = aps.sentAt else {
                    return []
                }
                return aps.spot(
                    "stale-date", "is \(stale.inWords), \((sent - stale).inWords) s ago",
                    when: stale <= sent && aps.event != .end)
            }),
        PayloadRule(
            "dismissal-without-end", .mistreated,
            "the device reads it only with an end, so the activity stays; send it with event end",
            activity: { aps in
                aps.spot(
                    "dismissal-date", "comes without an end",
                    when: aps["dismissal-date"] != nil && aps.event != nil && aps.event != .end)
            }),
        PayloadRule(
            "dismissal-too-late", .mistreated,
            "the system removes the activity four hours after the end; give an earlier date",
            activity: { aps in
                guard aps.event == .end, let dismissal = aps.date(.dismissalDate).seconds,
                    let end = aps.endedAt
                else { return [] }
                let late = (dismissal - end).inWords
                return aps.spot(
                    "dismissal-date", "is \(late) s after the end",
                    when: dismissal > end + dismissalSeconds)
            }),
        PayloadRule(
            "dismissal-in-past", .mistreated,
            "the activity disappears at once and nobody sees how it ended; give a date after the "
                + "end, or state that it is intended",
            activity: { aps in
                guard aps.event == .end, aps.context.dismissal == .shown,
                    let dismissal = aps.date(.dismissalDate).seconds, let sent = aps.sentAt
                else { return [] }
                let ago = (sent - dismissal).inWords
                return aps.spot("dismissal-date", "was \(ago) s ago", when: dismissal <= sent)
            }),
    ]

    /// The longest time that an activity stays visible after its end.
    private static let dismissalSeconds = 4.0 * 3_600
    /// The tolerance for differences between clocks.
    private static let aheadSeconds = 60.0
}

// MARK: - Keys

extension PayloadRule {
    static let keys = [
        PayloadRule(
            "relevance-not-a-number", .dropped,
            "the device reads a number or drops the push; write one such as 25, 50, 75 or 100",
            activity: { aps in
                guard let score = aps["relevance-score"], score.number == nil else { return [] }
                return aps.spot("relevance-score", "is \(score.typeName)", when: true)
            }),
        PayloadRule(
            "key-of-wrong-type", .dropped,
            "the device cannot decode the push and drops it; write the type that Apple names",
            activity: { aps in
                typedKeys.compactMap { key, expected, fits in
                    guard let value = aps.json.value(at: key), !fits(value) else { return nil }
                    return Spot("aps.\(key)", "is \(value.typeName), not \(expected)")
                }
            }),
        PayloadRule(
            "without-effect-at-end", .notice,
            "an ended activity ignores it; leave it out",
            activity: { aps in
                ["stale-date", "relevance-score"].flatMap { key in
                    aps.spot(
                        key, "comes with the end", when: aps.event == .end && aps[key] != nil)
                }
            }),
        PayloadRule(
            "key-misspelt", .mistreated,
            "the device expects another spelling; write it with hyphens, in lower case",
            activity: { aps in
                aps.fieldNames.compactMap { name in
                    guard !known.contains(name), let right = spellings[plain(name)] else {
                        return nil
                    }
                    return Spot("aps.\(name)", "looks like \(right)")
                }
            }),
        PayloadRule(
            "key-outside-aps", .mistreated,
            "the device looks for it only in the aps dictionary; move it there",
            anywhere: { payload in
                guard payload.context.pushType == .liveactivity, payload.aps != nil else {
                    return []
                }
                let names = payload.json?.fields?.map(\.name) ?? []
                return names.filter(known.contains).map { Spot($0, "is outside aps") }
            }),
        PayloadRule(
            "key-unknown", .notice,
            "APNs and the device ignore it; put the app's own data into the content state",
            activity: { aps in
                aps.fieldNames.filter { name in
                    !known.contains(name) && spellings[plain(name)] == nil && name != "sound"
                }.map { Spot("aps.\($0)", "is not a key of Live Activities") }
            }),
    ]

    /// The valid keys in the `aps` dictionary of a Live Activity.
    private static let known: Set<String> = [
        "timestamp", "event", "content-state", "alert", "stale-date", "relevance-score",
        "dismissal-date", "attributes-type", "attributes", "input-push-token",
        "input-push-channel",
    ]

    /// The known keys by their letters alone, so that `contentState` and `content_state` match one
    /// of them.
    private static let spellings = Dictionary(
        known.map { (plain($0), $0) }, uniquingKeysWith: { first, _ in first })

    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0 != "-" && $0 != "_" }
    }

    /// Dates and the score have their own rules.
    private static let typedKeys:
        [(key: String, expected: String, fits: @Sendable (JSONValue) -> Bool)] = [
            ("event", "text", { $0.text != nil }),
            ("content-state", "an object", { $0.fields != nil }),
            ("attributes-type", "text", { $0.text != nil }),
            ("attributes", "an object", { $0.fields != nil }),
            ("alert", "an object", { $0.fields != nil }),
            ("alert.sound", "text", { $0.text != nil }),
            ("input-push-token", "the number 1", { $0.integer == 1 }),
            ("input-push-channel", "text", { $0.text != nil }),
        ]
}

extension LintedAps {
    fileprivate var fieldNames: [String] { json.fields?.map(\.name) ?? [] }
}

extension JSONValue {
    /// Returns the value at a path of keys separated by full stops.
    fileprivate func value(at path: String) -> JSONValue? {
        path.split(separator: ".").reduce(self) { value, key in value?[String(key)] }
    }
}
