// Rules for `aps.event` and the dates.
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
                return aps.spot("event", "is none of the three events", when: isUnknown)
            }),
        PayloadRule(
            "timestamp-missing", .dropped,
            "the device cannot tell what is newest; write the seconds since 1970 at which you send",
            activity: { $0.spot("timestamp", "is missing", when: $0["timestamp"] == nil) }),
    ]

    static let dates = [
        PayloadRule(
            "date-in-milliseconds", .dropped,
            "the device reads seconds and lands beyond the year 5138; divide by 1,000",
            activity: { aps in
                aps.dates { date in
                    guard case .milliseconds(let number) = date else { return nil }
                    return "is \(number.inWords), which is in milliseconds"
                }
            }),
        PayloadRule(
            "date-not-a-number", .dropped,
            "the device reads a date from a number only; write the seconds since 1970",
            activity: { aps in
                aps.dates { date in
                    guard case .unreadable(let typeName) = date else { return nil }
                    return "is \(typeName)"
                }
            }),
        PayloadRule(
            "date-since-2001", .dropped,
            "the device takes it for long ago; Swift's own dates count from 2001, so add 978307200",
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
                return [Spot("aps.timestamp", "lies \(ahead) s in the future")]
            }),
        PayloadRule(
            "stale-date-in-past", .mistreated,
            "the card counts as old from the first moment; give a date after the sending",
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
            "the device reads it with an end only, so the card stays; send it with event end",
            activity: { aps in
                aps.spot(
                    "dismissal-date", "comes without an end",
                    when: aps["dismissal-date"] != nil && aps.event != nil && aps.event != .end)
            }),
        PayloadRule(
            "dismissal-too-late", .mistreated,
            "the system removes the card four hours after the end; give an earlier date",
            activity: { aps in
                guard aps.event == .end, let dismissal = aps.date(.dismissalDate).seconds,
                    let end = aps.endedAt
                else { return [] }
                let late = (dismissal - end).inWords
                return aps.spot(
                    "dismissal-date", "lies \(late) s after the end",
                    when: dismissal > end + dismissalSeconds)
            }),
        PayloadRule(
            "dismissal-in-past", .mistreated,
            "the card vanishes at once and nobody sees how it ended; give a date after the end, or "
                + "say that it is meant",
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
