internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// What the committed store must contain, read on the simulated disk by the judge's own connection:
/// IN6, IN8 and IN10.
struct CommittedRules: Rules {
    /// A push, by what a phone compares.
    private struct Sent {
        let token: String
        let timestamp: Int64
    }

    /// The newest timestamp that has left for the activity's newest token. Another token begins
    /// anew, perhaps after the clock was set back.
    private var newest: [String: Sent] = [:]
    /// When the newest change was made, by the server's time.
    private var newestChange: Int64?

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        guard case .sent(let push) = scene, push.isOfCard, let timestamp = push.timestamp,
            let activity = world.cards.activities[push.token]
        else { return }
        let before = newest[activity].map { $0.token == push.token ? $0.timestamp : 0 } ?? 0
        newest[activity] = Sent(token: push.token, timestamp: max(timestamp, before))
    }

    /// Compares when the newest change of a store was made with what it was before: the server's time
    /// never goes back.
    mutating func compare(
        newest: Int64?, in world: Circumstances, _ findings: inout Violations
    ) {
        guard let newest, !world.hasFlippedBits else { return }
        if let before = newestChange, newest < before {
            findings.note(
                .IN13, at: world.now,
                """
                the newest change in the store was made \((before - newest) / 1000) s before an \
                earlier one: the server's time has gone back
                """)
        }
        newestChange = max(newest, newestChange ?? newest)
    }

    /// Compares the parties of a store that has just lost its server, or rests, with what was
    /// acknowledged, shown and sent until then.
    func compare(
        _ stored: [StoredParty], with world: Circumstances, _ findings: inout Violations
    ) {
        let byID = Dictionary(stored.map { ($0.id.rawValue, $0) }) { first, _ in first }
        for seen in world.parties.all {
            guard let party = byID[seen.id] else { continue }
            if party.version < seen.newestVersion {
                findings.note(
                    seen.isAcknowledged ? .IN6 : .IN8, at: world.now,
                    """
                    version \(seen.newestVersion) of party \(seen.id) was \
                    \(seen.isAcknowledged ? "acknowledged" : "shown"), and version \
                    \(party.version) is committed
                    """)
            }
            compare(party, in: world, &findings)
        }
    }

    private func compare(
        _ party: StoredParty, in world: Circumstances, _ findings: inout Violations
    ) {
        for activity in party.activities {
            let id = activity.id.rawValue
            guard let outbox = activity.outbox else { continue }
            let committed = outbox.snapshot.lastTimestamp
            // 0: a new outbox, of the next adventure.
            // The first push to another token may be committed, and not have left.
            if let last = newest[id], activity.registration.pushToken?.hex == last.token,
                committed > 0, committed < last.timestamp
            {
                let sent = last.timestamp
                findings.note(
                    .IN10, at: world.now,
                    """
                    a push with timestamp \(sent) has left for card \(id), and \(committed) is \
                    the newest that is committed
                    """)
            }
            guard let card = world.cards.cards[id] else { continue }
            let revision = Int64(activity.registration.revision)
            if card.revision > 0, revision < card.revision {
                findings.note(
                    .IN6, at: world.now,
                    """
                    revision \(card.revision) of card \(id) was acknowledged, and \(revision) is \
                    committed
                    """)
            }
        }
    }

    /// Compares one party, while its server runs, with a push that has left or a response.
    func compare(
        _ party: StoredParty, with push: JudgedPush, at now: Int64, in world: Circumstances,
        _ findings: inout Violations
    ) {
        guard let id = world.cards.activities[push.token], let timestamp = push.timestamp,
            let activity = party.activities.first(where: { $0.id.rawValue == id }),
            let committed = activity.outbox?.snapshot.lastTimestamp, committed > 0,
            committed < timestamp
        else { return }
        findings.note(
            .IN10, at: now,
            "\(push.words) left with timestamp \(timestamp) while \(committed) was committed")
    }
}
