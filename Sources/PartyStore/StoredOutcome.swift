package import PushPolicy

/// The outcome of one push, stored until its party's next row contains it.
package struct StoredOutcome: Hashable, Sendable {
    package let party: PartyKey
    package let activity: ActivityID
    package let timestamp: Int64
    package let outcome: PushOutcome
    /// `nil`: APNs has not refused this push for itself.
    package let refusal: OwnRefusal?
    /// For the ledger; `nil`: unknown.
    package let response: PushResponse?

    package init(
        party: PartyKey, activity: ActivityID, timestamp: Int64, outcome: PushOutcome,
        refusal: OwnRefusal? = nil, response: PushResponse? = nil
    ) {
        self.party = party
        self.activity = activity
        self.timestamp = timestamp
        self.outcome = outcome
        self.refusal = refusal
        self.response = response
    }
}
