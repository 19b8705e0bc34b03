internal import APNsClient
internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// What becomes of pushes, for game masters who look at it.
///
/// It has the newest response to each activity until the journal has it: a party at which nothing
/// happens any more gets no row for a long time.
final class PushWatch: Sendable {
    /// The most activities whose response is kept.
    static let activitiesMax = 20_000

    private struct State {
        var newest = RecencyCache<ActivityID, JournalResponse>(costMax: activitiesMax)
        var statistics = PushStatistics()
    }

    private let state = Locked(State())

    func note(_ result: ReportedOutcome.Result, to sent: SentPush, at now: WallTime) {
        let response = PushResponse(of: result, at: now)
        let record = JournalResponse(
            activity: sent.push.ledgerName, timestamp: sent.push.timestamp, response: response)
        var action: APNsAction?
        if case .reported(.refused(let refusal)) = result { action = refusal.action }
        state.withLock { [action] state in
            state.newest.set(record.activity, to: record, cost: 1)
            state.statistics.note(response, to: sent.push, of: sent.party, action)
        }
    }

    func response(to activity: ActivityID) -> JournalResponse? {
        state.withLock { $0.newest.value(activity) }
    }

    var statistics: PushStatistics { state.withLock { $0.statistics } }
}
