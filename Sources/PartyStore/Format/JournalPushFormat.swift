internal import ByteCoding
internal import PushPolicy

/// The pushes and responses of one change, in a few bytes each: they share the list of activities
/// with the change's decisions.
enum JournalPushFormat {
    /// More than a change can have.
    private static let recordsMax = 1 << 20
    private static let statuses = 0...999

    /// Appends them, after the activities that the decisions do not have.
    static func append(
        _ pushes: [JournalPush], _ responses: [JournalResponse], after known: ActivityPlaces,
        to bytes: inout ByteWriter
    ) {
        var places = known
        for push in pushes { places.add(push.activity) }
        for record in responses { places.add(record.activity) }
        let added = places.activities[known.activities.count...]
        bytes.append(count: added.count)
        for activity in added { bytes.append(activity) }
        var last: Int64 = 0
        bytes.append(count: pushes.count)
        for push in pushes {
            bytes.append(count: places.place(of: push.activity) ?? 0)
            bytes.append(zigzag: push.timestamp &- last)
            last = push.timestamp
            append(push, to: &bytes)
        }
        bytes.append(count: responses.count)
        for record in responses {
            bytes.append(count: places.place(of: record.activity) ?? 0)
            bytes.append(zigzag: record.timestamp &- last)
            last = record.timestamp
            append(record.response, since: last, to: &bytes)
        }
    }

    private static func append(_ push: JournalPush, to bytes: inout ByteWriter) {
        var flags = Flags()
        flags.append(push.priority == .high)
        flags.append(push.carriesAlert)
        flags.append(push.form == .end)
        flags.append(push.form == .start)
        flags.append(push.payment != nil)
        bytes.append(flags)
        bytes.append(push.readyAt, since: WallTime(milliseconds: push.timestamp &* 1000))
        bytes.append(count: push.tells)
        if let payment = push.payment {
            bytes.append(count: payment.before)
            bytes.append(count: payment.after)
        }
    }

    static func next(
        _ bytes: inout ByteReader, after known: [ActivityID]
    ) throws(FormatError) -> ([JournalPush], [JournalResponse]) {
        var activities = known
        for _ in 0..<(try bytes.count(max: recordsMax)) {
            activities.append(try bytes.identifier())
        }
        func activity(_ bytes: inout ByteReader) throws(FormatError) -> ActivityID {
            let index = try bytes.number("activity's place")
            guard activities.indices.contains(index) else {
                throw .invalid("a push names an activity that does not exist")
            }
            return activities[index]
        }
        var last: Int64 = 0
        var pushes: [JournalPush] = []
        for _ in 0..<(try bytes.count(max: recordsMax)) {
            let activity = try activity(&bytes)
            last = try bytes.zigzag(in: Bounds.seconds, since: last, "timestamp")
            pushes.append(try push(&bytes, to: activity, timestamp: last))
        }
        var responses: [JournalResponse] = []
        for _ in 0..<(try bytes.count(max: recordsMax)) {
            let activity = try activity(&bytes)
            last = try bytes.zigzag(in: Bounds.seconds, since: last, "timestamp")
            responses.append(
                JournalResponse(
                    activity: activity, timestamp: last,
                    response: try response(&bytes, since: last)))
        }
        return (pushes, responses)
    }

    private static func push(
        _ bytes: inout ByteReader, to activity: ActivityID, timestamp: Int64
    ) throws(FormatError) -> JournalPush {
        var flags = try bytes.flags(5)
        let priority: PushPriority = flags.next() ? .high : .low
        let (carriesAlert, ends, starts) = (flags.next(), flags.next(), flags.next())
        guard !(ends && starts) else { throw .invalid("a push both starts and ends") }
        let readyAt = try bytes.wallTime(since: WallTime(milliseconds: timestamp &* 1000))
        let tells = try bytes.number("told event")
        let payment =
            flags.next()
            ? PushBudget.Payment(
                before: try bytes.number("budget"), after: try bytes.number("budget")) : nil
        return JournalPush(
            activity: activity, timestamp: timestamp, readyAt: readyAt,
            form: starts ? .start : ends ? .end : .update, tells: tells, priority: priority,
            carriesAlert: carriesAlert, payment: payment)
    }

    // MARK: Responses

    static func append(
        _ response: PushResponse, since timestamp: Int64, to bytes: inout ByteWriter
    ) {
        bytes.append(response.at, since: WallTime(milliseconds: timestamp &* 1000))
        bytes.append(count: response.status)
        if let number = reasons.firstIndex(of: response.reason) {
            bytes.append(byte: UInt8(number + 1))
        } else {
            bytes.append(byte: 0)
            bytes.append(text: response.reason)
        }
    }

    static func response(
        _ bytes: inout ByteReader, since timestamp: Int64
    ) throws(FormatError) -> PushResponse {
        let at = try bytes.wallTime(since: WallTime(milliseconds: timestamp &* 1000))
        let status = try bytes.number(in: statuses, "status")
        let number = Int(try bytes.byte())
        guard number <= reasons.count else {
            throw .unknownNumber(UInt64(number), of: "reason of a response")
        }
        let reason = number == 0 ? try bytes.text() : reasons[number - 1]
        return PushResponse(status: status, reason: reason, at: at)
    }

    /// The known reasons; each one's place is its stored number, so append new ones. Any other is
    /// stored as text.
    static let reasons = [
        "", "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority",
        "BadTopic", "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout",
        "InvalidPushType", "MissingDeviceToken", "MissingTopic", "PayloadEmpty",
        "TopicDisallowed", "BadCertificate", "BadCertificateEnvironment",
        "BadEnvironmentKeyInToken", "ExpiredProviderToken", "Forbidden",
        "InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken", "BadPath",
        "MethodNotAllowed", "ExpiredToken", "Unregistered", "PayloadTooLarge",
        "TooManyProviderTokenUpdates", "TooManyRequests", "InternalServerError",
        "ServiceUnavailable", "Shutdown", "BadChannelId", "ChannelNotRegistered",
        "not sent", "held back", "outcome unknown", "cannot be written", "channels are off",
        "pushes are paused", "a device would not understand it",
    ]
}
