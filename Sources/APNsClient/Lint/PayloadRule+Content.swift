internal import JSONReader

// Rules for what the app decodes and the person sees: the content state, in a start the attributes,
// and `aps.alert`, whose shape differs from an ordinary notification's.
extension PayloadRule {
    static let content = [
        PayloadRule(
            "content-state-missing", .dropped,
            "the device has nothing to show; write every field of the app's ContentState",
            activity: { aps in
                let isNeeded = aps.event == .start || aps.event == .update
                return aps.spot(
                    "content-state", "is missing", when: isNeeded && aps["content-state"] == nil)
            }),
        PayloadRule(
            "end-without-content-state", .notice,
            "the last state stays on the Lock Screen as it was; send the final one with the end",
            activity: { aps in
                aps.spot(
                    "content-state", "is missing from the end",
                    when: aps.event == .end && aps["content-state"] == nil)
            }),
        PayloadRule(
            "content-too-large", .dropped,
            "ActivityKit takes 4 KB of content, at a start together with the attributes; shorten "
                + "what the activity shows",
            activity: { aps in
                let parts = ["content-state"] + (aps.event == .start ? ["attributes"] : [])
                let bytes = parts.reduce(0) { $0 + (aps[$1]?.byteCount ?? 0) }
                let words = parts.count > 1 ? " with the attributes" : ""
                return aps.spot(
                    "content-state", "has \(bytes) bytes\(words), above \(contentBytesMax)",
                    when: bytes > contentBytesMax)
            }),
        PayloadRule(
            "field-missing", .dropped,
            "the app's decoder throws and the device drops the push; write the field, or make it "
                + "optional in the app",
            activity: { aps in
                aps.mismatches { kind in
                    guard case .missing = kind else { return nil }
                    return "is missing and not optional"
                }
            }),
        PayloadRule(
            "field-of-wrong-type", .dropped,
            "the app's decoder throws and the device drops the push; write the declared type",
            activity: { aps in
                aps.mismatches { kind in
                    guard case .wrongType(let expected, let found) = kind else { return nil }
                    return "is \(found), not \(expected)"
                }
            }),
        PayloadRule(
            "field-out-of-range", .mistreated,
            "the activity shows an invalid value; stay within the range",
            activity: { aps in
                aps.mismatches { kind in
                    guard case .outOfRange(let value, let range) = kind else { return nil }
                    let bounds = "\(range.lowerBound.inWords)…\(range.upperBound.inWords)"
                    return "is \(value.inWords), outside \(bounds)"
                }
            }),
        PayloadRule(
            "field-date-since-1970", .mistreated,
            "a default decoder counts a Date from 2001, so the activity shows one 31 years "
                + "ahead; subtract 978307200, or declare a number",
            activity: { aps in
                aps.mismatches { kind in
                    guard case .dateSince1970(let value) = kind else { return nil }
                    return "is \(value.inWords), which looks like seconds since 1970"
                }
            }),
        PayloadRule(
            "field-unknown", .notice,
            "the app's decoder ignores it; leave it out, or add it to the app and to the schema",
            activity: { aps in
                aps.mismatches { kind in
                    guard case .unknown = kind else { return nil }
                    return "is not a field of the app's type"
                }
            }),
    ]

    static let starts = [
        PayloadRule(
            "start-key-elsewhere", .dropped,
            "it belongs to a start, and elsewhere the device drops the push; leave it out",
            activity: { aps in
                guard let event = aps.event, event != .start else { return [] }
                return startKeys.flatMap {
                    aps.spot($0, "comes with event \(event.rawValue)", when: aps[$0] != nil)
                }
            }),
        PayloadRule(
            "start-without-alert", .dropped,
            "a start must tell the person what begins, or nothing starts; write title and body",
            activity: { $0.missingAtStart("alert") }),
        PayloadRule(
            "start-without-attributes-type", .dropped,
            "the device does not know which activity to start; write the Swift type's name",
            activity: { $0.missingAtStart("attributes-type") }),
        PayloadRule(
            "start-without-attributes", .dropped,
            "the app cannot decode what does not change; write every field of the attributes",
            activity: { $0.missingAtStart("attributes") }),
        PayloadRule(
            "attributes-type-unknown", .dropped,
            "no activity of the app has that type, so nothing starts; write the Swift type's name "
                + "without its module",
            activity: { aps in
                guard aps.event == .start, let name = aps["attributes-type"]?.text,
                    let expected = aps.schema?.attributesType
                else { return [] }
                return aps.spot(
                    "attributes-type", "is not \(expected)", when: name != expected)
            }),
        PayloadRule(
            "both-inputs", .dropped,
            "an activity is updated by a token or by a channel; leave one of them out",
            activity: { aps in
                let hasBoth = inputKeys.allSatisfy { aps[$0] != nil }
                return aps.spot(
                    "input-push-token", "is set together with input-push-channel",
                    when: aps.event == .start && hasBoth)
            }),
    ]

