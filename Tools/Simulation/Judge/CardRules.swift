internal import JSONReader

/// IN16: at calm every card shows what the party's last state gives it, and every one whose
/// adventure is over has got its end.
struct CardRules: Rules {
    private struct Shown {
        let timestamp: Int64
        let push: JudgedPush
    }

    /// The newest push that Apple has accepted, by token.
    private var shown: [String: Shown] = [:]
    /// When APNs accepted the end, by token.
    private var endedAt: [String: Int64] = [:]
    /// Where Apple has refused an end for good: it does not go again.
    private var givenUp: Set<String> = []
    private var refused = RefusedTokens()
    private(set) var checked = 0

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        if case .answered(let push, let status?, reason: _) = scene, push.isEnd,
            (400..<500).contains(status), status != 429
        {
            givenUp.insert(push.token)
        }
        refused.see(scene, in: world)
        guard case .reached(let push, status: 200, reason: _) = scene, push.isOfCard,
            let timestamp = push.timestamp
        else { return }
        if timestamp > shown[push.token]?.timestamp ?? 0 {
            shown[push.token] = Shown(timestamp: timestamp, push: push)
        }
        if push.isEnd { endedAt[push.token] = endedAt[push.token] ?? world.now }
    }

    /// Whether APNs has accepted the card's end, for the token that its app had reported then.
    private func hasEnded(_ card: SeenCard, in world: Circumstances) -> Bool {
        card.tokens.contains { token in
            guard let end = endedAt[token] else { return false }
            return end <= world.cards.retiredAt[token] ?? .max
        }
    }

    /// What the phone of a card shows: the newest push to its newest token that got one. Between
    /// tokens a clock may have been set back.
    private func shown(on card: SeenCard) -> Shown? {
        card.tokens.reversed().lazy.compactMap { shown[$0] }.first
    }

    /// Compares the cards of a party with what the server says of them now: the responses of
    /// `GET /v1/admin/parties/{party}/cards` and `GET /v1/admin/parties/{party}`.
    mutating func compare(
        cards: JSONValue, party: JSONValue, in world: Circumstances, _ findings: inout Violations
    ) {
        let state = party["party"] ?? party
        let isOver = ["over", nil].contains(state["adventure"]?["phase"]?.text)
        let heroes = state["heroes"]?.elements ?? []
        let members = Set(heroes.compactMap { $0["id"]?.text })
        for json in cards["cards"]?.elements ?? [] {
            guard let id = json["activity"]?.text, let card = world.cards.cards[id],
                card.goneAt == nil, card.token != nil,
                !card.tokens.contains(where: givenUp.contains), !refused.isDead(card, in: world)
            else { continue }
            checked += 1
            // While an adventure goes on something may be on its way.
            if isOver { compare(card, json, members: members, in: world, &findings) }
        }
        guard isOver else { return }
        // Damage may have taken a card from its party.
        let known = Set(
            (cards["cards"]?.elements ?? []).filter { $0["token"]?.text != nil }
                .compactMap { $0["activity"]?.text })
        let all = world.cards.all.filter {
            !world.hasFlippedBits || known.contains($0.activity)
        }
        for id in members {
            for card in all where card.hero == id {
                compareEnd(of: card, in: world, &findings)
            }
        }
        for hero in heroes {
            guard let id = hero["id"]?.text,
                let card = all.filter({ $0.hero == id && $0.goneAt == nil })
                    .max(by: { $0.registeredAt < $1.registeredAt }),
                !card.tokens.contains(where: givenUp.contains), !refused.isDead(card, in: world)
            else { continue }
            compare(card, with: hero, in: world, &findings)
        }
    }

    /// What the server owes, and what it believes the phone shows.
    private func compare(
        _ card: SeenCard, _ json: JSONValue, members: Set<String>, in world: Circumstances,
        _ findings: inout Violations
    ) {
        let hasToken = json["token"].map { $0 != .null } ?? false
        if hasToken, let owed = json["owed"], owed != .null, !refused.mayKeepAll(card) {
            findings.note(
                .IN17, at: world.now,
                "card \(card.activity) is still owed “\(owed["contentState"]?["eventDescription"]?.text ?? "?")”"
            )
        }
        guard hasToken, let believed = json["shown"]?["contentState"], believed != .null else {
            return
        }
        let real = shown(on: card)?.push
        // What the server believes is told with today's names, and of who left as it was known
        // before its last change; and in the language that the app registered after the end.
        let isRegisteredAgain =
            real.map { real in
                real.isEnd && card.tokens.contains { world.cards.putAt[$0] ?? 0 > real.seen.at }
            } ?? false
        if !world.isRenamed, !isRegisteredAgain, members.contains(card.hero),
            !hasLeft(card.hero, in: world),
            real?.content?["eventDescription"] != believed["eventDescription"]
                || real?.content?["currentHealthLevel"] != believed["currentHealthLevel"]
        {
            findings.note(
                .IN16, at: world.now,
                """
                card \(card.activity) shows “\(real?.description ?? "nothing")” at \
                \(real?.health ?? -1), not “\(believed["eventDescription"]?.text ?? "nothing")” \
                at \(believed["currentHealthLevel"]?.number ?? -1), as the server believes
                """)
        }
        if json["endedAt"].map({ $0 != .null }) ?? false,
            !hasEnded(card, in: world)
        {
            findings.note(
                .IN16, at: world.now,
                "card \(card.activity) has ended for the server, and never got its end")
        }
    }

    private func hasLeft(_ hero: String, in world: Circumstances) -> Bool {
        world.parties.party(of: hero)?.events.values
            .contains { $0.hero == hero && ["heroLeft", "heroStayed"].contains($0.kind) } ?? false
    }

    /// A card of an adventure that was over before another began.
    private func compareEnd(
        of card: SeenCard, in world: Circumstances, _ findings: inout Violations
    ) {
        guard let party = world.parties.party(of: card.hero), world.isClockSteady,
            !hasLeft(card.hero, in: world),
            let over = party.story.first(where: {
                $0.kind == "adventureOver" && $0.at > card.registeredAt + 60_000
            }), card.goneAt.map({ $0 > over.at + 60_000 }) ?? true,
            card.tokenAt.map({ $0 < over.at - 1000 }) ?? false, card.token != nil,
            !card.tokens.contains(where: givenUp.contains), !refused.isDead(card, in: world),
            !hasEnded(card, in: world), let push = shown(on: card)?.push
        else { return }
        findings.note(
            .IN16, at: world.now,
            """
            card \(card.activity) shows “\(push.description)”, and its adventure was over at \
            \(RunStory.seconds(over.at))
            """)
    }

    /// The card of a hero whose adventure is over.
    private func compare(
        _ card: SeenCard, with hero: JSONValue, in world: Circumstances,
        _ findings: inout Violations
    ) {
        guard let truth = hero["card"], let party = world.parties.party(of: card.hero),
            let began = party.story.last(where: { $0.kind == "adventureBegan" }),
            let over = party.story.last(where: { $0.kind == "adventureOver" }),
            over.sequence > began.sequence,
            // One that was registered later has nothing to tell until the next adventure.
            card.registeredAt < began.at || card.registeredAt < over.at - 60_000,
            world.isClockSteady, let push = shown(on: card)?.push
        else { return }
        if !hasEnded(card, in: world) {
            findings.note(
                .IN16, at: world.now,
                "card \(card.activity) shows “\(push.description)”, and its adventure is over")
        } else if card.registeredAt > began.at - 60_000,
            (over.at - 1000...over.at + 5000).contains(push.seen.at),
            push.health != truth["currentHealthLevel"]?.number
        {
            findings.note(
                .IN16, at: world.now,
                """
                card \(card.activity) shows health \(push.health ?? -1), and its hero has \
                \(truth["currentHealthLevel"]?.number ?? -1)
                """)
        }
    }
}
