/// Advances a running adventure: holds the party while it changes, and the events so far.
///
/// The party creates an engine from itself and takes `finishedParty` back, or discards the engine
/// when a command is refused.
struct AdventureEngine {
    var party: Party
    var adventure: Adventure
    var events: [PartyEvent] = []

    /// `nil` when the party is on no adventure.
    init?(of party: Party) {
        guard let adventure = party.adventure, !adventure.isOver else { return nil }
        self.party = party
        self.adventure = adventure
    }

    /// The party after all events.
    var finishedParty: Party {
        var finished = party
        finished.adventure = adventure
        if adventure.isOver { finished.returnFromInn() }
        return finished
    }

    /// Records an event, in words of its own or in those of another event.
    @discardableResult
    mutating func record(_ kind: PartyEvent.Kind, in telling: Telling? = nil) -> PartyEvent {
        let telling = telling ?? adventure.tell(kind)
        let event = party.note(kind, at: adventure.advancedTo, telling)
        events.append(event)
        return event
    }

    mutating func end(_ outcome: Outcome) {
        leaveFoe()
        adventure.course.company = party.members.count(where: \.outing.hasSetOut)
        bringHeroesHome(after: outcome)
        adventure.phase = .over(outcome)
        record(.adventureOver(outcome, in: adventure.pack.reference))
        // The row of a party that rests stays small.
        adventure.course.tellings = Tellings()
    }

    mutating func loseAdventure() {
        leaveFoe()
        record(.partyDefeated)
        end(.partyDefeated)
    }

    mutating func letNightFall() {
        leaveFoe()
        record(.timeLimitReached(in: adventure.pack.reference))
        end(.timeLimit)
    }
}

// MARK: Draws

extension AdventureEngine {
    /// The indices of the members who can act and be hit, in the party's order.
    var standing: [Int] { party.members.indices.filter { party.members[$0].isStanding } }

    /// The standing hero with the least health, if any is hurt.
    var weakest: Int? {
        standing.filter { party.members[$0].health < .full }
            .min { party.members[$0].health < party.members[$1].health }
    }

    mutating func draw(_ range: ClosedRange<Int>) -> Int { adventure.random.draw(in: range) }

    /// Returns one of the table's choices; `nil` when it has none.
    mutating func draw<Choice>(from table: [Weighted<Choice>]) -> Choice? {
        var left = draw(1...max(table.reduce(0) { $0 + $1.weight }, 1))
        for row in table {
            left -= row.weight
            if left <= 0 { return row.choice }
        }
        return nil
    }

    /// Returns one of the choices, each with the same probability; `nil` when there is none.
    mutating func pick<Choice>(from choices: [Choice]) -> Choice? {
        guard !choices.isEmpty else { return nil }
        return choices[draw(0...choices.count - 1)]
    }

    /// Schedules the next step after a random pause of `pace` seconds.
    mutating func pause(_ pace: ClosedRange<Int>) {
        adventure.nextStepAt = adventure.advancedTo + .seconds(Int64(draw(pace)))
    }
}

// MARK: Time

extension AdventureEngine {
    private var nextChangeAt: GameTime { adventure.nextChangeAt(of: party.members) }

    /// Advances to `time`, change by change, but by at most `momentsMax` changes.
    mutating func advance(to time: GameTime, momentsMax: Int) {
        var moments = 0
        while !adventure.isOver, nextChangeAt <= time {
            guard moments < momentsMax else { return }
            pass(to: nextChangeAt)
            applyDueChange()
            moments += 1
        }
        if !adventure.isOver { pass(to: time) }
    }

    /// Lets time pass: the heroes rest.
    private mutating func pass(to time: GameTime) {
        guard time > adventure.advancedTo else { return }
        let duration = time - adventure.advancedTo
        for index in party.members.indices { party.members[index].rest(for: duration) }
        adventure.advancedTo = time
    }

    /// Applies what is due at one instant, in this order: the time limit, the last stand ends,
    /// questions end, heroes return, falls go on, and the story takes a step.
    private mutating func applyDueChange() {
        let now = adventure.advancedTo
        guard now < adventure.pack.timeLimit else { return letNightFall() }
        if let until = adventure.course.lastStandUntil {
            if until <= now { endLastStand() }
            return
        }
        closeDueAsks()
        guard !adventure.isOver else { return }
        returnHeroes()
        for index in party.members.indices where !adventure.isOver {
            applyDueFall(of: index)
        }
        guard !adventure.isOver, adventure.course.lastStandUntil == nil,
            adventure.nextStepAt <= now
        else { return }
        takeStep()
    }

    private mutating func returnHeroes() {
        for index in party.members.indices {
            if let until = party.members[index].lostUntil, until <= adventure.advancedTo {
                returnHero(at: index)
            }
        }
    }

    private mutating func returnHero(at index: Int) {
        party.members[index].condition = .standing
        record(.connectionReturned(party.members[index].hero.tag))
    }

    private mutating func takeStep() {
        guard !standing.isEmpty else { return returnLostHero() }
        switch adventure.phase {
        case .quest: takeQuestStep()
        case .boss(let boss, let health): takeBossStep(boss, health: health)
        case .over: break
        }
    }

    /// Returns the hero from the woods early when all others are knocked down.
    private mutating func returnLostHero() {
        pause(stagePace)
        if let index = party.members.firstIndex(where: \.hasLostConnection) {
            returnHero(at: index)
        }
    }
}
