internal import JSONReader

/// What requests may meet.
struct RequestProbes: ProbeGroup {
    private struct Key: Hashable {
        let client: Exchange.Client
        let key: String
    }

    private var kept: [Key: LifeID] = [:]
    private var languages: [String: String] = [:]
    private var inFlight: [String: Int] = [:]
    private var pauseEndedAt: Int64?
    private var stoodUntil: Int64?

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ hit: (Probe) -> Void) {
        switch scene {
        case .exchange(let exchange):
            if exchange.isAcknowledged { acknowledged(exchange, in: world, hit) }
            refused(exchange, hit)
        case .sent(let push):
            inFlight[push.token] = push.seen.number
            if let ended = pauseEndedAt, world.now - ended < 1000 { hit(.owedDuringPause) }
        case .answered(let push, _, reason: _):
            if inFlight[push.token] == push.seen.number { inFlight[push.token] = nil }
        case .other(let sight):
            if case .fault(let fault) = sight, case .pause(let length) = fault.fault {
                stoodUntil = world.now + length
            }
        case .reached: break
        }
    }

    private mutating func refused(_ exchange: JudgedExchange, _ hit: (Probe) -> Void) {
        guard let status = exchange.seen.status else { return }
        if status == 503, exchange.seen.method.uppercased() != "GET",
            String(decoding: exchange.seen.response, as: UTF8.self).contains("oo many requests")
        {
            hit(.partyBusy)
        }
        if status == 409, exchange.isCall("PUT", "activities", "*") { hit(.staleRevision) }
        if status == 422, exchange.isCall("PUT", "admin", "packs", "*") { hit(.packRefused) }
    }

    private mutating func acknowledged(
        _ exchange: JudgedExchange, in world: Circumstances, _ hit: (Probe) -> Void
    ) {
        let phase = exchange.party?["adventure"]?["phase"]?.text
        if exchange.seen.method.uppercased() != "GET", exchange.at - exchange.seen.sentAt > 1000 {
            hit(.lateCommit)
        }
        if let until = stoodUntil, exchange.seen.sentAt < until, exchange.at >= until {
            hit(.stoodStill)
            stoodUntil = nil
        }
        if exchange.isCall("PUT", "admin", "packs", "*") { hit(.packPublished) }
        if exchange.isCall("DELETE", "admin", "push-pause") { pauseEndedAt = world.now }
        if exchange.isCall("POST", "me", "reconcile"),
            ["end", "register", "retired"].contains(where: {
                exchange.response?[$0]?.elements?.isEmpty == false
            })
        {
            hit(.cardReconciled)
        }
        cards(exchange, in: world, hit)
        if let text = exchange.seen.idempotencyKey {
            let key = Key(client: exchange.seen.client, key: text)
            if let life = kept[key] {
                hit(life == exchange.seen.life ? .sameKeySameResult : .sameKeyAfterDeath)
            } else if exchange.isCall("POST", "parties", "join"),
                phase == "quest" || phase == "boss"
            {
                hit(.joinedAdventure)
            }
            kept[key] = exchange.seen.life
        }
    }

    private mutating func cards(
        _ exchange: JudgedExchange, in world: Circumstances, _ hit: (Probe) -> Void
    ) {
        guard exchange.parts.first == "activities", exchange.parts.count > 1 else { return }
        let activity = String(exchange.parts[1])
        let card = world.cards.cards[activity]
        let isInFlight = card?.token.map { inFlight[$0] != nil } ?? false
        if exchange.isCall("POST", "activities", "*", "state"), isInFlight {
            hit(.dismissedInFlight)
        }
        guard exchange.isCall("PUT", "activities", "*") else { return }
        if let language = exchange.body?["language"]?.text {
            if isInFlight, let before = languages[activity], before != language {
                hit(.languageChangedInFlight)
            }
            languages[activity] = language
        }
        if card == nil, let hero = exchange.body?["hero"]?.text,
            world.parties.party(of: hero)?.isOver == true
        {
            hit(.cardForNextAdventure)
        }
    }
}
