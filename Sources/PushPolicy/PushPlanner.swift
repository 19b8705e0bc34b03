package import GameLogic

/// Decides who hears of what, how loudly: pure.
package enum PushPlanner {
    /// Notes in each outbox what the events changed on its card.
    /// Returns exactly one decision for each event and activity.
    ///
    /// - Parameter version: The version that the party's row gets in this commit.
    package static func plan(
        _ events: [PartyEvent], party: Party, version: Int64, outbox: inout [ActivityOutbox],
        registrations: [ActivityID: ActivityRegistration], now: WallTime
    ) -> [Decision] { [] }

    /// Takes what may leave now: every activity that is due, has a living token, and has nothing
    /// in flight. Stores the timestamp in the outbox, so commit the row before you send.
    package static func release(
        party: Party, outbox: inout [ActivityOutbox],
        registrations: [ActivityID: ActivityRegistration], now: WallTime
    ) -> [PushOrder] { [] }

    /// Notes what became of a push. An answer clears only what was sent.
    package static func settle(
        _ order: PushOrder, _ result: PushResult, outbox: inout [ActivityOutbox], now: WallTime
    ) {}

    /// After a restart: whatever was in flight is of unknown fate, so it is due again.
    package static func recover(outbox: inout [ActivityOutbox], now: WallTime) {}

    /// When `release` could give something that it cannot give now.
    package static func nextReleaseAt(
        outbox: [ActivityOutbox], registrations: [ActivityID: ActivityRegistration], now: WallTime
    ) -> WallTime? { nil }
}
