internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// What one activity is owed: its snapshot, without the activity's id.
enum OutboxFormat {
    /// The base of relative times and versions, so that they take few bytes.
    struct Base {
        let time: WallTime
        let version: Int64
        /// Whether each content has a fingerprint of its details.
        var hasDetails = false

        init(time: WallTime, version: Int64) {
            self.time = time
            self.version = version
        }
    }

    private static let versions: ClosedRange<Int64> = 0...Int64(Party.numberMax)
    private static let relevances = 0...1000
    /// Some 68 years, longer than any push is useful.
    private static let seconds = 0...Int(Int32.max)

    static func append(
        _ outbox: OutboxSnapshot, since base: Base, _ roster: Roster,
        to bytes: inout ByteWriter
    ) {
        var base = base
        base.hasDetails = outbox.hasDetails
        bytes.append(flags(of: outbox))
        bytes.append(outbox.hero, roster)
        bytes.append(outbox.startedAt, since: base.time)
        bytes.append(zigzag: outbox.lastTimestamp &- base.time.seconds)
        bytes.append(zigzag: outbox.budget.spent)
        bytes.append(outbox.budget.asOf, since: base.time)
        if let rollOver = outbox.rollOver { bytes.append(rollOver) }
        if let time = outbox.pausedUntil { bytes.append(time, since: base.time) }
        if let time = outbox.deadTokenAt { bytes.append(time, since: base.time) }
        if let addressee = outbox.addressee {
            bytes.append(addressee.tokenRegisteredAt, since: base.time)
            bytes.append(addressee.language)
        }
        if let due = outbox.due { append(due, since: base, roster, to: &bytes) }
        if let alert = outbox.alert { append(alert, since: base, roster, to: &bytes) }
        if let push = outbox.inFlight { append(push, since: base, roster, to: &bytes) }
        if let shown = outbox.accepted {
            append(shown.content, since: base, roster, to: &bytes)
            bytes.append(shown.news)
            bytes.append(zigzag: shown.version &- base.version)
        }
        if let refusal = outbox.refused { append(refusal, since: base, roster, to: &bytes) }
        if let ending = outbox.ending { append(ending, since: base, roster, to: &bytes) }
        if !outbox.refusals.isEmpty {
            bytes.append(count: outbox.refusals.marks.count)
            for mark in outbox.refusals.marks { bytes.append(varint: UInt64(mark)) }
        }
        if outbox.restraint != .usual {
            RestraintFormat.append(outbox.restraint, since: base.time, to: &bytes)
        }
        if !outbox.untold.isEmpty { append(outbox.untold, roster, to: &bytes) }
    }

    /// Compares a number of each part with `nil`: to compare the part would copy its texts.
    private static func flags(of outbox: OutboxSnapshot) -> Flags {
        var flags = Flags()
        flags.append(outbox.accepted?.version != nil)
        flags.append(outbox.inFlight?.timestamp != nil)
        flags.append(outbox.addressee != nil)
        flags.append(outbox.due?.version != nil)
        flags.append(outbox.alert?.sequence != nil)
        flags.append(outbox.ending?.version != nil)
        flags.append(outbox.isEnded)
        flags.append(outbox.refused?.form != nil)
        flags.append(outbox.pausedUntil != nil)
        flags.append(outbox.deadTokenAt != nil)
        flags.append(outbox.rollOver != nil)
        flags.append(outbox.hasDetails)
        flags.append(outbox.restraint != .usual)
        flags.append(!outbox.refusals.isEmpty)
        flags.append(!outbox.untold.isEmpty)
        return flags
    }

