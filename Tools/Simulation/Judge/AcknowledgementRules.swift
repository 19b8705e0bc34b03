internal import JSONReader

/// IN6: a model of what each client knows to have been acknowledged, compared with all that it is
/// told later.
struct AcknowledgementRules: Rules {
    private struct Membership {
        let party: String
        let client: Exchange.Client
        let since: Int64
    }

    private struct Removal {
        let sentAt: Int64
    }

    private struct Kept {
        let status: Int
        let id: String?
        let path: String
    }

    /// A contradiction that a request on its way may still explain.
    private struct Doubt {
        let at: Int64
        let hero: String
        let words: String
    }

    private struct Key: Hashable {
        let client: Exchange.Client
        let key: String
    }

    private static let doubtMilliseconds: Int64 = 120_000

    private var players: [Exchange.Client: Int64] = [:]
    private var heroes: [String: Int64] = [:]
    private var memberships: [String: Membership] = [:]
    private var removals: [String: [Removal]] = [:]
    private var goneParties: [String: Int64] = [:]
    private var kept: [Key: Kept] = [:]
    private var doubts: [Doubt] = []
    /// The distinct starts and potions that were acknowledged, by party.
    private var potions: [String: Set<String>] = [:]
    /// Those whose bearer token may have changed.
    private var tokensInDoubt: Set<Exchange.Client> = []
    private var revisions: [String: [(revision: Int64, at: Int64)]] = [:]

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        guard case .exchange(let exchange) = scene else { return }
        noteRemovals(exchange)
        refused(exchange, in: world, &findings)
        if exchange.isAcknowledged {
            let isRepeated = compareKept(exchange, in: world, &findings)
            if !isRepeated { acknowledged(exchange) }
            compareMembers(exchange, in: world)
            compareRevisions(exchange, in: world, &findings)
        }
        settle(until: world.now - Self.doubtMilliseconds, in: world, &findings)
    }

    mutating func conclude(in world: Circumstances, _ findings: inout Violations) {
        settle(until: .max, in: world, &findings)
        for (id, keys) in potions.sorted(by: { $0.key < $1.key }) {
            guard let party = world.parties[id], party.events[1] != nil,
                party.events.count == Int(party.newestSequence)
            else { continue }
            let used = party.events.values.count { $0.kind == "potionUsed" }
            guard used < keys.count else { continue }
            findings.note(
                .IN6, at: world.now,
                "\(keys.count) potions were acknowledged in party \(id), \(used) are in its events")
        }
    }

    // MARK: - What is acknowledged

    private mutating func acknowledged(_ exchange: JudgedExchange) {
        let client = exchange.seen.client
        if case .player = client, players[client] == nil { players[client] = exchange.at }
        if exchange.isCall("POST", "heroes"), let id = exchange.response?["id"]?.text {
            heroes[id] = exchange.at
        } else if exchange.isCall("POST", "parties") || exchange.isCall("POST", "parties", "join"),
            let party = exchange.party?["id"]?.text, let hero = exchange.body?["hero"]?.text
        {
            // Anything that took the hero out since the request left may have come after it.
            let isOut = removals[hero]?.contains { $0.sentAt > exchange.seen.sentAt } ?? false
            memberships[hero] =
                isOut ? nil : Membership(party: party, client: client, since: exchange.at)
        } else if exchange.isCall("POST", "parties", "*", "actions"),
            exchange.body?["action"]?.text == "usePotion"
        {
            let key = exchange.seen.idempotencyKey ?? "\(exchange.seen.sentAt)"
            potions[String(exchange.parts[1]), default: []].insert("\(client) \(key)")
        } else if exchange.isCall("PUT", "activities", "*"),
            let revision = exchange.body?["revision"]?.integer
        {
            revisions[String(exchange.parts[1]), default: []].append((revision, exchange.at))
        }
    }

    private mutating func noteRemovals(_ exchange: JudgedExchange) {
        let isDone = exchange.seen.status.map { $0 < 300 || $0 >= 500 } ?? true
        guard isDone else { return }
        let removal = Removal(sentAt: exchange.seen.sentAt)
        if exchange.isCall("POST", "parties", "*", "actions"),
            exchange.body?["action"]?.text == "leave", let hero = exchange.body?["hero"]?.text
        {
            remove(hero, removal)
        } else if exchange.isCall("POST", "parties", "*", "members", "*", "kick") {
            remove(String(exchange.parts[3]), removal)
        } else if exchange.isCall("DELETE", "parties", "*") {
            let party = String(exchange.parts[1])
            goneParties[party] = exchange.seen.sentAt
            for (hero, membership) in memberships where membership.party == party {
                remove(hero, removal)
            }
        } else if exchange.isCall("DELETE", "me") {
            tokensInDoubt.insert(exchange.seen.client)
        } else if exchange.isCall("POST", "me", "token")
            || exchange.isCall("DELETE", "me", "devices", "*")
            || exchange.isCall("POST", "players", "recover")
            || exchange.isCall("DELETE", "admin", "players", "*", "token")
        {
            tokensInDoubt.insert(exchange.seen.client)
        }
    }

    private mutating func remove(_ hero: String, _ removal: Removal) {
        removals[hero, default: []].append(removal)
        memberships[hero] = nil
    }

    // MARK: - What contradicts it

    private mutating func refused(
        _ exchange: JudgedExchange, in world: Circumstances, _ findings: inout Violations
    ) {
        guard let status = exchange.seen.status else { return }
        let client = exchange.seen.client
        if status == 401, let since = players[client], since < exchange.seen.sentAt,
            !tokensInDoubt.contains(client)
        {
            findings.note(
                .IN6, at: world.now,
                """
                \(client) was registered at \(RunStory.seconds(since)), and \(exchange.call) says 401
                """)
        }
        if status == 404, exchange.isCall("GET", "parties", "*") {
            let party = String(exchange.parts[1])
            let members = memberships.filter {
                $0.value.party == party && $0.value.client == client
            }
            guard goneParties[party] == nil, let hero = members.keys.sorted().first,
                memberships[hero]?.since ?? .max < exchange.seen.sentAt
            else { return }
            doubts.append(
                Doubt(at: world.now, hero: hero, words: "party \(party) is a 404 to its members"))
        }
        if status == 404, exchange.isCall("GET", "heroes", "*", "bag"),
            heroes[String(exchange.parts[1])] ?? .max < exchange.seen.sentAt
        {
            findings.note(
                .IN6, at: world.now, "hero \(exchange.parts[1]) was created, and is a 404")
        }
    }

    /// The same request with the same key has the same result. Returns whether it had one before.
    private mutating func compareKept(
        _ exchange: JudgedExchange, in world: Circumstances, _ findings: inout Violations
    ) -> Bool {
        guard let text = exchange.seen.idempotencyKey, let status = exchange.seen.status else {
            return false
        }
        let key = Key(client: exchange.seen.client, key: text)
        let id = exchange.response?["id"]?.text
        guard let first = kept[key] else {
            kept[key] = Kept(status: status, id: id, path: exchange.seen.path)
            return false
        }
        guard first.path == exchange.seen.path, first.status != status || first.id != id else {
            return true
        }
        findings.note(
            .IN6, at: world.now,
            """
            \(exchange.seen.client): \(exchange.call) with the same key was \(first.status) with \(first.id ?? "no id"), \
            and is \(status) with \(id ?? "no id")
            """)
        return true
    }

    private mutating func compareMembers(_ exchange: JudgedExchange, in world: Circumstances) {
        guard let party = exchange.party, let id = party["id"]?.text else { return }
        let own = party["heroes"]?.elements ?? []
        let inn = party["inn"]?["heroes"]?.elements ?? []
        let present = Set((own + inn).compactMap { $0["id"]?.text })
        for (hero, membership) in memberships.sorted(by: { $0.key < $1.key })
        where membership.party == id && membership.since < exchange.seen.sentAt {
            guard !present.contains(hero) else { continue }
            doubts.append(
                Doubt(
                    at: world.now, hero: hero,
                    words: "hero \(hero) has joined party \(id), and is not in it any more"))
        }
    }

    private mutating func compareRevisions(
        _ exchange: JudgedExchange, in world: Circumstances, _ findings: inout Violations
    ) {
        guard exchange.seen.method.uppercased() == "GET", let response = exchange.response else {
            return
        }
        var activities: [JSONValue] = []
        if exchange.isCall("GET", "me") { activities = response["activities"]?.elements ?? [] }
        if exchange.isCall("GET", "activities", "*") { activities = [response] }
        for activity in activities {
            guard let id = activity["id"]?.text else { continue }
            let known = revisions[id]?.filter { $0.at < exchange.seen.sentAt }.map(\.revision).max()
            guard let known, activity["revision"]?.integer ?? 0 < known else { continue }
            findings.note(
                .IN6, at: world.now,
                """
                revision \(known) of activity \(id) was acknowledged, now it has \
                \(activity["revision"]?.integer ?? 0)
                """)
        }
    }

    /// Notes doubts that no request has explained.
    private mutating func settle(
        until end: Int64, in world: Circumstances, _ findings: inout Violations
    ) {
        guard doubts.contains(where: { $0.at <= end }) else { return }
        for doubt in doubts where doubt.at <= end {
            let isExplained = removals[doubt.hero]?.contains { $0.sentAt <= doubt.at } ?? false
            if !isExplained { findings.note(.IN6, at: doubt.at, doubt.words) }
        }
        doubts.removeAll { $0.at <= end }
    }
}
