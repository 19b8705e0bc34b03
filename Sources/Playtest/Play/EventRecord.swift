/// A party's events as its players have seen them: none may be missing, come twice, or change.
package struct EventRecord: Sendable {
    package private(set) var events: [EventState] = []
    package private(set) var violations: [String] = []

    package init() {}

    package var last: Int { events.last?.sequence ?? 0 }

    /// Takes what the API showed; returns what was new.
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

    /// The events of the newest adventure.
    package var adventure: ArraySlice<EventState> {
        events[(events.lastIndex { $0.kind == "adventureBegan" } ?? 0)...]
    }
}
