internal import GameLogic
internal import JSONWriter
internal import PartyStore

/// The JSON of consecutive events in one language, with commas between them: what a response's
/// `events` hold, in one piece, so that a response copies it at once.
struct EventLines: Sendable {
    private var bytes: [UInt8] = []
    /// Where each event's JSON ends in `bytes`.
    private var ends: [Int] = []
    /// Events at the front that are not shown any more; their bytes go with the next event.
    private var dropped = 0

    /// How many events there are.
    var count: Int { ends.count - dropped }

    /// Forgets the oldest events.
    mutating func drop(first count: Int) {
        dropped = min(dropped + count, ends.count)
    }

    /// Adds events, as a view writes them.
    mutating func append(_ events: ArraySlice<LoggedEvent>, as view: PartyView) {
        let kept = json(after: 0)
        var json = JSONWriter(reserving: kept.count + events.count * Self.bytesPerEvent)
        if !kept.isEmpty { json.raw(kept) }
        let start = kept.startIndex
        ends = ends.dropFirst(dropped).map { $0 - start }
        dropped = 0
        for event in events {
            view.write(event, to: &json)
            ends.append(json.bytes.count)
        }
        bytes = json.bytes
    }

    /// The events behind the first `count`.
    func json(after count: Int) -> ArraySlice<UInt8> {
        let skipped = dropped + count
        guard skipped > 0 else { return bytes[...] }
        // Behind the comma, if anything follows.
        return bytes[min(ends[skipped - 1] + 1, bytes.count)...]
    }

    /// What an event takes, roughly.
    private static let bytesPerEvent = 192
}
