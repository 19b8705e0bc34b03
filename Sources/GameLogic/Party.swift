/// A party of one to eight heroes, and the adventure it is on: a pure state machine.
///
/// Time and dice are parameters. The same seed and the same commands at the same times give the
/// same events, in one step or in a thousand.
package struct Party: Hashable, Sendable {
    package static let sizeMax = 8
    /// The most heroes of one player in a party, so that nobody takes the seats of others.
    package static let heroesOfPlayerMax = 2
    /// The most parties in which one player has heroes.
    package static let partiesOfPlayerMax = 4
    /// The largest number of an event, and the largest count of anything.
    package static let numberMax = 1 << 53

    package let id: PartyID
    /// The first member's owner is the leader; the others are in the order of joining.
    package internal(set) var members: [Member]
    /// The adventure that is running, or the last one.
    package internal(set) var adventure: Adventure?
    /// The newest event that the activities of all members show.
    package internal(set) var lastEvent: PartyEvent?
    /// A newer `leaderChanged`, which only the new leader's activity shows.
    package internal(set) var leaderEvent: PartyEvent? {
        get { aside.leaderEvent }
        set { if newValue != leaderEvent { aside.change { $0.leaderEvent = newValue } } }
    }
    /// The question whether all are ready, while the leader asks it.
    package internal(set) var readyCheck: ReadyCheck? {
        get { aside.readyCheck }
        set { aside.change { $0.readyCheck = newValue } }
    }
    /// The heroes who have stayed behind, while the others are on an adventure.
    package internal(set) var inn: [Hero] {
        get { aside.inn }
        set { aside.change { $0.inn = newValue } }
    }
    private var aside = Aside.none
    /// The number of the next event; all smaller ones have happened.
    package internal(set) var nextSequence: Int

    package init(id: PartyID) {
        self.id = id
        members = []
        nextSequence = 1
    }

    /// Restores a stored party; `nil` where the values break a rule of the game, so that no stored
    /// value can trap the program.
    package init?(
        id: PartyID, members: [Member], adventure: Adventure?, lastEvent: PartyEvent?,
        leaderEvent: PartyEvent? = nil, readyCheck: ReadyCheck? = nil, inn: [Hero] = [],
        nextSequence: Int
    ) {
        let isOnAdventure = adventure?.isOver == false
        guard members.count + inn.count <= Self.sizeMax,
            Self.areDistinct(members.map(\.hero.id) + inn.map(\.id)),
            isOnAdventure ? readyCheck == nil : inn.isEmpty,
            readyCheck.map({ $0.isValid(before: nextSequence) }) ?? true,
            (1...Self.numberMax).contains(nextSequence),
            [lastEvent, leaderEvent].allSatisfy({ event in
                event.map { (1..<nextSequence).contains($0.sequence) } ?? true
            })
        else { return nil }
        self.id = id
        self.members = members
        self.adventure = adventure
        self.lastEvent = lastEvent
        self.nextSequence = nextSequence
        aside = Aside(PartyAside(leaderEvent: leaderEvent, readyCheck: readyCheck, inn: inn))
    }

    private static func areDistinct(_ heroes: [HeroID]) -> Bool {
        heroes.indices.allSatisfy { !heroes[..<$0].contains(heroes[$0]) }
    }
}

extension Party {
    package var leader: PlayerID? { members.first?.hero.owner }

    package var isOnAdventure: Bool { adventure?.isOver == false }

    package func member(_ id: HeroID) -> Member? { members.first { $0.hero.id == id } }

    package func hero(_ id: HeroID) -> Hero? { member(id)?.hero }

    /// Numbers an event and remembers it as the newest.
    mutating func note(_ kind: PartyEvent.Kind, at time: GameTime) -> PartyEvent {
        let telling = adventure?.tell(kind) ?? .first
        return note(kind, at: time, telling)
    }

    /// Notes an event of an adventure that an engine holds.
    mutating func note(
        _ kind: PartyEvent.Kind, at time: GameTime, _ telling: Telling
    ) -> PartyEvent {
        let event = PartyEvent(
            sequence: nextSequence, time: time, kind: kind, telling: telling)
        nextSequence += 1
        if case .leaderChanged = kind {
            leaderEvent = event
        } else {
            lastEvent = event
            leaderEvent = nil
        }
        return event
    }
}

extension Party {
    /// Advances to `time`, then applies the command. Returns the events of both.
    ///
    /// A refused command changes nothing, not even the time. The server checks whether the player
    /// may send it. `time` is on the clock of the running adventure; it is ignored before the first
    /// adventure and after each.
    package mutating func apply(_ command: Command, at time: GameTime) throws(RuleError)
        -> [PartyEvent]
    {
        var party = self
        let before = party.advance(to: time)
        let events = try party.obey(command)
        self = party
        return before + events
    }

