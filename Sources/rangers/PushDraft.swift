internal import APNsClient
internal import Foundation
internal import RangersServer

/// The push that the flags of `rangers push` describe.
struct PushDraft {
    private let values: OptionValues
    /// Seconds since 1970.
    private let now: Int64

    /// Apple's sample content.
    private struct ContentState: Encodable {
        let currentHealthLevel: Double
        let eventDescription: String
    }

    private enum Event: String, CaseIterable {
        case update, end
    }

    init(_ values: OptionValues, now: Int64) {
        self.values = values
        self.now = now
    }

    func request() throws(OptionsError) -> PushRequest {
        let number = try values.integer("priority", in: 5...10) ?? 10
        guard let priority = PushRequest.LiveActivityPriority(rawValue: Int(number)) else {
            throw values.invalid("priority", expected: "5 or 10: Live Activities know no other")
        }
        let token = DeviceToken(hex: try values.required("token").lowercased())
        guard token.isWellFormed else {
            throw values.invalid("token", expected: "hex, as the app reports it")
        }
        return .liveActivity(
            try payload(), to: token, bundleID: try values.required("bundle-id"),
            priority: priority, expiration: try date("expiration"))
    }

    // MARK: Payload

    private func payload() throws(OptionsError) -> [UInt8] {
        if let file = values.text("payload") { return try readPayload(file) }
        let payload = try typedPayload()
        do {
            return try payload.encoded()
        } catch {
            throw values.invalid("event", expected: "part of a payload that can be sent: \(error)")
        }
    }

    private func readPayload(_ file: String) throws(OptionsError) -> [UInt8] {
        let names = [
            "health", "description", "stale-date", "dismissal-date", "relevance-score",
            "alert-title", "alert-title-loc-key", "alert-body", "alert-body-loc-key", "sound",
        ]
        if let name = names.first(where: { values.text($0) != nil }) {
            throw values.invalid(name, expected: "left out, as --payload says everything")
        }
        let handle = file == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: file)
        guard let handle, let data = try? handle.readToEnd() else {
            throw values.invalid("payload", expected: "a file that can be read")
        }
        return Array(data)
    }

    private func typedPayload() throws(OptionsError) -> LiveActivityPayload<ContentState> {
        let timestamp = try date("timestamp") ?? now
        switch try values.choice("event", of: Event.self) ?? .update {
        case .update:
            try refuse("dismissal-date", because: "left out: it works with --event end only")
            return .update(
                at: timestamp, state: try state(), alert: try alert(),
                staleDate: try date("stale-date"), relevanceScore: try score())
        case .end:
            try refuse("stale-date", because: "left out with --event end")
            try refuse("relevance-score", because: "left out with --event end")
            let hasState = values.text("health") != nil || values.text("description") != nil
            return .end(
                at: timestamp, finalState: hasState ? try state() : nil, alert: try alert(),
                dismissalDate: try date("dismissal-date"))
        }
    }

    private func state() throws(OptionsError) -> ContentState {
        _ = try values.required("health")
        return ContentState(
            currentHealthLevel: try values.number("health", in: 0...1) ?? 0,
            eventDescription: try values.required("description"))
    }

    private func score() throws(OptionsError) -> Double? {
        try values.number("relevance-score", in: -1e9...1e9)
    }

    private func refuse(_ name: String, because expected: String) throws(OptionsError) {
        guard values.text(name) == nil else { throw values.invalid(name, expected: expected) }
    }

    // MARK: Alert

    private func alert() throws(OptionsError) -> LiveActivityAlert? {
        let title = try text("alert-title")
        let body = try text("alert-body")
        switch (title, body) {
        case (nil, nil):
            try refuse("sound", because: "given together with an alert's title and body")
            return nil
        case (let title?, let body?):
            return LiveActivityAlert(
                title: title, body: body, sound: values.text("sound") ?? "default")
        case (nil, .some):
            throw .missing(
                flag: "--alert-title", variable: "RANGERS_ALERT_TITLE",
                purpose: "a device ignores an alert without a title")
        case (.some, nil):
            throw .missing(
                flag: "--alert-body", variable: "RANGERS_ALERT_BODY", purpose: "an alert has both")
        }
    }

    /// Plain words, or a key with its arguments.
    private func text(_ name: String) throws(OptionsError) -> LiveActivityAlert.Text? {
        let arguments = values.texts("\(name)-loc-arg")
        guard let key = values.text("\(name)-loc-key") else {
            if !arguments.isEmpty {
                throw values.invalid(
                    "\(name)-loc-arg", expected: "given together with --\(name)-loc-key")
            }
            return values.text(name).map { .plain($0) }
        }
        try refuse(name, because: "left out, or else --\(name)-loc-key")
        return .localized(key: key, arguments: arguments)
    }

    // MARK: Dates

    /// Seconds since 1970, as given or from now on.
    private func date(_ name: String) throws(OptionsError) -> Int64? {
        guard let text = values.text(name) else { return nil }
        let isRelative = text.hasPrefix("+")
        // Later than the year 5138 means milliseconds.
        guard let number = try values.integer(name, in: 0...99_999_999_999) else { return nil }
        return isRelative ? now + number : number
    }
}