    static func next(
        _ bytes: inout ByteReader, since base: Base, _ roster: Roster
    ) throws(FormatError) -> OutboxSnapshot {
        var base = base
        var flags = try bytes.flags(15)
        let (hasAccepted, hasInFlight, hasAddressee) = (flags.next(), flags.next(), flags.next())
        let (hasDue, hasAlert, hasEnding) = (flags.next(), flags.next(), flags.next())
        let (isEnded, hasRefused) = (flags.next(), flags.next())
        let (hasPause, hasDeadToken, hasRollOver) = (flags.next(), flags.next(), flags.next())
        base.hasDetails = flags.next()
        let (hasRestraint, hasRefusals) = (flags.next(), flags.next())
        let hasUntold = flags.next()
        let hero = try bytes.hero(roster)
        let startedAt = try bytes.wallTime(since: base.time)
        let timestamp = try bytes.zigzag(
            in: Bounds.seconds, since: base.time.seconds, "timestamp")
        let budget = PushBudget.Snapshot(
            spent: try bytes.zigzag(in: versions, "budget"),
            asOf: try bytes.wallTime(since: base.time))
        let rollOver = hasRollOver ? try bytes.numbered(ActivityOutbox.RollOver.self) : nil
        let pausedUntil = hasPause ? try bytes.wallTime(since: base.time) : nil
        let deadTokenAt = hasDeadToken ? try bytes.wallTime(since: base.time) : nil
        let addressee = hasAddressee ? try addressee(&bytes, since: base) : nil
        let due = hasDue ? try due(&bytes, since: base, roster) : nil
        let alert = hasAlert ? try alert(&bytes, since: base, roster) : nil
        let inFlight = hasInFlight ? try inFlight(&bytes, since: base, roster) : nil
        let accepted = hasAccepted ? try shown(&bytes, since: base, roster) : nil
        let refused = hasRefused ? try refusal(&bytes, since: base, roster) : nil
        let ending = hasEnding ? try Self.due(&bytes, since: base, roster) : nil
        let refusals = hasRefusals ? try refusals(&bytes) : OwnRefusals()
        let restraint =
            hasRestraint ? try RestraintFormat.next(&bytes, since: base.time) : .usual
        return OutboxSnapshot(
            hero: hero, startedAt: startedAt, due: due, alert: alert, inFlight: inFlight,
            accepted: accepted, refused: refused, ending: ending,
            untold: hasUntold ? try untold(&bytes, roster) : [], isEnded: isEnded,
            rollOver: rollOver, lastTimestamp: timestamp, pausedUntil: pausedUntil,
            deadTokenAt: deadTokenAt, refusals: refusals, addressee: addressee, budget: budget,
            restraint: restraint)
    }
}

// MARK: Parts

extension OutboxFormat {
    private static func append(
        _ content: LocalizableContent, since base: Base, _ roster: Roster,
        to bytes: inout ByteWriter
    ) {
        ContentFormat.write(content, roster, to: &bytes)
        if base.hasDetails { bytes.append(varint: UInt64(content.details)) }
    }

    private static func content(
        _ bytes: inout ByteReader, since base: Base, _ roster: Roster
    ) throws(FormatError) -> LocalizableContent {
        var content = try ContentFormat.read(&bytes, roster)
        if base.hasDetails {
            content.details = UInt32(
                try bytes.number(in: 0...Int(UInt32.max), "details"))
        }
        return content
    }

    private static func append(
        _ due: DueContent, since base: Base, _ roster: Roster, to bytes: inout ByteWriter
    ) {
        append(due.content, since: base, roster, to: &bytes)
        bytes.append(due.news)
        bytes.append(zigzag: due.version &- base.version)
        bytes.append(due.since, since: base.time)
        bytes.append(due.priority)
        if let time = due.urgentSince { bytes.append(time, since: due.since) }
        bytes.append(count: due.relevance)
        bytes.append(count: Int(due.expirationSeconds))
    }

    private static func due(
        _ bytes: inout ByteReader, since base: Base, _ roster: Roster
    ) throws(FormatError) -> DueContent {
        let content = try content(&bytes, since: base, roster)
        let news = try bytes.newsMark()
        let version = try version(&bytes, since: base)
        let since = try bytes.wallTime(since: base.time)
        let priority = try bytes.numbered(PushPriority.self)
        return DueContent(
            content: content, news: news, version: version, since: since,
            urgentSince: priority == .high ? try bytes.wallTime(since: since) : nil,
            relevance: try bytes.number(in: relevances, "relevance"),
            expirationSeconds: Int64(try bytes.number(in: seconds, "expiration")))
    }

    private static func version(
        _ bytes: inout ByteReader, since base: Base
    ) throws(FormatError) -> Int64 {
        try bytes.zigzag(in: versions, since: base.version, "version")
    }

    private static func append(
        _ alert: PendingAlert, since base: Base, _ roster: Roster,
        to bytes: inout ByteWriter
    ) {
        ContentFormat.write(alert.alert, roster, to: &bytes)
        bytes.append(count: alert.sequence)
        bytes.append(alert.at, since: base.time)
    }

    private static func alert(
        _ bytes: inout ByteReader, since base: Base, _ roster: Roster
    ) throws(FormatError) -> PendingAlert {
        PendingAlert(
            alert: try ContentFormat.alert(&bytes, roster),
            sequence: try bytes.number("alert's sequence"),
            at: try bytes.wallTime(since: base.time))
    }

