internal import PushPolicy

/// Checks at the end of a play whether all invariants held for its party.
struct FinalCheck {
    private(set) var party: BotParty

    private let pace: Pace

    /// How thick and fast events come.
    enum Pace: Hashable, Sendable {
        case usual
        /// A boss rush, on phones with frequent updates: blows have high priority (Q6).
        case rush
    }

    init(of party: BotParty, pace: Pace = .usual) {
        self.party = party
        self.pace = pace
    }

    /// Checks a play that has ended; returns its result.
    mutating func run(_ play: PartyPlay) async throws -> PartyPlay.Result {
        let final = try await play.poll(party)
        _ = party.see(final)
        party.result.outcome = final.adventure?.outcome ?? "none"
        checkEvents()
        check(ledger: try await ledger(play))
        if let book = play.phones { try await check(book, after: play) }
        return party.result
    }

    private mutating func check(_ book: PhoneBook, after play: PartyPlay) async throws {
        var states: [String: PartyState] = [:]
        for language in Set(party.bots.map(\.language)).sorted() {
            states[language] = try await play.poll(party, language: language)
        }
        if let spectator = party.spectator {
            let content = states[party.bots[0].language]?.hero(party.bots[0].hero)?.card
            check(spectator: book[spectator], content: content, faults: play.plan.faults())
        }
        for number in party.bots.indices {
            if let device = party.devices[number] {
                check(book.device(device), of: number, faults: play.plan.faults())
            }
            guard let phone = party.phones[number].map({ book[$0] }) else { continue }
            let content = states[party.bots[number].language]?.hero(party.bots[number].hero)?.card
            check(phone, of: number, content: content, faults: play.plan.faults())
        }
    }

    /// The events of this run.
    private var newEvents: [EventState] { party.record.events.filter { $0.sequence > party.base } }

    /// Checks the events of the API: acknowledged potions are included, and the adventure
    /// has its end.
    mutating func checkEvents() {
        party.result.violations += party.record.violations
        party.result.events = newEvents.count
        party.result.potions = party.potions
        let used = newEvents.count { $0.kind == "potionUsed" }
        // Heroes drink by their standing orders too.
        if used < party.potions {
            party.violation(
                "\(party.potions) potions were acknowledged, \(used) are in the events")
        }
        if party.record.adventure.last?.kind != "adventureOver" {
            party.violation("the last event is \(party.record.adventure.last?.kind ?? "none")")
        }
        if party.record.adventure.count(where: { $0.kind == "adventureOver" }) != 1 {
            party.violation("the adventure is over more than once, or never")
        }
    }

    private func ledger(_ play: PartyPlay) async throws -> [LedgerRow] {
        var rows: [LedgerRow] = []
        while true {
            let after = rows.last?.event ?? 0
            let page = try await play.retries.untilAnswered { [id = party.id] in
                try await play.admin.decisions(of: id, after: after).decisions
            }
            if page.isEmpty { return rows }
            rows += page
        }
    }

    /// Checks that every event has exactly one decision for each activity, from the adventure's
    /// beginning on.
    mutating func check(ledger rows: [LedgerRow]) {
        for row in rows where row.event > party.base {
            party.result.dispositions[row.verdict, default: 0] += 1
        }
        let began = max(party.record.adventure.first?.sequence ?? 1, party.base + 1)
        for (number, bot) in party.bots.enumerated() {
            let decided = rows.filter { $0.activity == bot.activity && $0.event >= began }
                .map(\.event).sorted()
            let happened = party.record.events.map(\.sequence).filter { $0 >= began }
            if !isRight(decided, happened, of: number) {
                party.violation(
                    "\(bot.heroName): \(happened.count) events, but \(decided.count) decisions")
            }
        }
    }

    /// Returns whether the decisions are right. An activity started by push has decisions from its
    /// registration on, if it was started at all. One that is gone has none after that.
    private func isRight(_ decided: [Int], _ happened: [Int], of number: Int) -> Bool {
        let isGone = party.isGone(number)
        var expected = happened[...]
        if party.bots[number].isAsleep {
            guard let reported = party.reportedAfter[number] else { return decided.isEmpty }
            let first = decided.first ?? .max
            let isComplete = first <= reported + 1 || !happened.contains { $0 > reported }
            guard isGone || isComplete else { return false }
            expected = happened.drop { $0 < first }
        }
        return isGone ? expected.starts(with: decided) : expected.elementsEqual(decided)
    }