    /// Advances to `time` (never backwards), or by the next `momentsMax` moments: the party then
    /// stands at the last of them, and the rest is due at once.
    package mutating func advance(
        to time: GameTime, momentsMax: Int = .max
    ) -> [PartyEvent] {
        guard var engine = AdventureEngine(of: self) else { return [] }
        engine.advance(to: time, momentsMax: momentsMax)
        self = engine.finishedParty
        return engine.events
    }

    /// When something visible happens next, unless a command intervenes; `nil` when nothing will.
    package var nextChangeAt: GameTime? {
        guard isOnAdventure else { return nil }
        return adventure?.nextChangeAt(of: members)
    }

    private mutating func obey(_ command: Command) throws(RuleError) -> [PartyEvent] {
        switch command {
        case .join(let hero): [try join(hero)]
        case .leave(let hero), .kick(let hero): try leave(hero)
        case .promote(let hero): try lead(with: hero)
        case .claimLead(let hero): try claimLead(with: hero)
        case .disband: try disband()
        case .start(let seed, let pack, let departure):
            [try start(seed: seed, in: pack, departure)]
        case .change(let hero, let change): try apply(change, to: hero)
        case .checkReadiness(let plan): [try checkReadiness(plan)]
        case .finishReadyCheck(let departure): try finishReadyCheck(departure)
        case .cancelReadyCheck: [try cancelReadyCheck()]
        case .follow(let hero, at: let time): [try follow(hero, at: time)]
        case .answer(let hero, ask: let ask, yes: let yes) where !isOnAdventure:
            try answerReadyCheck(hero, ask: ask, yes: yes)
        case .usePotion, .answer, .summonBoss, .dropLoot, .raiseStorm, .end, .arrange,
            .worldStage:
            try obeyUnderway(command)
        }
    }

    /// Applies a command that requires an adventure.
    private mutating func obeyUnderway(_ command: Command) throws(RuleError) -> [PartyEvent] {
        guard var engine = AdventureEngine(of: self) else { throw .noAdventure }
        if command.help == .assisted { engine.noteAssistance() }
        switch command {
        case .usePotion(let giver, let taker): try engine.usePotion(by: giver, on: taker)
        case .answer(let hero, let ask, let yes): try engine.answer(hero, ask: ask, yes: yes)
        case .summonBoss: try engine.summonBoss()
        case .dropLoot(let hero): try engine.dropLoot(for: hero)
        case .raiseStorm: engine.raiseStorm()
        case .end: engine.end(.endedByGameMaster)
        case .arrange(let arrangement): try engine.arrange(arrangement)
        case .worldStage(let stage): try engine.reach(stage)
        case .join, .leave, .kick, .promote, .claimLead, .disband, .start, .change,
            .checkReadiness, .finishReadyCheck, .cancelReadyCheck, .follow:
            break
        }
        self = engine.finishedParty
        return engine.events
    }

    private mutating func join(_ hero: Hero) throws(RuleError) -> PartyEvent {
        if let known = anyHero(hero.id) { throw .alreadyInParty(known.tag) }
        guard members.count + inn.count < Self.sizeMax else {
            throw .partyFull(limit: Self.sizeMax)
        }
        return enter(isOnAdventure ? comeBack(hero) : Member(hero), .heroJoined(hero.tag))
    }

    /// Adds a member, who may save the party from a last stand.
    mutating func enter(_ member: Member, _ kind: PartyEvent.Kind) -> PartyEvent {
        members.append(member)
        let event = note(kind, at: adventure?.advancedTo ?? .zero)
        if !member.isKnockedDown, var engine = AdventureEngine(of: self) {
            engine.endLastStandInTime()
            self = engine.finishedParty
        }
        return event
    }

    /// Returns the hero in the state in which they left this adventure, or ready for one if they
    /// were not on it.
    private mutating func comeBack(_ hero: Hero) -> Member {
        guard let index = adventure?.departed.firstIndex(where: { $0.hero.id == hero.id }),
            var member = adventure?.departed.remove(at: index)
        else {
            guard let adventure else { return Member(hero) }
            return Member(hero, joining: adventure.pack, after: adventure.course.told)
        }
        member.comeBack(as: hero)
        member.outing.missed += adventure?.course.told ?? 0
        if let until = member.lostUntil, let now = adventure?.advancedTo, until <= now {
            member.condition = .standing
        }
        return member
    }

