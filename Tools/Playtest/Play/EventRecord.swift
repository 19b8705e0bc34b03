/// A party's events as its players have seen them. None may be missing, duplicated or changed.
package struct EventRecord: Sendable {
    package private(set) var events: [EventState] = []
    package private(set) var violations: [String] = []

    package init() {}

    package var last: Int { events.last?.sequence ?? 0 }

    /// Takes the events from the API; returns the new ones.
    package mutating func take(_ shown: [EventState]) -> [EventState] {
        var new: [EventState] = []
        for event in shown {
            if event.sequence == last + 1 {
                events.append(event)
                new.append(event)
            } else if event.sequence > last + 1 {
                violations.append("event \(event.sequence) came after \(last)")
            } else if events[event.sequence - 1] != event {
                violations.append(
                    "event \(event.sequence) was \(events[event.sequence - 1].kind), "
                        + "and is \(event.kind) now")
            }
        }
        return new
    }

    /// The events of the latest adventure.
    package var adventure: ArraySlice<EventState> {
        events[(events.lastIndex { $0.kind == "adventureBegan" } ?? 0)...]
    }
}
