extension AdventureEngine {
    /// When something visible happens next, unless a command intervenes.
    var nextChangeAt: GameTime {
        var next = min(adventure.nextBeatAt, Adventure.timeLimit)
        for member in party.members {
            if let until = member.lostUntil { next = min(next, until) }
        }
        return next
    }

    /// Advances to `time`, change by change, but by at most `momentsMax` changes.
    mutating func advance(to time: GameTime, momentsMax: Int) {
        var moments = 0
        while !adventure.isOver, nextChangeAt <= time {
            guard moments < momentsMax else { return }
            pass(to: nextChangeAt)
            tellChange()
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

    /// Applies what is due at one instant: the time limit first, then returning heroes, then the
    /// step.
    private mutating func tellChange() {
        guard adventure.advancedTo < Adventure.timeLimit else {
            tell(.timeLimitReached)
            end(.timeLimit)
            return
        }
        returnHeroes()
        if adventure.nextBeatAt <= adventure.advancedTo { tellBeat() }
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
        tell(.connectionReturned(party.members[index].hero.tag))
    }

    private mutating func tellBeat() {
        guard !standing.isEmpty else {
            rescue()
            return
        }
        switch adventure.phase {
        case .quest: tellQuestBeat()
        case .boss(let boss, let health): tellBossBeat(boss, health: health)
        case .over: break
        }
    }

    /// Returns the hero from the woods early when all others are knocked down.
    private mutating func rescue() {
        pause(QuestStage.bossPace)
        if let index = party.members.firstIndex(where: \.hasLostConnection) {
            returnHero(at: index)
        }
    }
}
