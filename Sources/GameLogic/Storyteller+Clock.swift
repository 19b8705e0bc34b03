extension Storyteller {
    /// When something visible happens next, if nobody interferes.
    var nextChangeAt: GameTime {
        var next = min(adventure.nextBeatAt, Adventure.timeLimit)
        for member in party.members {
            if let until = member.lostUntil { next = min(next, until) }
        }
        return next
    }

    /// Tells everything up to `time`, stopping at each change on the way, and after `momentsMax`
    /// of them.
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

    /// Lets time go by: the heroes rest.
    private mutating func pass(to time: GameTime) {
        guard time > adventure.advancedTo else { return }
        let duration = time - adventure.advancedTo
        for index in party.members.indices { party.members[index].rest(for: duration) }
        adventure.advancedTo = time
    }

    /// At one instant the limit comes first, then heroes return, then the story goes on.
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

    /// When all others are down, the hero in the woods comes back early: just in time.
    private mutating func rescue() {
        pause(Act.bossPace)
        if let index = party.members.firstIndex(where: \.hasLostConnection) {
            returnHero(at: index)
        }
    }
}