    private mutating func leave(_ id: HeroID) throws(RuleError) -> [PartyEvent] {
        if let place = inn.firstIndex(where: { $0.id == id }) {
            let hero = inn.remove(at: place)
            return [note(.heroLeft(hero.tag), at: adventure?.advancedTo ?? .zero)]
        }
        guard let index = members.firstIndex(where: { $0.hero.id == id }) else {
            throw .notInParty(id)
        }
        guard var engine = AdventureEngine(of: self) else {
            let leader = leader
            let member = members.remove(at: index)
            readyCheck?.forget(id)
            if members.isEmpty { readyCheck = nil }
            let time = adventure?.advancedTo ?? .zero
            return [note(.heroLeft(member.hero.tag), at: time)]
                + noteLeader(after: leader, at: time)
        }
        engine.leave(at: index)
        self = engine.finishedParty
        return engine.events
    }

    /// Notes the leader, if they are another player than `before`.
    mutating func noteLeader(after before: PlayerID?, at time: GameTime) -> [PartyEvent] {
        newLeader(after: before).map { [note(.leaderChanged($0), at: time)] } ?? []
    }

    /// Returns the leader, if they are another player than `before`.
    func newLeader(after before: PlayerID?) -> HeroTag? {
        guard let first = members.first?.hero, first.owner != before else { return nil }
        return first.tag
    }

    /// Moves the hero to the front.
    private mutating func lead(with id: HeroID) throws(RuleError) -> [PartyEvent] {
        guard let index = members.firstIndex(where: { $0.hero.id == id }) else {
            throw absence(of: id)
        }
        let leader = leader
        members.insert(members.remove(at: index), at: 0)
        return noteLeader(after: leader, at: adventure?.advancedTo ?? .zero)
    }

    /// On an adventure a leader has no power that the others need.
    private mutating func claimLead(with id: HeroID) throws(RuleError) -> [PartyEvent] {
        guard !isOnAdventure else { throw .adventureRunning }
        return try lead(with: id)
    }

    private mutating func disband() throws(RuleError) -> [PartyEvent] {
        guard !isOnAdventure else { throw .adventureRunning }
        let left = members
        members = []
        readyCheck = nil
        return left.map { note(.heroLeft($0.hero.tag), at: adventure?.advancedTo ?? .zero) }
    }

    private mutating func start(
        seed: UInt64, in pack: Pack, _ departure: Departure
    ) throws(RuleError) -> PartyEvent {
        guard !isOnAdventure else { throw .adventureRunning }
        guard let leader = members.first?.hero else { throw .noHero }
        try leader.require(departure.difficulty)
        return begin(seed: seed, in: pack, departure)
    }

    /// Begins an adventure that the leader may begin; a question whether all are ready is moot.
    mutating func begin(
        seed: UInt64, in pack: Pack, _ departure: Departure
    ) -> PartyEvent {
        if readyCheck != nil { readyCheck = nil }
        adventure = Adventure(seed: seed, in: pack)
        members = members.map { Member($0, settingOutOn: pack, departure) }
        adventure?.course.difficulty = departure.difficulty
        return note(.adventureBegan(pack.reference), at: .zero)
    }

    /// New orders hold at once; the time at which they act on a fall that has happened stays. The
    /// shop is at home.
    private mutating func apply(
        _ change: HomeChange, to id: HeroID
    ) throws(RuleError) -> [PartyEvent] {
        if let place = inn.firstIndex(where: { $0.id == id }) {
            try inn[place].apply(change)
            return []
        }
        guard let index = members.firstIndex(where: { $0.hero.id == id }) else {
            throw .notInParty(id)
        }
        if case .buy = change, isOnAdventure { throw .adventureRunning }
        try members[index].hero.apply(change)
        if members[index].outing.hasSetOut {
            members[index].outing.orders = members[index].hero.home.orders
        }
        return []
    }
}

extension Party {
    /// Replays a party's commands, from its beginning or from where its journal was folded. Returns
    /// the party and the events since.
    ///
    /// Each command carries the time at which it was applied, on the clock of the adventure that
    /// ran then. `start` sets that clock to zero; before the first adventure and after each, time
    /// is ignored. After the last command the party advances to `time`, if given. Throws when a
    /// command is refused: pass only commands that were once accepted.
    package static func replay(
        from start: Party, commands: [(Command, GameTime)], through time: GameTime?
    ) throws(RuleError) -> (Party, [PartyEvent]) {
        var party = start
        var events: [PartyEvent] = []
        for (command, commandTime) in commands {
            events += try party.apply(command, at: commandTime)
        }
        if let time { events += party.advance(to: time) }
        return (party, events)
    }
}
