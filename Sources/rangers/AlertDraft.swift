internal import APNsClient
internal import OptionParsing

/// The alert that the options describe, in the form of a Live Activity or of a notification.
struct AlertDraft {
    /// Plain words, or a key with its arguments.
    fileprivate enum Words {
        case plain(String)
        case localized(key: String, arguments: [String])
    }

    private let values: OptionValues

    init(_ values: OptionValues) { self.values = values }

    /// Returns the alert of a Live Activity's push; `nil`: none is requested.
    func alert() throws(OptionsError) -> LiveActivityAlert? {
        guard let words = try words() else { return nil }
        return LiveActivityAlert(
            title: LiveActivityAlert.Text(words.title), body: LiveActivityAlert.Text(words.body),
            sound: values.text("sound") ?? "default")
    }

    /// Returns the payload of an ordinary notification.
    func notification() throws(OptionsError) -> [UInt8] {
        let others = Set(PushOptions.ofPayload).subtracting(PushOptions.alert.map(\.name))
        for name in others.sorted() {
            try values.refuse(name, because: "omitted: a notification has no content state")
        }
        guard let words = try words() else {
            throw .missing(
                flag: "--alert-title", variable: "RANGERS_ALERT_TITLE",
                purpose: "a notification needs an alert")
        }
        do {
            return try NotificationPayload(
                title: NotificationPayload.Text(words.title),
                body: NotificationPayload.Text(words.body), sound: values.text("sound") ?? "default"
            ).encoded()
        } catch {
            throw values.invalid(
                "alert-title",
                expected: "given with options that make a valid payload: \(error)")
        }
    }

    private func words() throws(OptionsError) -> (title: Words, body: Words)? {
        switch (try text("alert-title"), try text("alert-body")) {
        case (nil, nil):
            try values.refuse(
                "sound", because: "given together with an alert's title and body")
            return nil
        case (let title?, let body?): return (title, body)
        case (nil, .some):
            throw .missing(
                flag: "--alert-title", variable: "RANGERS_ALERT_TITLE",
                purpose: "a device ignores an alert without a title")
        case (.some, nil):
            throw .missing(
                flag: "--alert-body", variable: "RANGERS_ALERT_BODY",
                purpose: "an alert needs a title and a body")
        }
    }

    private func text(_ name: String) throws(OptionsError) -> Words? {
        let arguments = values.texts("\(name)-loc-arg")
        guard let key = values.text("\(name)-loc-key") else {
            if !arguments.isEmpty {
                throw values.invalid(
                    "\(name)-loc-arg", expected: "given together with --\(name)-loc-key")
            }
            return values.text(name).map { .plain($0) }
        }
        try values.refuse(name, because: "omitted with --\(name)-loc-key")
        return .localized(key: key, arguments: arguments)
    }
}

extension LiveActivityAlert.Text {
    fileprivate init(_ words: AlertDraft.Words) {
        switch words {
        case .plain(let text): self = .plain(text)
        case .localized(let key, let arguments): self = .localized(key: key, arguments: arguments)
        }
    }
}

extension NotificationPayload.Text {
    fileprivate init(_ words: AlertDraft.Words) {
        switch words {
        case .plain(let text): self = .plain(text)
        case .localized(let key, let arguments): self = .localized(key: key, arguments: arguments)
        }
    }
}
