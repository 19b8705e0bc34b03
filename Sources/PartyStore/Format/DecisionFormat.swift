internal import ByteCoding
internal import PushPolicy

/// The decisions of one change, in a few bytes each: their activities are named once, then counted.
enum DecisionFormat {
    /// More than a change can have.
    private static let decisionsMax = 1 << 22

    /// Appends decisions. Returns their activities.
    static func append(
        _ decisions: [Decision], since sequence: Int, to bytes: inout ByteWriter
    ) -> ActivityPlaces {
        bytes.append(count: decisions.count)
        var places = ActivityPlaces()
        guard !decisions.isEmpty else { return places }
        for decision in decisions { places.add(decision.activity) }
        bytes.append(count: places.activities.count)
        for activity in places.activities { bytes.append(activity) }
        var expected = sequence
        for decision in decisions {
            bytes.append(count: places.place(of: decision.activity) ?? 0)
            bytes.append(zigzag: Int64(decision.sequence) &- Int64(expected))
            append(decision, to: &bytes)
            expected = decision.sequence
        }
        return places
    }

    private static func append(_ decision: Decision, to bytes: inout ByteWriter) {
        var flags = Flags()
        flags.append(decision.priority == .high)
        flags.append(decision.carriesAlert)
        flags.append(decision.limit != 0)
        flags.append(decision.tells != nil)
        bytes.append(flags)
        bytes.append(decision.disposition)
        bytes.append(varint: UInt64(decision.notes.rawValue))
        if decision.limit != 0 { bytes.append(count: decision.limit) }
        // In most steps a card tells the newest event.
        if let mark = decision.tells {
            bytes.append(mark.rank)
            bytes.append(zigzag: Int64(mark.sequence) &- Int64(decision.sequence))
        }
    }

    /// Reads decisions, and the activities by their places.
    static func next(
        _ bytes: inout ByteReader, since sequence: Int
    ) throws(FormatError) -> ([Decision], [ActivityID]) {
        let count = try bytes.count(max: decisionsMax)
        guard count > 0 else { return ([], []) }
        let activities = try activities(&bytes)
        var decisions: [Decision] = []
        decisions.reserveCapacity(min(count, Bounds.reservedMax))
        var expected = Int64(sequence)
        for _ in 0..<count {
            let index = try bytes.number("activity's place")
            guard activities.indices.contains(index) else {
                throw .invalid("a decision names an activity that does not exist")
            }
            expected = try bytes.zigzag(
                in: 0...Int64(Bounds.number.upperBound), since: expected, "decision's sequence")
            decisions.append(try next(&bytes, of: activities[index], sequence: Int(expected)))
        }
        return (decisions, activities)
    }

    private static func activities(_ bytes: inout ByteReader) throws(FormatError) -> [ActivityID] {
        let count = try bytes.count(max: decisionsMax)
        var activities: [ActivityID] = []
        activities.reserveCapacity(min(count, Bounds.reservedMax))
        for _ in 0..<count { activities.append(try bytes.identifier()) }
        return activities
    }

    private static func next(
        _ bytes: inout ByteReader, of activity: ActivityID, sequence: Int
    ) throws(FormatError) -> Decision {
        var flags = try bytes.flags(4)
        let priority: PushPriority = flags.next() ? .high : .low
        let (carriesAlert, hasLimit, hasNews) = (flags.next(), flags.next(), flags.next())
        let disposition = try bytes.numbered(Decision.Disposition.self)
        let notes = try bytes.number(in: 0...Int(UInt32.max), "notes")
        let limit = hasLimit ? try bytes.number("limit") : 0
        return Decision(
            sequence: sequence, activity: activity, disposition: disposition, priority: priority,
            carriesAlert: carriesAlert, tells: hasNews ? try news(&bytes, since: sequence) : nil,
            notes: Decision.Notes(rawValue: UInt32(notes)), limit: limit)
    }

    private static func news(
        _ bytes: inout ByteReader, since sequence: Int
    ) throws(FormatError) -> News.Mark {
        let rank = try bytes.numbered(News.Rank.self)
        let told = try bytes.zigzag(
            in: 0...Int64(Bounds.number.upperBound), since: Int64(sequence), "told event")
        return News.Mark(sequence: Int(told), rank, isOpen: false)
    }
}
