internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// Responses to a party's pushes that no row of the journal contains yet.
///
/// Every party in memory waits for its next change with one response for each activity, so the most
/// frequent ones are small: APNs accepted a push to one of the party's activities.
struct PendingResponses {
    /// An acceptance, with the activity's place in the party.
    private struct Acceptance {
        /// The push's, in seconds since 1970.
        let timestamp: UInt32
        /// From that second to the response, in milliseconds.
        let delay: Int32
        let place: UInt16
    }

    private var accepted: [Acceptance] = []
    private var others: [JournalResponse] = []

    var isEmpty: Bool { accepted.isEmpty && others.isEmpty }

    /// Adds a response to a push of the party in its present state.
    mutating func add(_ response: JournalResponse, in stored: StoredParty?) {
        if let acceptance = Self.acceptance(response, in: stored) {
            accepted.append(acceptance)
        } else {
            others.append(response)
        }
    }

    private static func acceptance(
        _ record: JournalResponse, in stored: StoredParty?
    ) -> Acceptance? {
        let response = record.response
        guard response.isAccepted, response.reason.isEmpty, let stored,
            let timestamp = UInt32(exactly: record.timestamp),
            let delay = Int32(exactly: response.at.milliseconds - record.timestamp * 1000),
            let index = stored.activities.indices.first(where: {
                stored.activities[$0].registration.id == record.activity
            }), let place = UInt16(exactly: index)
        else { return nil }
        return Acceptance(timestamp: timestamp, delay: delay, place: place)
    }

    /// Returns all of them. The party's activities must be those to which they were added.
    func all(in stored: StoredParty) -> [JournalResponse] {
        guard !accepted.isEmpty else { return others }
        return accepted.map { acceptance in
            let timestamp = Int64(acceptance.timestamp)
            let at = WallTime(milliseconds: timestamp * 1000 + Int64(acceptance.delay))
            return JournalResponse(
                activity: stored.activities[Int(acceptance.place)].registration.id,
                timestamp: timestamp, response: PushResponse(status: 200, reason: "", at: at))
        } + others
    }

    /// Removes the first ones of `all`, which the journal has now.
    mutating func removeFirst(_ count: Int) {
        let acceptances = min(count, accepted.count)
        accepted.removeFirst(acceptances)
        others.removeFirst(min(count - acceptances, others.count))
    }

    /// Prepares for the loss of the party's present state.
    mutating func spellOut(in stored: StoredParty?) {
        guard let stored else { return }
        others = all(in: stored)
        accepted = []
    }
}
