internal import APNsClient
internal import PartyStore
internal import PushPolicy

/// The next update for the followers of a world boss: pure.
struct FollowerUpdate: Hashable {
    /// Between two updates of low priority, in seconds.
    static let gapSeconds: Int64 = 60
    /// After this time an update repeats what the cards show, before they become stale.
    static let repeatSeconds: Int64 = 45 * 60
    /// The percentage of the pool at which all followers get an update at high priority.
    static let lastPercent = 10

    /// What remains of the pool.
    let percent: Int
    let priority: PushPriority
    /// Whether it ends the cards, with the round.
    let ends: Bool

    private init(_ percent: Int, _ priority: PushPriority, ends: Bool = false) {
        self.percent = percent
        self.priority = priority
        self.ends = ends
    }

    /// Decides on the next update; `nil`: none is due.
    init?(of event: WorldEvent, on channel: WorldChannel, at now: WallTime) {
        let percent = event.percent
        guard event.status == .open, event.round == channel.round else {
            let isFall = event.status == .fallen && event.round == channel.round
            self.init(percent, isFall ? .high : .low, ends: true)
            return
        }
        guard let told = channel.told else {
            self.init(percent, .low)
            return
        }
        if percent <= Self.lastPercent, told.percent > Self.lastPercent {
            self.init(percent, .high)
            return
        }
        let gap = percent == told.percent ? Self.repeatSeconds : Self.gapSeconds
        guard told.at.adding(seconds: gap) <= now else { return nil }
        self.init(percent, .low)
    }
}

extension PushEncoding {
    /// Encodes an update for all who follow a world boss: the pool as health, and what the pack says.
    ///
    /// `wall` is the wall clock's time: `timestamp` leads it after it was set back, and the dates do
    /// not.
    func broadcast(
        _ update: FollowerUpdate, on channel: WorldChannel, saying sentence: String,
        at timestamp: Int64, wall: Int64
    ) throws -> BroadcastRequest {
        var state = ContentState(
            currentHealthLevel: Double(update.percent) / 100, eventDescription: sentence)
        state.link = CardLink.world(event: channel.event).address
        let left = update.percent == 0
        let payload: BroadcastPayload<ContentState> =
            update.ends
            ? .end(
                at: timestamp, finalState: state,
                dismissalDate: wall
                    + (left
                        ? ActivityOutbox.victoryDismissalSeconds : ActivityOutbox.dismissalSeconds))
            : .update(
                at: timestamp, state: state,
                // No date is before the timestamp.
                staleDate: max(wall + StalePlanner.staleAfterSecondsMax, timestamp),
                relevanceScore: Double(Relevance.following))
        return try BroadcastRequest(
            payload,
            on: BroadcastChannel(
                id: ChannelID(base64: channel.id.rawValue), policy: Self.channelPolicy),
            bundleID: bundleID, priority: update.priority == .high ? .high : .low,
            storage: .mostRecent(until: wall + Self.broadcastKeptSeconds),
            id: PushID.derived(from: "\(channel.id) \(timestamp) \(update.percent)"))
    }
}
