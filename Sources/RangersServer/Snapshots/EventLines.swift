internal import GameLogic
internal import JSONWriter
internal import PartyStore

/// The JSON of consecutive events in one language, separated by commas: the `events` of a response,
/// in one piece, so that a response copies them at once.
struct EventLines: Sendable {
    private var bytes: [UInt8] = []
    /// Where each event's JSON ends in `bytes`.
    private var ends: [Int] = []
    /// The number of forgotten events at the front; `append` removes their bytes.
    private var dropped = 0

    /// The number of events.
    var count: Int { ends.count - dropped }

    /// Forgets the oldest events.
    mutating func drop(first count: Int) {
        dropped = min(dropped + count, ends.count)
    }

    /// Adds events, written by a view.
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

    /// Returns the JSON of the events after the first `count`.
    func json(after count: Int) -> ArraySlice<UInt8> {
        let skipped = dropped + count
        guard skipped > 0 else { return bytes[...] }
        // After the comma, if another event follows.
        return bytes[min(ends[skipped - 1] + 1, bytes.count)...]
    }

    /// Returns the JSON of one event, by its place.
    func line(_ index: Int) -> ArraySlice<UInt8> {
        let place = dropped + index
        // After the comma.
        return bytes[(place == 0 ? 0 : ends[place - 1] + 1)..<ends[place]]
    }

    /// The approximate size of an event.
    private static let bytesPerEvent = 192
}
