package import GameLogic

/// Decides who hears of what, how loudly: pure.
package enum PushPlanner {
    /// Notes in each outbox what the events changed on its card. `version` is what the party's
    /// row gets in this commit.
    ///
    /// Gives exactly one decision for each event and activity, in the order of the events. Call
    /// it even without events: a party that rested shows another health.
    package static func plan(
        _ events: [PartyEvent], party: Party, version: Int64, outbox: inout [ActivityOutbox],
        registrations: [ActivityID: ActivityRegistration], now: WallTime
    ) -> [Decision] {
        let news = ActivityOutbox.News(events: events, party: party, version: version, now: now)
        let decisions = outbox.indices.map { index in
            outbox[index].note(news, for: registrations[outbox[index].activity])
        }
        return events.indices.flatMap { event in decisions.map { $0[event] } }
    }

    /// Takes what may leave now: every activity that is due, has a living token, and has nothing
    /// in flight. Stores the timestamp in the outbox, so commit the row before you send.
    package static func release(
        party: Party, outbox: inout [ActivityOutbox],
        registrations: [ActivityID: ActivityRegistration], now: WallTime
    ) -> [PushOrder] {
        outbox.indices.compactMap { index in
            outbox[index].release(
                party: party, to: registrations[outbox[index].activity], now: now)
        }
    }

    /// Notes what became of a push. An answer clears only what was sent.
    package static func settle(
        _ order: PushOrder, _ result: PushResult, outbox: inout [ActivityOutbox], now: WallTime
    ) {
        guard let index = outbox.firstIndex(where: { $0.activity == order.activity }) else {
            return
        }
        outbox[index].settle(timestamp: order.timestamp, result)
        outbox[index].forgetStaleAlert(at: now)
    }

    /// Notes that a client has registered its activity, or has registered it again: the card is
    /// due once more, or its end, if the token or the language is another. `version` is what the party's row
    /// gets in this commit.
    package static func refresh(
        _ registration: ActivityRegistration, party: Party, version: Int64,
        outbox: inout [ActivityOutbox], now: WallTime
    ) {
        guard let index = outbox.firstIndex(where: { $0.activity == registration.id }) else {
            return
        }
        outbox[index].refresh(for: registration, party: party, version: version, now: now)
    }

    /// After a restart: whatever was in flight is of unknown fate, so it is due again.
    package static func recover(outbox: inout [ActivityOutbox], now: WallTime) {
        for index in outbox.indices {
            outbox[index].recover()
            outbox[index].forgetStaleAlert(at: now)
        }
    }

    /// When `release` could give something that it cannot give now; `now` or later.
    package static func nextReleaseAt(
        outbox: [ActivityOutbox], registrations: [ActivityID: ActivityRegistration], now: WallTime
    ) -> WallTime? {
        outbox.compactMap { $0.nextReleaseAt(for: registrations[$0.activity], now: now) }.min()
    }
}
