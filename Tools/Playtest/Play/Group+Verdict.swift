/// Checks whether all invariants held for a party.
extension Group {
    mutating func judge(by play: PartyPlay) async throws {
        let final = try await play.persistence.insist { [self] in
            try await bots[0].api.party(party, after: record.last)
        }
        _ = see(final)
        result.outcome = final.adventure?.outcome ?? "none"
        judgeStory()
        judge(ledger: try await ledger(play))
        guard let book = play.phones else { return }
        var cards: [String: PartyState] = [:]
        for language in Set(bots.map(\.language)).sorted() {
            cards[language] = try await play.persistence.insist { [self] in
                try await bots[0].api.party(party, after: record.last, language: language)
            }
        }
        if let spectator {
            let card = cards[bots[0].language]?.hero(bots[0].hero)?.card
            judge(spectator: book[spectator], card: card, faults: play.plan.faults())
        }
        for number in bots.indices {
            if let device = devices[number] {
                judge(book.device(device), of: number, faults: play.plan.faults())
            }
            guard let phone = phones[number].map({ book[$0] }) else { continue }
            let card = cards[bots[number].language]?.hero(bots[number].hero)?.card
            judge(phone, of: number, card: card, faults: play.plan.faults())
        }
    }

    /// The events of this run.
    private var newEvents: [EventState] { record.events.filter { $0.sequence > base } }

    /// Checks the events of the API: acknowledged potions are included, and the adventure has its
    /// end.
    mutating func judgeStory() {
        result.violations += record.violations
        result.events = newEvents.count
        result.potions = potions
        let used = newEvents.count { $0.kind == "potionUsed" }
        if !(potions...potions + potionsOfUnknownFate).contains(used) {
            violation("\(potions) potions were acknowledged, \(used) are in the events")
        }
        if record.adventure.last?.kind != "adventureOver" {
            violation("the last event is \(record.adventure.last?.kind ?? "none")")
        }
        if record.adventure.count(where: { $0.kind == "adventureOver" }) != 1 {
            violation("adventureOver did not come once")
        }
    }

    private func ledger(_ play: PartyPlay) async throws -> [LedgerRow] {
        let admin = play.admin
        let party = party
        var rows: [LedgerRow] = []
        while true {
            let after = rows.last?.event ?? 0
            let page = try await play.persistence.insist {
                try await admin.decisions(of: party, after: after).decisions
            }
            if page.isEmpty { return rows }
            rows += page
        }
    }

    /// Checks that every event has exactly one decision for each activity, from the adventure's
    /// beginning on.
    mutating func judge(ledger rows: [LedgerRow]) {
        for row in rows where row.event > base {
            result.verdicts[row.verdict, default: 0] += 1
        }
        let began = max(record.adventure.first?.sequence ?? 1, base + 1)
        for (number, bot) in bots.enumerated() {
            let decided = rows.filter { $0.activity == bot.activity && $0.event >= began }
                .map(\.event).sorted()
            let happened = record.events.map(\.sequence).filter { $0 >= began }
            if !isRight(decided, happened, of: number) {
                violation(
                    "\(bot.heroName): \(happened.count) events, but \(decided.count) decisions")
            }
        }
    }

    /// Returns whether the decisions are right. An activity started by push has decisions from its
    /// registration on, if it was started at all. A dismissed one has none after its dismissal.
    private func isRight(_ decided: [Int], _ happened: [Int], of number: Int) -> Bool {
        let isGone = dismissed.contains(number)
        var expected = happened[...]
        if bots[number].isAsleep {
            guard let reported = reportedAfter[number] else { return decided.isEmpty }
            let first = decided.first ?? .max
            let isComplete = first <= reported + 1 || !happened.contains { $0 > reported }
            guard isGone || isComplete else { return false }
            expected = happened.drop { $0 < first }
        }
        return isGone ? expected.starts(with: decided) : expected.elementsEqual(decided)
    }

    /// Checks a phone whose app was not running: one correct start arrived.
    mutating func judge(_ device: StartableDevice, of number: Int, faults: Int) {
        result.violations += device.violations.map { "\(device.name): \($0)" }
        // A server that dies before it has sent a start cannot tell that it is missing.
        if device.starts.isEmpty, faults == 0 { violation("\(device.name): no card has begun") }
    }

    /// Checks a phone at the end: it kept its own invariants, its content is true, and it alerted
    /// as often as its hero was knocked down.
    mutating func judge(_ phone: Phone, of number: Int, card: CardState?, faults: Int) {
        result.violations += phone.violations.map { "\(phone.name): \($0)" }
        guard !dismissed.contains(number) else { return }
        if !phone.hasEnded { violation("\(phone.name): the card has not ended") }
        if phone.repeatedEnds > faults + phone.rotations {
            violation("\(phone.name): the end came \(phone.repeatedEnds + 1) times")
        }
        if card == nil || phone.card != card {
            violation("\(phone.name) shows \(words(phone.card)), not \(words(card))")
        }
        judgeAlerts(phone, of: number, faults: faults)
        judgePriorities(phone, faults: faults)
    }

    private func words(_ card: CardState?) -> String {
        card.map { "“\($0.eventDescription)” at \($0.currentHealthLevel)" } ?? "nothing"
    }

    private mutating func judgeAlerts(_ phone: Phone, of number: Int, faults: Int) {
        let hero = bots[number].hero
        let falls = newEvents.filter { $0.kind == "knockedDown" && $0.hero == hero }
        // The alert of an event before this run may have been in flight.
        let most = falls.count + faults + (isResumed ? 1 : 0)
        // While a server is down it sends no alerts.
        let heard = reportedAfter[number] ?? 0
        let least = falls.count { $0.sequence > heard && hasLasted($0) } - faults
        if phone.alerts > most {
            violation("\(phone.name): \(falls.count) falls, but \(phone.alerts) alerts")
        } else if phone.alerts < least {
            violation("\(phone.name): \(least) calls for help, but \(phone.alerts) alerts")
        }
    }

    /// Returns whether the hero was knocked down long enough for a mandatory alert.
    private func hasLasted(_ fall: EventState) -> Bool {
        let end = newEvents.first { event in
            guard event.sequence > fall.sequence else { return false }
            let isRescue = event.kind == "revived" || event.kind == "potionUsed"
            return event.kind == "adventureOver" || isRescue && event.hero == fall.hero
        }
        guard let end else { return false }
        return end.at - fall.at > Invariants.unheardFallMillisecondsMax
    }

    /// Checks that only events with high priority in the policy used priority 10.
    private mutating func judgePriorities(_ phone: Phone, faults: Int) {
        let high = newEvents.count { Invariants.isHighPriority($0.kind) }
        let sent = phone.received.count { $0.priority == 10 && $0.aps.alert == nil }
        if sent > high + 1 + faults {
            violation("\(phone.name): \(sent) pushes of priority 10 for \(high) events")
        }
    }
}
