/// A phone whose app is not running: the system's handling of a start, before the app learns of it.
///
/// The system silently drops a start for many reasons, and APNs returns 200 all the same. The
/// server must give it none, so each is a violation.
package struct StartableDevice: Sendable {
    /// The phone's name in messages: "Power Panda's phone".
    package let name: String
    /// The version, such as "17.5", which determines the supported keys.
    package let osVersion: String
    /// ActivityKit's id of the started activity.
    package let activity: String
    /// The activity's own token, for its updates.
    package let pushToken: String
    /// When activities were started, in milliseconds since 1970.
    package private(set) var starts: [Int64] = []
    package private(set) var violations: [String] = []

    private let order: Phone.Order

    package init(
        name: String, osVersion: String, activity: String, pushToken: String,
        late order: Phone.Order = .violation
    ) {
        self.name = name
        self.order = order
        self.osVersion = osVersion
        self.activity = activity
        self.pushToken = pushToken
    }

    /// Takes a push to the phone's push-to-start token; returns the started activity, if any.
    package mutating func take(payload: [UInt8], priority: Int, receivedAt: Int64) -> Phone? {
        let push: ReceivedPush
        do {
            push = try ReceivedPush(payload: payload, priority: priority, receivedAt: receivedAt)
        } catch {
            drop("it does not decode with a default JSONDecoder: \(error)")
            return nil
        }
        check(push)
        if let reason = reasonToDrop(push) {
            drop(reason)
            return nil
        }
        starts.append(receivedAt)
        checkNumber(at: receivedAt)
        guard starts.count == 1 else {
            violations.append("a second activity started")
            return nil
        }
        return Phone(name: name, activity: activity, startedBy: push, late: order)
    }

    private mutating func drop(_ reason: String) {
        violations.append("a start was dropped: \(reason)")
    }

    /// Returns why the system starts no activity.
    private func reasonToDrop(_ push: ReceivedPush) -> String? {
        let aps = push.aps
        if aps.event != "start" { return "its event is \(aps.event)" }
        if aps.attributesType != "AdventureAttributes" {
            return "its attributes-type is \(aps.attributesType ?? "missing")"
        }
        if aps.attributes == nil { return "it has no attributes" }
        if aps.state == nil { return "it has no content state" }
        if aps.alert?.title.key.isEmpty != false { return "it has no alert with a title" }
        let asks = [aps.inputPushToken.map { "\($0)" }, aps.inputPushChannel].compactMap(\.self)
        if asks.count > 1 { return "it asks for a token and for a channel" }
        if !asks.isEmpty, !knowsInputKeys { return "iOS \(osVersion) knows no input-push keys" }
        return nil
    }

    /// Whether the system supports the input keys, which came with iOS 18.
    private var knowsInputKeys: Bool {
        (Int(osVersion.prefix { $0 != "." }) ?? 0) >= 18
    }

    /// Reports what the system tolerates and the product does not allow.
    private mutating func check(_ push: ReceivedPush) {
        let aps = push.aps
        if push.priority != 10 { violations.append("a start has priority \(push.priority)") }
        if push.payloadBytes > 4096 {
            violations.append("a start has \(push.payloadBytes) bytes")
        }
        if (aps.staleDate ?? 0) <= aps.timestamp {
            violations.append("a start has no stale date in the future")
        }
        if aps.dismissalDate != nil { violations.append("a start has a dismissal date") }
        if let health = aps.state?.currentHealthLevel, !(0...1).contains(health) {
            violations.append("health is \(health)")
        }
        if knowsInputKeys, aps.inputPushToken == nil {
            violations.append("a start does not ask for a push token")
        }
    }

    /// Checks the number of starts against the guard's limits, implemented a second time.
    private mutating func checkNumber(at now: Int64) {
        let hour: Int64 = 3_600_000
        if starts.count(where: { $0 > now - hour }) > Invariants.startsAnHourMax {
            violations.append("more than \(Invariants.startsAnHourMax) starts came in an hour")
        }
        if starts.count(where: { $0 > now - 24 * hour }) > Invariants.startsADayMax {
            violations.append("more than \(Invariants.startsADayMax) starts came in a day")
        }
    }
}
