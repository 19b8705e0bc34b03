internal import APNsClient

/// What APNs accepts and a device then ignores or mistreats, said in sentences.
struct DeviceWarnings: Sendable {
    /// The app's `ContentState`, as far as a decoder would insist on it.
    let schema: ContentSchema

    private enum Limit {
        /// The year 5138: later dates were written in milliseconds.
        static let seconds: Int64 = 100_000_000_000
        static let dismissalSeconds: Int64 = 4 * 3_600
        static let aheadSeconds: Int64 = 60
    }

    /// Sentences about a Live Activity's push. `now` is in milliseconds since 1970.
    func about(
        _ aps: JSONValue, priority: Int, activity: inout ActivityMemory, now: Int64
    ) -> [String] {
        let event = aps["event"]?.text
        var found: [String] = []
        checkEvent(event, &found)
        checkTimestamp(aps, &activity, now / 1_000, &found)
        checkContent(aps["content-state"], event, &found)
        checkAlert(aps["alert"], event, priority, &found)
        checkDates(aps, event, now / 1_000, &found)
        checkStartKeys(aps, event, &found)
        if activity.hasEnded, event != "start" {
            found.append("The activity of this token has ended: the device ignores the push.")
        }
        if event == "end" { activity.hasEnded = true }
        return found
    }

    private func checkEvent(_ event: String?, _ found: inout [String]) {
        switch event {
        case "start", "update", "end": break
        case nil: found.append("aps.event is missing: it must be start, update or end.")
        case let other?:
            found.append("aps.event is '\(other)', but must be start, update or end.")
        }
    }

    private func checkTimestamp(
        _ aps: JSONValue, _ activity: inout ActivityMemory, _ now: Int64, _ found: inout [String]
    ) {
        guard let timestamp = aps["timestamp"]?.number.map({ Int64(clamping: $0) }) else {
            found.append("aps.timestamp is missing or no number: the device ignores the push.")
            return
        }
        guard timestamp < Limit.seconds else {
            found.append("aps.timestamp \(timestamp) is in milliseconds; it must be in seconds.")
            return
        }
        if timestamp > now + Limit.aheadSeconds {
            found.append("aps.timestamp \(timestamp) lies \(timestamp - now) s in the future.")
        }
        if let last = activity.timestamp, timestamp <= last {
            found.append(
                "aps.timestamp \(timestamp) is not above \(last), the last one for this token: "
                    + "the device may keep the older content.")
        }
        activity.timestamp = max(activity.timestamp ?? timestamp, timestamp)
    }

    private func checkContent(_ state: JSONValue?, _ event: String?, _ found: inout [String]) {
        guard let state else {
            if event != "end" { found.append("aps.content-state is missing.") }
            return
        }
        guard state.fields != nil else {
            found.append("aps.content-state is no object: the device drops the push.")
            return
        }
        found += schema.mismatches(in: state)
    }

    private func checkAlert(
        _ alert: JSONValue?, _ event: String?, _ priority: Int, _ found: inout [String]
    ) {
        guard let alert else {
            if event == "start" { found.append("A start needs an alert.") }
            return
        }
        let parsed = PushedAps.Alert(alert)
        if parsed.title == nil {
            found.append("aps.alert has no title that can be read: the device ignores the alert.")
        }
        if parsed.body == nil { found.append("aps.alert has no body that can be read.") }
        let foreign = ["title-loc-key", "title-loc-args", "loc-key", "loc-args"]
            .filter { alert[$0] != nil }
        if !foreign.isEmpty {
            found.append(
                "aps.alert has \(foreign.joined(separator: ", ")) of ordinary notifications; "
                    + "Live Activities want title: {loc-key, loc-args}.")
        }
        if priority != 10 {
            found.append("An alert at priority \(priority) may come late: use 10.")
        }
    }

    private func checkDates(
        _ aps: JSONValue, _ event: String?, _ now: Int64, _ found: inout [String]
    ) {
        for name in ["stale-date", "dismissal-date"] {
            guard let value = aps[name] else { continue }
            guard let date = value.number else {
                found.append("aps.\(name) is no number.")
                continue
            }
            if date >= Double(Limit.seconds) {
                found.append("aps.\(name) is in milliseconds; it must be in seconds.")
            }
        }
        if let stale = aps["stale-date"]?.number, stale <= Double(now) {
            found.append("aps.stale-date lies in the past: the card is stale at once.")
        }
        guard let dismissal = aps["dismissal-date"]?.number else { return }
        if event != "end" { found.append("aps.dismissal-date works on end only.") }
        let latest = Double(now + Limit.dismissalSeconds)
        if dismissal > latest, dismissal < Double(Limit.seconds) {
            found.append(
                "aps.dismissal-date is more than four hours away: the card goes after four hours.")
        }
    }

    private func checkStartKeys(_ aps: JSONValue, _ event: String?, _ found: inout [String]) {
        let keys = ["attributes-type", "attributes", "input-push-token", "input-push-channel"]
            .filter { aps[$0] != nil }
        if keys.contains("input-push-token"), keys.contains("input-push-channel") {
            found.append("input-push-token and input-push-channel exclude each other.")
        }
        guard event == "start" else {
            if !keys.isEmpty {
                found.append(
                    "\(keys.joined(separator: ", ")) on \(event ?? "no event"): only a start may "
                        + "have that, the device drops the push.")
            }
            return
        }
        for key in ["attributes-type", "attributes"] where !keys.contains(key) {
            found.append("A start needs aps.\(key).")
        }
    }
}

/// What a device remembers of the activity behind a token.
struct ActivityMemory: Sendable {
    /// The newest `timestamp` so far.
    var timestamp: Int64?
    var hasEnded = false
}

extension Int64 {
    /// The nearest whole number, whatever the size.
    fileprivate init(clamping number: Double) {
        self = Int64(exactly: number.rounded(.down)) ?? (number > 0 ? .max : .min)
    }
}
