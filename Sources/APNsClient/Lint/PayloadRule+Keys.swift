// Rules for keys: the types of their values, and unknown keys.
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
            "an ended card neither grows old nor competes with others; leave it out",
            activity: { aps in
                ["stale-date", "relevance-score"].flatMap { key in
                    aps.spot(
                        key, "comes with the end", when: aps.event == .end && aps[key] != nil)
                }
            }),
        PayloadRule(
            "key-misspelt", .mistreated,
            "the device knows it in another spelling only; write it with hyphens, in lower case",
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
            "the device looks for it in the aps dictionary only; move it there",
            anywhere: { payload in
                guard payload.context.pushType == .liveactivity, payload.aps != nil else {
                    return []
                }
                let names = payload.json?.fields?.map(\.name) ?? []
                return names.filter(known.contains).map { Spot($0, "stands beside aps") }
            }),
        PayloadRule(
            "key-unknown", .notice,
            "APNs and the device ignore it; put the app's own data into the content state",
            activity: { aps in
                aps.fieldNames.filter { name in
                    !known.contains(name) && spellings[plain(name)] == nil && name != "sound"
                }.map { Spot("aps.\($0)", "is no key of Live Activities") }
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
