internal import GameLogic
internal import PushPolicy

/// A page of the ledger, which never ends within an event, with the pushes that carried its events.
///
/// An outbox holds the newest state, so a push carries every event of its activity that no accepted
/// push has carried. The responses to the last pushes are in later rows: the page looks for them in
/// a limited number of rows after its end.
struct LedgerPage {
    /// The most rows after the page's end.
    private static let rowsAfterMax = 256

    private let after: Int
    private let limit: Int
    /// `nil`: all.
    private let activity: ActivityID?
    private var found: [LoggedDecision] = []
    private var pushes: [LoggedPush] = []
    /// The pushes that carried each of `found`, as places in `pushes`.
    private var carriers: [[Int]] = []
    /// Places in `found` whose event no accepted push has carried yet, by activity.
    private var open: [ActivityID: [Int]] = [:]
    private var rowsAfter: Int?

    init(after: Int, limit: Int, activity: ActivityID? = nil) {
        self.after = after
        self.limit = max(limit, 1)
        self.activity = activity
    }

    /// Adds a row, in the order of the journal. Returns whether the page needs another one.
    mutating func add(_ entry: JournalEntry, at time: WallTime) -> Scan {
        if rowsAfter == nil, let event = entry.events.first, isComplete(before: event.sequence) {
            rowsAfter = 0
        }
        for response in entry.responses { note(response) }
        if let count = rowsAfter {
            rowsAfter = count + 1
            if open.isEmpty || count >= Self.rowsAfterMax { return .stop }
        } else {
            for decision in entry.ledger(at: time) { add(decision) }
        }
        for push in entry.pushes { note(push, at: time) }
        return .goOn
    }

    /// A later decision on the same event and activity replaces the earlier one.
    private mutating func add(_ decision: LoggedDecision) {
        guard decision.sequence > after, activity == nil || activity == decision.activity else {
            return
        }
        let known = found.lastIndex {
            $0.sequence == decision.sequence && $0.activity == decision.activity
        }
        if let known {
            found[known] = decision
        } else {
            found.append(decision)
            carriers.append([])
        }
        let place = known ?? found.count - 1
        switch decision.disposition {
        case .sent, .merged, .deferred:
            if open[decision.activity]?.contains(place) != true {
                open[decision.activity, default: []].append(place)
            }
        case .dropped: close([place], of: decision.activity)
        }
    }

    private mutating func note(_ push: JournalPush, at time: WallTime) {
        guard let carried = open[push.activity], !carried.isEmpty else { return }
        pushes.append(LoggedPush(push: push, at: time))
        for place in carried {
            if carriers[place].count == LoggedDecision.pushesMax { carriers[place].removeLast() }
            carriers[place].append(pushes.count - 1)
        }
    }

    private mutating func note(_ record: JournalResponse) {
        let place = pushes.lastIndex {
            $0.push.timestamp == record.timestamp && $0.push.activity == record.activity
        }
        guard let place else { return }
        pushes[place].response = record.response
        guard record.response.isAccepted else { return }
        let carried = open[record.activity]?.filter { carriers[$0].contains(place) } ?? []
        close(carried, of: record.activity)
    }

    private mutating func close(_ places: [Int], of activity: ActivityID) {
        open[activity]?.removeAll { places.contains($0) }
        if open[activity]?.isEmpty == true { open[activity] = nil }
    }

    /// Returns whether a row whose first event has this number, and all rows after it, have nothing
    /// more for the page. A row may decide on the event before its first: an activity that grows
    /// too old.
    func isComplete(before firstSequence: Int) -> Bool {
        guard found.count >= limit else { return false }
        return firstSequence - 1 > sorted[limit - 1].sequence
    }

    /// In the order of the events, then of the activities.
    var decisions: [LoggedDecision] {
        let sorted = sorted
        guard sorted.count > limit else { return sorted }
        let last = sorted[limit - 1].sequence
        return sorted.filter { $0.sequence <= last }
    }

    private var sorted: [LoggedDecision] {
        found.indices.map { place in
            var decision = found[place]
            decision.pushes = carriers[place].map { pushes[$0] }
            return decision
        }.sorted { ($0.sequence, $0.activity) < ($1.sequence, $1.activity) }
    }
}

extension JournalEntry {
    /// Returns the decisions with their sentences.
    fileprivate func ledger(at time: WallTime) -> [LoggedDecision] {
        let first = events.first?.sequence ?? 0
        return decisions.map { decision in
            let index = decision.sequence - first
            let kind = events.indices.contains(index) ? events[index].kind : nil
            return LoggedDecision(decision, on: kind, at: time)
        }
    }
}