    /// Checks a phone whose app was not running: one correct start arrived.
    mutating func check(_ device: StartableDevice, of number: Int, faults: Int) {
        party.result.violations += device.violations.map { "\(device.name): \($0)" }
        // A server that dies before it has sent a start cannot tell that it is missing.
        if device.starts.isEmpty, faults == 0 {
            party.violation("\(device.name): no activity was started")
        }
    }

    /// Checks a phone at the end: it kept its own invariants, its content is true, and it alerted
    /// as often as its hero was knocked down.
    mutating func check(_ phone: Phone, of number: Int, content: CardState?, faults: Int) {
        party.result.violations += phone.violations.map { "\(phone.name): \($0)" }
        guard !party.dismissed.contains(number) else { return }
        if !phone.hasEnded { party.violation("\(phone.name): the activity has not ended") }
        if phone.repeatedEnds > faults + phone.rotations {
            party.violation("\(phone.name): the end came \(phone.ends)")
        }
        // The card of a hero at the inn has told the farewell.
        if !party.atInn.contains(number), content == nil || phone.content != content {
            party.violation("\(phone.name) shows \(words(phone.content)), not \(words(content))")
        }
        checkAlerts(phone, of: number, faults: faults)
        checkPriorities(phone, faults: faults)
    }

    /// Checks a spectator's phone at the end: it shows the leader's content, it has ended, and it
    /// received no alert and no high priority.
    mutating func check(spectator phone: Phone, content: CardState?, faults: Int) {
        party.result.violations += phone.violations.map { "\(phone.name): \($0)" }
        if !phone.hasEnded { party.violation("\(phone.name): the activity has not ended") }
        if phone.repeatedEnds > faults {
            party.violation("\(phone.name): the end came \(phone.ends)")
        }
        if content == nil || phone.content != content {
            party.violation("\(phone.name) does not show the leader's last content")
        }
        if phone.alerts > 0 { party.violation("\(phone.name) received \(phone.alerts) alerts") }
        let high = phone.received.count { $0.priority > Invariants.spectatorPriorityMax }
        if high > 0 { party.violation("\(phone.name): \(high) broadcasts had high priority") }
    }

    private func words(_ content: CardState?) -> String {
        content.map { "“\($0.eventDescription)” at \($0.currentHealthLevel)" } ?? "nothing"
    }

    private mutating func checkAlerts(_ phone: Phone, of number: Int, faults: Int) {
        let hero = party.bots[number].hero
        let knockDowns = newEvents.filter { $0.kind == "knockedDown" && $0.hero == hero }
        let calls = newEvents.count { Invariants.isCall($0.kind, about: $0.hero, to: hero) }
        // The alert of an event before this run may have been in flight.
        let most = calls + faults + (party.isResumed ? 1 : 0)
        // While a server is down it sends no alerts.
        let registered = party.reportedAfter[number] ?? 0
        let mandatory = knockDowns.filter { event in
            event.sequence > registered && hasLasted(event)
                && !party.helpless.contains(event.sequence) && !party.drinkers.contains(number)
        }
        // A run takes less than ten minutes. What a phone heard before it is not known.
        let allowed = party.isResumed ? 0 : Restraint.alertsInTenMinutes
        let least = min(mandatory.count, allowed) - faults
        if phone.alerts > most {
            party.violation(
                "\(phone.name): \(calls) calls for help, but \(phone.alerts) alerts")
        } else if phone.alerts < least {
            party.violation(
                "\(phone.name): \(least) mandatory alerts, but \(phone.alerts) received")
        }
    }

    /// Returns whether the hero was knocked down long enough for a mandatory alert.
    private func hasLasted(_ knockDown: EventState) -> Bool {
        let end = newEvents.first { event in
            guard event.sequence > knockDown.sequence else { return false }
            let isRevival = event.kind == "revived" || event.kind == "potionUsed"
            return event.kind == "adventureOver" || isRevival && event.hero == knockDown.hero
        }
        guard let end else { return false }
        return end.at - knockDown.at > Invariants.knockDownWithoutAlertMillisecondsMax
    }

    /// Checks that only events with high priority in the policy used priority 10.
    private mutating func checkPriorities(_ phone: Phone, faults: Int) {
        let high = newEvents.count { event in
            Invariants.isHighPriority(event.kind)
                || pace == .rush && Invariants.isBlow(event.kind)
        }
        let sent = phone.received.count { $0.priority == 10 && $0.aps.alert == nil }
        if sent > high + 1 + faults {
            party.violation("\(phone.name): \(sent) pushes of priority 10 for \(high) events")
        }
    }
}
