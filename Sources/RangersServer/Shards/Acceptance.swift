internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// The most frequent outcome in a few bytes: APNs accepted a push to one of a party's activities.
///
/// It names the activity by its place in the party, so it holds only as long as the party's
/// activities are those of its version.
struct Acceptance {
    /// The push's, in seconds since 1970.
    private let seconds: UInt32
    /// From that second to the response, in milliseconds.
    private let delay: Int32
    private let place: UInt16

    /// `nil`: the outcome is another one, or is not that of an activity of the party.
    init?(_ outcome: ActivityOutcome, in activities: [LiveActivity]) {
        guard outcome.outcome == .accepted, let response = outcome.response, response.isAccepted,
            response.reason.isEmpty, let seconds = UInt32(exactly: outcome.timestamp),
            let delay = Int32(exactly: response.at.milliseconds - outcome.timestamp * 1000),
            let index = activities.indices.first(where: {
                activities[$0].registration.id == outcome.activity
            }), let place = UInt16(exactly: index)
        else { return nil }
        self.seconds = seconds
        self.delay = delay
        self.place = place
    }

    /// The push's, in seconds since 1970.
    var timestamp: Int64 { Int64(seconds) }

    var response: PushResponse {
        PushResponse(
            status: 200, reason: "",
            at: WallTime(milliseconds: timestamp * 1000 + Int64(delay)))
    }

    /// Returns the activity, which is one of these.
    func activity(in activities: [LiveActivity]) -> ActivityID {
        activities[Int(place)].registration.id
    }
}
