internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// Responses to a party's pushes that no row of the journal contains yet.
///
/// Every party in memory waits for its next change with one response for each activity, so the most
/// frequent ones are small.
struct PendingResponses {
    private var accepted: [Acceptance] = []
    private var others: [JournalResponse] = []

    var isEmpty: Bool { accepted.isEmpty && others.isEmpty }

    /// Adds an acceptance of a push of the party in its present state.
    mutating func add(_ acceptance: Acceptance) { accepted.append(acceptance) }

    mutating func add(_ response: JournalResponse) { others.append(response) }

    /// Returns all of them. The party's activities must be those to which they were added.
    func all(in stored: StoredParty) -> [JournalResponse] {
        guard !accepted.isEmpty else { return others }
        return accepted.map { acceptance in
            JournalResponse(
                activity: acceptance.activity(in: stored.activities),
                timestamp: acceptance.timestamp, response: acceptance.response)
        } + others
    }

    /// Removes the first ones of `all`, which the journal has now. What is empty keeps no room: in
    /// an outage every party would.
    mutating func removeFirst(_ count: Int) {
        let acceptances = min(count, accepted.count)
        let rest = min(count - acceptances, others.count)
        accepted = acceptances == accepted.count ? [] : Array(accepted.dropFirst(acceptances))
        others = rest == others.count ? [] : Array(others.dropFirst(rest))
    }

    /// Prepares for the loss of the party's present state.
    mutating func spellOut(in stored: StoredParty?) {
        guard let stored else { return }
        others = all(in: stored)
        accepted = []
    }
}
