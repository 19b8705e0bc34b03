/// What a fault waits for: what breaks most is where no clock leads, such as a death with an alert
/// in flight.
package struct Moment: Codable, Sendable, Equatable {
    /// What happens then.
    package enum Event: String, Codable, Sendable, CaseIterable {
        /// A push leaves a server.
        case pushLeaves, alertLeaves, startLeaves, endLeaves
        /// Apple accepts a push.
        case pushArrives
        /// A server hears what became of a push.
        case pushIsAnswered
        /// A server begins to start, serves, and is told to stop.
        case serverStarts, serverServes, serverStops
        /// Something goes wrong that lasts.
        case faultBegins
    }

    package var event: Event
    /// It is the event with this number from the fault's time on.
    package var number: Int
    /// So many milliseconds after it.
    package var delay: Int64

    package init(_ event: Event, number: Int = 1, delay: Int64 = 0) {
        self.event = event
        self.number = number
        self.delay = delay
    }

    /// "5 ms after an alert has left 2 times".
    package var words: String {
        let times = number == 1 ? "" : " \(number) times"
        return delay == 0
            ? "as soon as \(event.words)\(times)"
            : "\(delay) ms after \(event.words)\(times)"
    }
}

extension Moment.Event {
    fileprivate var words: String {
        switch self {
        case .pushLeaves: "a push has left"
        case .alertLeaves: "an alert has left"
        case .startLeaves: "a push has left that starts a card"
        case .endLeaves: "the end of a card has left"
        case .pushArrives: "APNs has accepted a push"
        case .pushIsAnswered: "a server has heard of a push"
        case .serverStarts: "a server has begun to start"
        case .serverServes: "a server has come to serve"
        case .serverStops: "a server was told to stop"
        case .faultBegins: "something lasting has begun to go wrong"
        }
    }

    /// Whether the event happens. `token`: only pushes to that one count.
    func happens(in sight: Sight, token: String?) -> Bool {
        switch (self, sight) {
        case (.pushArrives, .reached(let push, status: 200, reason: _)),
            (.pushIsAnswered, .answered(let push, _, reason: _)),
            (.pushLeaves, .sent(let push)):
            token == nil || push.token == token
        case (.alertLeaves, .sent(let push)):
            push.has(SeenPush.alert) && !push.has(SeenPush.start)
        case (.startLeaves, .sent(let push)): push.has(SeenPush.start)
        case (.endLeaves, .sent(let push)):
            push.has(SeenPush.end) && (token == nil || push.token == token)
        case (.serverStarts, .starting), (.serverServes, .started(_, failure: nil)): true
        case (.serverStops, .fault(let fault)): fault.fault.isStop
        case (.faultBegins, .fault(let fault)): fault.fault.length > 0
        default: false
        }
    }
}

/// The faults whose time has come, and which wait for their moments.
struct AwaitedFaults {
    struct Entry {
        let fault: TimedFault
        let moment: Moment
        /// Its place in the plan.
        let place: Int
        fileprivate var left: Int
    }

    private var entries: [Entry] = []

    mutating func wait(for moment: Moment, _ fault: TimedFault, at place: Int) {
        entries.append(Entry(fault: fault, moment: moment, place: place, left: moment.number))
    }

    /// Returns the faults whose moments have come. `token` says which is a person's.
    mutating func see(_ sight: Sight, token: (_ person: Int) -> String?) -> [Entry] {
        guard !entries.isEmpty else { return [] }
        for index in entries.indices {
            let entry = entries[index]
            let token = entry.fault.fault.person.map { token($0) ?? "none" }
            if entry.moment.event.happens(in: sight, token: token) { entries[index].left -= 1 }
        }
        guard entries.contains(where: { $0.left <= 0 }) else { return [] }
        defer { entries.removeAll { $0.left <= 0 } }
        return entries.filter { $0.left <= 0 }
    }
}

extension PlannedFault {
    fileprivate var isStop: Bool {
        if case .stop = self { true } else { false }
    }

    /// The person to whose card it happens.
    fileprivate var person: Int? {
        switch self {
        case .apple(_, _, let person, _): person
        case .newToken(let person, _, _): person
        default: nil
        }
    }
}
