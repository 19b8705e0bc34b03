// Rules for `aps.alert`, whose shape differs from an ordinary notification's.
extension PayloadRule {
    static let alerts = [
        PayloadRule(
            "alert-without-title", .mistreated,
            "the device ignores the alert with its sound; write a title that says who must act",
            activity: { $0.missingFromAlert("title", orOrdinary: "title-loc-key") }),
        PayloadRule(
            "alert-without-body", .mistreated,
            "the Apple Watch shows half an alert; write a body that says what to do",
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
            "the device looks it up in ordinary notifications only; write the key as "
                + "title: {\"loc-key\": …, \"loc-args\": […]}",
            activity: { aps in
                ["title-loc-key", "title-loc-args", "loc-key", "loc-args"].flatMap { key in
                    aps.spot(
                        "alert.\(key)", "is of ordinary notifications",
                        when: aps["alert"]?[key] != nil)
                }
            }),
        PayloadRule(
            "alert-at-low-priority", .mistreated,
            "the device may sound it much later, in a bundle with others; send it with priority 10",
            activity: { aps in
                let priority = aps.context.priority
                return aps.spot(
                    "alert", "goes with priority \(priority)",
                    when: [1, 5].contains(priority) && aps["alert"] != nil)
            }),
        PayloadRule(
            "sound-outside-alert", .mistreated,
            "a Live Activity's sound stands inside its alert, so nobody hears this; move it there",
            activity: { $0.spot("sound", "stands beside the alert", when: $0["sound"] != nil) }),
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
