/// The leader's question to all heroes before an adventure. Whoever is not ready when it ends
/// stays at the inn.
///
/// The engine has no clock: the server applies `Command.finishReadyCheck` when all are ready, or
/// when the time is over.
package struct ReadyCheck: Hashable, Sendable {
    /// How long heroes may answer, in milliseconds.
    package static let length: Int64 = 120_000
    /// How long after its end a check can still begin an adventure, in milliseconds: after an
    /// outage nobody waits for it.
    package static let lateMax: Int64 = 600_000

    /// The number of the event that asks. No question of an adventure of the party has the same:
    /// those before have smaller ones, and those after begin above it.
    package let id: Int
    package let plan: Plan
    /// The heroes who said yes, and those who said no, in the order of their answers.
    package private(set) var yes: [HeroID]
    package private(set) var no: [HeroID]

    /// What the leader chooses.
    package struct Plan: Hashable, Sendable {
        /// Rolls all dice of the adventure.
        package let seed: UInt64
        package let pack: Pack
        package let difficulty: Difficulty
        /// In milliseconds of the server's time.
        package let endsAt: Int64
        package let quorum: Quorum

        package init(
            seed: UInt64, _ pack: Pack, _ difficulty: Difficulty, endsAt: Int64, quorum: Quorum
        ) {
            self.seed = seed
            self.pack = pack
            self.difficulty = difficulty
            self.endsAt = endsAt
            self.quorum = quorum
        }
    }

    /// How many heroes an adventure needs.
    package enum Quorum: Hashable, Sendable, CaseIterable {
        case half
        /// One is enough.
        case anybody
    }

    package init(id: Int, _ plan: Plan, yes: [HeroID], no: [HeroID] = []) {
        self.id = id
        self.plan = plan
        self.yes = yes
        self.no = no
    }

    /// Whether a stored check can be one of a party with this next event.
    func isValid(before nextSequence: Int) -> Bool {
        (1..<nextSequence).contains(id) && max(yes.count, no.count) <= Party.sizeMax
            && Set(yes).isDisjoint(with: no)
    }

    /// Notes an answer in place of an earlier one of the same hero.
    mutating func note(_ hero: HeroID, _ isYes: Bool) {
        forget(hero)
        if isYes { yes.append(hero) } else { no.append(hero) }
    }

    mutating func forget(_ hero: HeroID) {
        yes.removeAll { $0 == hero }
        no.removeAll { $0 == hero }
    }

    /// Whether this hero comes along if the check ends now.
    fileprivate func takes(_ hero: Hero) -> Bool {
        yes.contains(hero.id) || hero.home.orders.setOut == .along && !no.contains(hero.id)
    }

    /// Whether this many of all heroes are enough.
    fileprivate func isEnough(_ coming: Int, of all: Int) -> Bool {
        switch plan.quorum {
        case .half: coming * 2 >= all
        case .anybody: coming > 0
        }
    }
}

extension Party {
    /// Whether the check is over at this time of the server, in milliseconds: all heroes are ready,
    /// or it has ended.
    package func isReadyCheckOver(at now: Int64) -> Bool {
        guard let check = readyCheck else { return false }
        return check.plan.endsAt <= now
            || members.allSatisfy { check.yes.contains($0.hero.id) }
    }

    /// The leader's own heroes are ready.
    mutating func checkReadiness(_ plan: ReadyCheck.Plan) throws(RuleError) -> PartyEvent {
        guard !isOnAdventure else { throw .adventureRunning }
        guard readyCheck == nil else { throw .readyCheckRunning }
        guard let leader = members.first?.hero else { throw .noHero }
        try leader.require(plan.difficulty)
        let event = note(.readyAsked, at: adventure?.advancedTo ?? .zero)
        readyCheck = ReadyCheck(
            id: event.sequence, plan,
            yes: members.map(\.hero).filter { $0.owner == leader.owner }.map(\.id))
        return event
    }

    /// Notes a hero's answer. The last one before the end counts.
    mutating func answerReadyCheck(
        _ hero: HeroID, ask: Int, yes: Bool
    ) throws(RuleError) -> [PartyEvent] {
        guard let check = readyCheck else {
            if case .readyCheckEnded? = lastEvent?.kind { throw .readyCheckOver }
            throw .noAdventure
        }
        guard member(hero) != nil else { throw .notInParty(hero) }
        guard check.id == ask else { throw .noSuchAsk(ask) }
        readyCheck?.note(hero, yes)
        return []
    }

    /// Sets out with the heroes who are ready, if they are enough; else the check just ends.
    mutating func finishReadyCheck(_ departure: Departure) throws(RuleError) -> [PartyEvent] {
        guard let check = readyCheck else { throw .readyCheckOver }
        let coming = members.filter { check.takes($0.hero) }
        guard check.isEnough(coming.count, of: members.count),
            departure.at - check.plan.endsAt <= ReadyCheck.lateMax
        else { return [try cancelReadyCheck()] }
        let leader = leader
        let staying = members.filter { !check.takes($0.hero) }
        let time = adventure?.advancedTo ?? .zero
        var events = staying.map { note(.heroStayed($0.hero.tag), at: time) }
        members = coming
        events += noteLeader(after: leader, at: time)
        events.append(begin(seed: check.plan.seed, in: check.plan.pack, departure))
        adventure?.course.openAsks(after: check.id)
        inn = staying.map { $0.heroAtRest(since: departure.restedSince) }
        return events
    }

    /// Ends the check without an adventure.
    mutating func cancelReadyCheck() throws(RuleError) -> PartyEvent {
        guard readyCheck != nil else { throw .readyCheckOver }
        readyCheck = nil
        return note(.readyCheckEnded, at: adventure?.advancedTo ?? .zero)
    }
}

extension Hero {
    /// Refuses a difficulty that this hero, as the leader's, has not opened.
    func require(_ difficulty: Difficulty) throws(RuleError) {
        guard let needed = difficulty.requires, !home.opens(difficulty) else { return }
        throw .difficultyLocked(difficulty, requires: needed)
    }
}