    private static func append(
        _ push: InFlightPush, since base: Base, _ roster: Roster,
        to bytes: inout ByteWriter
    ) {
        var flags = Flags()
        flags.append(push.isOutdated)
        flags.append(push.alertSequence != nil)
        bytes.append(flags)
        bytes.append(zigzag: push.timestamp &- base.time.seconds)
        bytes.append(push.form)
        bytes.append(push.tokenConfirmedAt, since: base.time)
        if let sequence = push.alertSequence { bytes.append(count: sequence) }
        append(push.due, since: base, roster, to: &bytes)
    }

    private static func inFlight(
        _ bytes: inout ByteReader, since base: Base, _ roster: Roster
    ) throws(FormatError) -> InFlightPush {
        var flags = try bytes.flags(2)
        let (isOutdated, hasAlert) = (flags.next(), flags.next())
        let timestamp = try bytes.zigzag(
            in: Bounds.seconds, since: base.time.seconds, "timestamp")
        let form = try bytes.numbered(InFlightPush.Form.self)
        let tokenConfirmedAt = try bytes.wallTime(since: base.time)
        let sequence = hasAlert ? try bytes.number("alert's sequence") : nil
        return InFlightPush(
            timestamp: timestamp, due: try due(&bytes, since: base, roster), form: form,
            alertSequence: sequence, tokenConfirmedAt: tokenConfirmedAt,
            isOutdated: isOutdated)
    }

    private static func shown(
        _ bytes: inout ByteReader, since base: Base, _ roster: Roster
    ) throws(FormatError) -> ActivityOutbox.Shown {
        ActivityOutbox.Shown(
            content: try content(&bytes, since: base, roster), telling: try bytes.newsMark(),
            version: try version(&bytes, since: base))
    }

    private static func append(
        _ refusal: ActivityOutbox.Refusal, since base: Base, _ roster: Roster,
        to bytes: inout ByteWriter
    ) {
        append(refusal.content, since: base, roster, to: &bytes)
        bytes.append(refusal.form)
        var flags = Flags()
        flags.append(refusal.until != nil)
        bytes.append(flags)
        if let until = refusal.until { bytes.append(until, since: base.time) }
    }

    private static func refusal(
        _ bytes: inout ByteReader, since base: Base, _ roster: Roster
    ) throws(FormatError) -> ActivityOutbox.Refusal {
        let content = try content(&bytes, since: base, roster)
        let form = try bytes.numbered(InFlightPush.Form.self)
        var flags = try bytes.flags(1)
        return ActivityOutbox.Refusal(
            content: content, form: form,
            until: flags.next() ? try bytes.wallTime(since: base.time) : nil)
    }

    private static func append(
        _ untold: [News], _ roster: Roster, to bytes: inout ByteWriter
    ) {
        bytes.append(count: untold.count)
        for news in untold {
            bytes.append(news.mark)
            ContentFormat.write(news.text, roster, to: &bytes)
        }
    }

    private static func untold(
        _ bytes: inout ByteReader, _ roster: Roster
    ) throws(FormatError) -> [News] {
        var untold: [News] = []
        for _ in 0..<(try bytes.count(max: ActivityOutbox.untoldMax)) {
            let mark = try bytes.newsMark()
            untold.append(News(try ContentFormat.text(&bytes, roster), mark))
        }
        return untold
    }

    private static func refusals(_ bytes: inout ByteReader) throws(FormatError) -> OwnRefusals {
        var marks: [UInt32] = []
        for _ in 0..<(try bytes.count(max: OwnRefusals.lifeMax)) {
            marks.append(UInt32(try bytes.number(in: 0...Int(UInt32.max), "refusal")))
        }
        guard let refusals = OwnRefusals(marks: marks), !refusals.isEmpty else {
            throw .invalid("it has a list of refusals without any")
        }
        return refusals
    }

    private static func addressee(
        _ bytes: inout ByteReader, since base: Base
    ) throws(FormatError) -> ActivityOutbox.Addressee {
        ActivityOutbox.Addressee(
            tokenRegisteredAt: try bytes.wallTime(since: base.time),
            language: try bytes.numbered())
    }
}

extension OutboxSnapshot {
    /// Whether any content has details.
    fileprivate var hasDetails: Bool {
        let contents = [
            due?.content.details, inFlight?.due.content.details, accepted?.content.details,
            refused?.content.details, ending?.content.details,
        ]
        return contents.contains { $0 ?? 0 != 0 }
    }
}
