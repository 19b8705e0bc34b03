/// A party's bots and what they have seen, from the first look to the verdict.
struct Group: Sendable {
    let party: String
    var bots: [Bot]
    var phones: [PhoneBook.Number?] = []
    var record = EventRecord()
    /// The newest event before this run: what came earlier was for other phones.
    var base = 0
    var quirksDone: Set<Int> = []
    var dismissed: Set<Int> = []
    var retired: [(phone: PhoneBook.Number, token: String)] = []
    var potionsOfUnknownFate = 0
    /// How much of the game master's plan is done.
    var meddled = 0
    private var potions = 0
    private var acknowledgedVersion = 0
    private(set) var result = PartyPlay.Result()

    init(party: String, bots: [Bot]) {
        self.party = party
        self.bots = bots
        result.party = party
    }

    /// The bots whose cards are still watched.
    var watching: [Int] { bots.indices.filter { !dismissed.contains($0) } }

    /// Takes what the API showed; returns the events that are new.
    mutating func see(_ state: PartyState) -> [EventState] {
        if state.version < acknowledgedVersion {
            violation("version \(state.version) is older than an acknowledged one")
        }
        if state.leader != state.heroes.first?.owner {
            violation("the leader is not the first hero's player")
        }
        for hero in state.heroes where !(0...1).contains(hero.health) {
            violation("\(hero.name)'s health is \(hero.health)")
        }
        return record.take(state.events)
    }

    /// The server has said that a potion was used: it must be in the events.
    mutating func acknowledged(potion state: PartyState) {
        potions += 1
        acknowledgedVersion = max(acknowledgedVersion, state.version)
    }

    mutating func violation(_ text: String) { result.violations.append(text) }

    // MARK: The verdict

    mutating func judge(by play: PartyPlay) async throws {
        let final = try await play.persistence.insist { [self] in
            try await bots[0].api.party(party, after: record.last)
        }
        _ = see(final)
        result.violations += record.violations
        result.events = record.events.count
        result.potions = potions
        result.outcome = final.adventure?.outcome ?? "none"
        let used = record.events.count { $0.kind == "potionUsed" && $0.sequence > base }
        if !(potions...potions + potionsOfUnknownFate).contains(used) {
            violation("\(potions) potions were acknowledged, \(used) are in the events")
        }
        if record.adventure.last?.kind != "adventureOver" {
            violation("the last event is \(record.adventure.last?.kind ?? "none")")
        }
        if record.adventure.count(where: { $0.kind == "adventureOver" }) != 1 {
            violation("adventureOver did not come once")
        }
        try await judgeLedger(play)
        if let book = play.phones { judgePhones(book, final, faults: play.plan.faults()) }
    }

    /// Every event has exactly one decision an activity, from the adventure's beginning on.
    private mutating func judgeLedger(_ play: PartyPlay) async throws {
        let admin = play.admin
        let party = party
        var rows: [LedgerRow] = []
        while true {
            let after = rows.last?.event ?? 0
            let page = try await play.persistence.insist {
                try await admin.decisions(of: party, after: after).decisions
            }
            if page.isEmpty { break }
            rows += page
        }
        for row in rows where row.event > base {
            result.verdicts[row.verdict, default: 0] += 1
        }
        let began = max(record.adventure.first?.sequence ?? 1, base + 1)
        for bot in bots {
            let decided = rows.filter { $0.activity == bot.activity && $0.event >= began }
                .map(\.event).sorted()
            let happened = record.events.map(\.sequence).filter { $0 >= began }
            if decided != happened {
                violation(
                    "\(bot.heroName): \(happened.count) events, but \(decided.count) decisions")
            }
        }
    }

    private mutating func judgePhones(_ book: PhoneBook, _ final: PartyState, faults: Int) {
        for number in bots.indices {
            guard let phone = phones[number].map({ book[$0] }) else { continue }
            result.violations += phone.violations.map { "\(phone.name): \($0)" }
            guard !dismissed.contains(number) else { continue }
            if !phone.hasEnded { violation("\(phone.name): the card has not ended") }
            if let card = final.hero(bots[number].hero)?.card, bots[number].language == "en",
                phone.card != card
            {
                violation("\(phone.name) shows \(String(describing: phone.card)), not \(card)")
            }
            judgeAlerts(phone, of: bots[number], faults: faults)
            judgePriorities(phone)
        }
    }

    private mutating func judgeAlerts(_ phone: Phone, of bot: Bot, faults: Int) {
        let falls = record.events.count {
            $0.kind == "knockedDown" && $0.hero == bot.hero && $0.sequence > base
        }
        if !(falls...falls + faults).contains(phone.alerts) {
            violation("\(phone.name): \(falls) falls, but \(phone.alerts) alerts")
        }
    }

    /// Priority 10 only for events whose row says so.
    private mutating func judgePriorities(_ phone: Phone) {
        let high = record.events.count { Invariants.isHighPriority($0.kind) }
        let sent = phone.received.count { $0.priority == 10 && $0.aps.alert == nil }
        if sent > high + 1 {
            violation("\(phone.name): \(sent) pushes of priority 10 for \(high) events")
        }
    }
}
