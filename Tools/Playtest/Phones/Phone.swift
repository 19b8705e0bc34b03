internal import Foundation

/// A player's phone with one Live Activity: its content, and the violations found.
///
/// A value that takes pushes and reports, and checks them against the product's invariants.
package struct Phone: Sendable {
    /// The phone's name in messages: "Power Panda's phone".
    package let name: String
    package let activity: String
    /// When the activity started, in milliseconds since 1970.
    package let startedAt: Int64
    package private(set) var content: CardState?
    /// The button on the card; `nil`: there is none.
    private(set) var button: CardButton?
    package private(set) var received: [ReceivedPush] = []
    package private(set) var alerts = 0
    package private(set) var hasEnded = false
    /// Repeated ends with the same content: a server that dies before it has recorded Apple's
    /// response must send again (PR4).
    package var repeatedEnds: Int { max(0, endedAt.count - 1) }
    /// When ends arrived, in milliseconds since 1970, as in the server's log.
    private var endedAt: [Int64] = []
    /// "2 times, at 1700000000000, 1700000000300"
    package var ends: String {
        "\(endedAt.count) times, at " + endedAt.map(String.init).joined(separator: ", ")
    }
    package private(set) var violations: [String] = []
    /// The number of token changes: an end may go to the old token and to the new one.
    package var rotations: Int { oldTokens.count }
    private let order: Order
    /// Pushes that came late, and were ignored.
    package private(set) var latePushes = 0
    private var dismissal: Retirement?
    private var oldTokens: [String: Retirement] = [:]

    /// What may still arrive after the server has acknowledged the last push: each activity has one
    /// push in flight, which cannot be recalled.
    private enum Retirement {
        case onePushMayBeInFlight
        case settled
    }

    /// What a push that is not newer than the last one means. The system ignores it.
    package enum Order: Hashable, Sendable {
        /// One server sends no such push.
        case violation
        /// A server that was paused may send what others have sent meanwhile.
        case ignored
    }

    package init(name: String, activity: String, startedAt: Int64, late order: Order = .violation) {
        self.name = name
        self.activity = activity
        self.startedAt = startedAt
        self.order = order
    }

    /// Creates a phone whose activity a push has started, just when the app learns of it.
    package init(
        name: String, activity: String, startedBy start: ReceivedPush,
        late order: Order = .violation
    ) {
        self.init(name: name, activity: activity, startedAt: start.receivedAt, late: order)
        received = [start]
        show(start)
    }

    /// Whether a push started the activity.
    package var wasStartedByPush: Bool { received.first?.aps.event == "start" }

    /// Records that the user dismissed the activity, and that the server has just acknowledged the
    /// report (L11).
    package mutating func dismiss() { dismissal = .onePushMayBeInFlight }

    /// Records that pushes in flight at the dismissal have had time to arrive: nothing may follow.
    package mutating func close() { dismissal = .settled }

    /// Records that the server has just acknowledged another token instead of this one (T5).
    package mutating func replace(token: String) { oldTokens[token] = .onePushMayBeInFlight }

    /// Records that pushes in flight at the change have had time to arrive: this token must not be
    /// used any more.
    package mutating func retire(token: String) { oldTokens[token] = .settled }

    /// Takes a push that APNs accepted for one of this phone's tokens.
    package mutating func take(
        payload: [UInt8], priority: Int, token: String, receivedAt: Int64
    ) {
        let push: ReceivedPush
        do {
            push = try ReceivedPush(
                payload: payload, priority: priority, receivedAt: receivedAt)
        } catch {
            violations.append("a push does not decode with a default JSONDecoder: \(error)")
            return
        }
        let newest = received.last?.aps.timestamp ?? 0
        if order == .ignored, push.aps.timestamp <= newest {
            latePushes += 1
            return
        }
        check(push, token: token)
        received.append(push)
        if push.aps.alert != nil { alerts += 1 }
        show(push)
        guard push.aps.event == "end", !hasEnded else { return }
        hasEnded = true
        endedAt.append(push.receivedAt)
    }

    private mutating func show(_ push: ReceivedPush) {
        guard let shown = push.aps.content else { return }
        content = push.aps.state
        button = push.aps.event == "end" ? nil : CardButton(on: shown)
    }

    private mutating func check(_ push: ReceivedPush, token: String) {
        let aps = push.aps
        if let last = received.last?.aps.timestamp, aps.timestamp <= last {
            violations.append("timestamp \(aps.timestamp) came after \(last)")
        }
        if aps.timestamp - push.receivedAt / 1000 > 6 {
            violations.append("timestamp \(aps.timestamp) is more than 5 s ahead of the clock")
        }
        if hasEnded, aps.event == "end", aps.state == content {
            endedAt.append(push.receivedAt)
        } else if hasEnded {
            violations.append("a push came after the end")
        }
        checkLastPush(token: token)
        if push.payloadBytes > 4096 {
            violations.append("a payload has \(push.payloadBytes) bytes")
        }
        if let health = aps.state?.currentHealthLevel, !(0...1).contains(health) {
            violations.append("health is \(health)")
        }
        if aps.state == nil { violations.append("a push has no content state") }
        checkStartKeys(aps)
        checkDates(push)
        checkQuestion(aps)
        checkAlert(push)
    }

    /// Checks for start keys. A start goes to another token, and its keys make the phone drop any
    /// other push.
    private mutating func checkStartKeys(_ aps: ReceivedPush.Aps) {
        if aps.event == "start" { violations.append("a start was sent to an activity's token") }
        let hasStartKeys =
            aps.attributes != nil || aps.attributesType != nil || aps.inputPushToken != nil
            || aps.inputPushChannel != nil
        if hasStartKeys, aps.event != "start" { violations.append("\(aps.event) has start's keys") }
    }

    private mutating func checkLastPush(token: String) {
        switch dismissal {
        case nil: break
        case .onePushMayBeInFlight: dismissal = .settled
        case .settled: violations.append("a push came after the dismissal")
        }
        switch oldTokens[token] {
        case nil: break
        case .onePushMayBeInFlight: oldTokens[token] = .settled
        case .settled: violations.append("a retired token was used")
        }
    }

    private mutating func checkDates(_ push: ReceivedPush) {
        let aps = push.aps
        if let dismissal = aps.dismissalDate {
            if aps.event != "end" { violations.append("an update has a dismissal date") }
            if dismissal - aps.timestamp > 4 * 3600 {
                violations.append("the dismissal is more than 4 hours after the end")
            }
        }
        if let stale = aps.staleDate, stale <= aps.timestamp {
            violations.append("the stale date \(stale) is past at \(aps.timestamp)")
        }
        if aps.timestamp - startedAt / 1000 > 8 * 3600 + 60 {
            violations.append("a push came to an activity older than 8 hours")
        }
    }

    /// Checks that a button stands beside a sentence that asks, and that the card is stale when the
    /// question ends: no phone hides the button by itself.
    private mutating func checkQuestion(_ aps: ReceivedPush.Aps) {
        guard let ask = aps.content?.ask else { return }
        if ask.text.isEmpty { violations.append("a button stands beside no question") }
        if aps.event == "end" { violations.append("an end asks something") }
        guard let end = ask.endsAt.map({ Int64($0.timeIntervalSince1970) }), end > aps.timestamp
        else { return }
        if aps.staleDate.map({ $0 > end }) ?? true {
            violations.append("the button of a question that ends at \(end) stays after it")
        }
    }

    private mutating func checkAlert(_ push: ReceivedPush) {
        guard let alert = push.aps.alert else { return }
        if alert.title.key.isEmpty { violations.append("an alert has no title") }
        if push.priority != 10 { violations.append("an alert has priority \(push.priority)") }
        if push.aps.event == "end" { violations.append("an alert came with an end") }
        guard let health = push.aps.state?.currentHealthLevel else { return }
        let isCalled =
            switch alert.body.key {
            case "Open the app and use a potion to heal %@": (0.001...0.5).contains(health)
            case "Give %@ a potion!": health > 0
            default: health == 0
            }
        if !isCalled {
            violations.append("“\(alert.body.key)” came to a hero with health \(health)")
        }
    }

    package mutating func note(violation: String) { violations.append(violation) }
}