    /// The limit of content state and attributes together (ActivityKit's `attributesTooLarge`),
    /// even where a broadcast has more room.
    private static let contentBytesMax = 4_096
    private static let inputKeys = ["input-push-token", "input-push-channel"]
    private static let startKeys = ["attributes-type", "attributes"] + inputKeys
}

extension LintedAps {
    /// Finds a missing key that every start requires.
    fileprivate func missingAtStart(_ key: String) -> [PayloadRule.Spot] {
        spot(key, "is missing from the start", when: event == .start && self[key] == nil)
    }
}

// MARK: - Alerts

extension PayloadRule {
    static let alerts = [
        PayloadRule(
            "alert-without-title", .mistreated,
            "the device ignores the alert and its sound; write a title that says who must act",
            activity: { $0.missingFromAlert("title", orOrdinary: "title-loc-key") }),
        PayloadRule(
            "alert-without-body", .mistreated,
            "Apple Watch shows an incomplete alert; write a body that says what to do",
            activity: { $0.missingFromAlert("body", orOrdinary: "loc-key") }),
        PayloadRule(
            "alert-text-unreadable", .mistreated,
            "the device ignores the alert; write a text, or {\"loc-key\": …, \"loc-args\": […]} "
                + "with texts",
            activity: { aps in
                ["title", "body"].flatMap { key in
                    let text = aps["alert"]?[key]
                    let isReadable = text.map(\.isAlertText) ?? true
                    return aps.spot("alert.\(key)", "cannot be read", when: !isReadable)
                }
            }),
        PayloadRule(
            "ordinary-localization", .mistreated,
            "the device looks it up only in ordinary notifications; write the key as "
                + "title: {\"loc-key\": …, \"loc-args\": […]}",
            activity: { aps in
                ["title-loc-key", "title-loc-args", "loc-key", "loc-args"].flatMap { key in
                    aps.spot(
                        "alert.\(key)", "belongs to ordinary notifications",
                        when: aps["alert"]?[key] != nil)
                }
            }),
        PayloadRule(
            "alert-at-low-priority", .mistreated,
            "the device may play it much later, together with others; send it with priority 10",
            activity: { aps in
                let priority = aps.context.priority
                return aps.spot(
                    "alert", "is sent with priority \(priority)",
                    when: [1, 5].contains(priority) && aps["alert"] != nil)
            }),
        PayloadRule(
            "sound-outside-alert", .mistreated,
            "a Live Activity plays only the sound inside its alert; move it there",
            activity: { $0.spot("sound", "is outside the alert", when: $0["sound"] != nil) }),
    ]
}

extension LintedAps {
    /// Finds a missing mandatory text. The shape of an ordinary notification has its own rule.
    fileprivate func missingFromAlert(
        _ key: String, orOrdinary ordinary: String
    ) -> [PayloadRule.Spot] {
        guard let alert = self["alert"], alert.fields != nil, alert[ordinary] == nil else {
            return []
        }
        let text = alert[key]
        return spot("alert.\(key)", "is missing or empty", when: text == nil || text?.text == "")
    }
}

extension JSONValue {
    /// Whether this is plain text, or a key of the app's String Catalog with text arguments.
    fileprivate var isAlertText: Bool {
        if text != nil { return true }
        guard self["loc-key"]?.text != nil else { return false }
        guard let arguments = self["loc-args"] else { return true }
        return arguments.elements?.allSatisfy { $0.text != nil } ?? false
    }
}
