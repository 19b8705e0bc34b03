internal import JSONReader

/// IN3: after an end only the same end follows, and nothing once the server knows of it.
struct EndRules: Rules {
    private struct End {
        let content: JSONValue?
        var health: Double? { content?["currentHealthLevel"]?.number }
        let at: Int64
        let life: LifeID
        let timestamp: Int64?
        /// The lives that were told so.
        var lives: Set<LifeID> = []
        var afterwards = 0

        init(_ push: JudgedPush, at now: Int64) {
            content = push.content
            at = now
            life = push.seen.life
            timestamp = push.timestamp
        }
    }

    private var ends: [String: End] = [:]

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        switch scene {
        case .sent(let push):
            guard push.isOfCard, let end = ends[push.token],
                end.lives.contains(push.seen.life), !isNew(push.token, since: end, in: world)
            else { return }
            ends[push.token]?.afterwards += 1
            // It goes once more if the language changed while it was in flight.
            if !push.isEnd || end.afterwards > 0 {
                findings.note(
                    .IN3, at: world.now, "\(push.words) left after APNs had accepted the end")
            }
        case .reached(let push, status: 200, reason: _):
            guard push.isOfCard else { return }
            guard let end = ends[push.token] else {
                if push.isEnd { ends[push.token] = End(push, at: world.now) }
                return
            }
            if isNew(push.token, since: end, in: world) {
                ends[push.token] = push.isEnd ? End(push, at: world.now) : nil
            } else if !isLate(push, after: end), !push.isEnd || !isSame(push, end, in: world) {
                findings.note(
                    .IN3, at: world.now,
                    "\(push.words), a push of the form \(push.event), came after the end")
            }
        case .answered(let push, status: 200, reason: _):
            if push.isOfCard, push.isEnd { ends[push.token]?.lives.insert(push.seen.life) }
        case .answered, .reached, .exchange, .other: break
        }
    }

    /// Whether an app has registered the token once more: a request of before the end may come late.
    private func isNew(_ token: String, since end: End, in world: Circumstances) -> Bool {
        world.cards.unclear.contains(token) || world.cards.putAt[token] ?? 0 > end.at
    }

    /// Whether the push was under way when another server's end was accepted: a server that stands
    /// still does not know who has taken over. The phone drops it, because its timestamp is older.
    private func isLate(_ push: JudgedPush, after end: End) -> Bool {
        push.seen.life != end.life && push.seen.at <= end.at
            && push.timestamp ?? .max < end.timestamp ?? 0
    }

    /// Whether the end is the same one: in another language, or of heroes with other names, it has
    /// other words.
    private func isSame(_ push: JudgedPush, _ end: End, in world: Circumstances) -> Bool {
        push.content == end.content || world.isRenamed && push.health == end.health
            || world.cards.card(of: push.token)?.hasChangedLanguage == true
                && push.content?["currentHealthLevel"] == end.content?["currentHealthLevel"]
    }
}
