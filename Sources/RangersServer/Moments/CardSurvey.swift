internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// How all cards are doing: what they have spent of their budgets, and why some wait. It looks at
/// the parties with work ahead, a limited number of them, and at most once in a few seconds.
struct CardSurvey: Sendable {
    /// The most parties that are looked at.
    static let partiesMax = 1000
    /// How long a result is good, in milliseconds.
    static let freshFor: Int64 = 5000
    /// The bins of shares spent.
    static let shares = [0.2, 0.4, 0.6, 0.8, 1]
    private static let pageSize = 100

    struct Result: Sendable {
        var cards = 0
        /// Cards by the share of their budget that they have spent.
        var spent = [Int](repeating: 0, count: shares.count)
        /// Cards by why they wait.
        var waits: [String: Int] = [:]
        /// Whether there are more parties.
        var isCut = false
    }

    private let shared = SharedReading<Result>(freshFor: freshFor)

    /// Returns the newest result, or makes one. Requests that come together share it.
    func result(in game: Game) async throws -> Result {
        let (store, now) = (game.store, game.now)
        return try await shared.value(at: now) { try await Self.survey(store, at: now) }
    }

    private static func survey(_ store: any Store, at now: WallTime) async throws -> Result {
        var result = Result()
        var (after, parties) = (nil as PartyKey?, 0)
        repeat {
            let page = try await store.awakeParties(after: after, limit: pageSize)
            for stored in page.parties {
                for activity in stored.activities { result.add(activity, at: now) }
            }
            parties += page.parties.count
            after = page.next
        } while after != nil && parties < partiesMax
        result.isCut = after != nil
        return result
    }
}

extension CardSurvey.Result {
    mutating func add(_ activity: LiveActivity, at now: WallTime) {
        let card = activity.registration
        guard card.state.isLiving, let outbox = activity.outbox else { return }
        if let reason = outbox.reasonToWait(for: card, at: now) { waits[reason, default: 0] += 1 }
        let burst = outbox.budgetSize(for: card).burst
        guard card.recipient == .player, burst > 0 else { return }
        cards += 1
        let left = outbox.budgetLeft(for: card, at: now)
        let share = 1 - Double(left) / Double(burst)
        let bin = CardSurvey.shares.firstIndex { share <= $0 } ?? CardSurvey.shares.count - 1
        spent[bin] += 1
    }
}
