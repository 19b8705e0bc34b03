/// IN1: a token's timestamps rise, and lead the wall clock by at most five seconds.
struct TimestampRules: Rules {
    private struct Last {
        let timestamp: Int64
        let id: String
        let life: LifeID
    }

    /// Five seconds, and one by rounding.
    static let leadMax: Int64 = 6000
    private var last: [String: Last] = [:]
    /// The newest push of the server before, by token: until it knows that another has replaced it,
    /// its client may repeat that.
    private var before: [String: String] = [:]

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        guard case .sent(let push) = scene, push.isLiveActivity, let timestamp = push.timestamp
        else { return }
        guard before[push.token] != push.seen.apnsID else { return }
        if push.isOfCard, let last = last[push.token] {
            if last.life < push.seen.life { before[push.token] = last.id }
            // What was in flight at a death may go again as it was, and so may what the client
            // repeats because Apple has not processed it.
            let mayRepeat = last.life != push.seen.life || last.id == push.seen.apnsID
            // The store has of a broadcast what APNs has taken.
            guard push.seen.isToDevice || last.life == push.seen.life else { return note(push) }
            if timestamp < last.timestamp || timestamp == last.timestamp && !mayRepeat {
                findings.note(
                    .IN1, at: world.now,
                    "\(push.card): timestamp \(timestamp) left after \(last.timestamp)")
            }
        }
        note(push)
        let lead = timestamp * 1000 - world.wall
        // Only a clock that was set back may be led by more.
        if lead > Self.leadMax + world.setBack + world.driftMax {
            findings.note(
                .IN1, at: world.now,
                "\(push.card): timestamp \(timestamp) leads the wall clock by \(lead) ms")
        }
    }

    private mutating func note(_ push: JudgedPush) {
        last[push.token] = Last(
            timestamp: max(push.timestamp ?? 0, last[push.token]?.timestamp ?? 0),
            id: push.seen.apnsID, life: push.seen.life)
    }
}
