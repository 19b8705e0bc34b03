/// Questions to players. Silence has an answer, and no question stops the story but a fork.
extension AdventureEngine {
    /// Opens a question. Returns whether it is asked: only so many are open at a time, and the last
    /// place is for questions that the story turns on.
    @discardableResult
    mutating func ask(
        _ kind: Ask.Kind, until end: GameTime?, in telling: Telling = .first
    ) -> Bool {
        let places = kind.isUrgent ? Ask.openMax : Ask.openMax - 1
        guard adventure.course.asks.count < places else { return false }
        adventure.course.asks.append(
            Ask(id: adventure.course.nextAsk, kind: kind, endsAt: end, telling: telling))
        adventure.course.nextAsk += 1
        return true
    }

    /// Notes a hero's answer. The last one before the end counts.
    mutating func answer(_ hero: HeroID, ask id: Int, yes: Bool) throws(RuleError) {
        let index = try place(of: hero)
        let now = adventure.advancedTo
        guard
            let place = adventure.course.asks.firstIndex(where: {
                $0.id == id && !$0.isOver(at: now)
            })
        else { throw adventure.course.isReadyCheck(id) ? .hasSetOut : .noSuchAsk(id) }
        guard adventure.course.asks[place].kind.concerns(party.members[index]) else {
            throw .notAsked(party.members[index].hero.tag)
        }
        adventure.course.asks[place].note(hero, yes)
        closeIfDecided(adventure.course.asks[place])
    }

    private mutating func closeIfDecided(_ ask: Ask) {
        let count = party.members.count
        switch ask.kind {
        case .brace, .loot: break
        case .flee:
            let places = standing
            let yes = places.count { ask.yes.contains(party.members[$0].hero.id) }
            if yes * 2 > places.count { flee(ask) }
        case .guardFriend(let friend):
            if let hero = ask.yes.first { guardFriend(friend, hero, ask) }
        case .fork(let fork):
            if ask.yes.count * 2 > count || ask.no.count * 2 >= count
                || ask.yes.count + ask.no.count == count
            {
                take(fork, ask)
            }
        case .stop: stopIfDecided(ask)
        }
    }

    /// Closes the questions whose time is over, with the answer of silence.
    mutating func closeDueAsks() {
        for ask in adventure.course.asks
        where !adventure.isOver && ask.isOver(at: adventure.advancedTo) {
            switch ask.kind {
            case .fork(let fork): take(fork, ask)
            case .loot:
                adventure.course.closeAsks { $0.id == ask.id }
                settleLoot(ask)
            case .brace, .flee, .guardFriend: adventure.course.closeAsks { $0.id == ask.id }
            // A hero who leaves may turn the others into a majority.
            case .stop:
                adventure.course.closeAsks { $0.id == ask.id }
                stopIfDecided(ask)
            }
        }
    }

    // MARK: Forks

    /// The votes of heroes whose orders are to be bold; their players may still vote.
    mutating func castStandingVotes() {
        guard let fork = adventure.course.openFork,
            let place = adventure.course.asks.firstIndex(where: { $0.id == fork.id })
        else { return }
        for member in party.members where member.outing.orders.votes == .bold {
            adventure.course.asks[place].note(member.hero.id, true)
        }
        closeIfDecided(adventure.course.asks[place])
    }

    private mutating func take(_ fork: Fork, _ ask: Ask) {
        adventure.course.closeAsks { $0.id == ask.id }
        let place = adventure.course.stage
        guard place < adventure.pack.stages.count,
            case .fork(fork, let bold, let safe, _) = adventure.pack.stages[place].exit
        else { return }
        let isBold = ask.yes.count > ask.no.count
        record(.forkTaken(fork, bold: isBold))
        enter(stage: isBold ? bold : safe)
    }

    // MARK: Fights

    /// Asks friends to stand guard over a weak hero, and a weak party whether to flee.
    mutating func askAboutFight() {
        guard !adventure.isOver, adventure.course.lastStandUntil == nil else { return }
        askForGuards()
        askToFlee()
    }

    private mutating func askForGuards() {
        let places = standing
        guard places.count > 1 else { return }
        for index in places {
            let member = party.members[index]
            guard member.health.thousandths <= Balance.dangerHealth,
                !adventure.course.guards.contains(where: { $0.friend == member.hero.id }),
                !adventure.course.asks.contains(where: { $0.kind == .guardFriend(member.hero.id) })
            else { continue }
            if ask(.guardFriend(member.hero.id), until: nil), !isNewlyInDanger(member.hero.tag) {
                record(.guardAsked(member.hero.tag))
            }
        }
    }

    /// Whether the hero's danger has been told in this step: the question needs no event of its own.
    private func isNewlyInDanger(_ hero: HeroTag) -> Bool {
        events.reversed().prefix { $0.time == adventure.advancedTo }
            .contains { $0.kind == .inDanger(hero) }
    }

    private mutating func guardFriend(_ friend: HeroID, _ hero: HeroID, _ ask: Ask) {
        adventure.course.closeAsks { $0.id == ask.id }
        guard let ward = party.hero(friend), let protector = party.hero(hero) else { return }
        adventure.course.guards.append(
            Adventure.Guard(hero: hero, friend: friend, blows: Balance.guardedBlows))
        record(.guarded(ward.tag, by: protector.tag))
    }

    private mutating func askToFlee() {
        let health = party.members.reduce(0) { $0 + $1.health.thousandths }
        guard !adventure.course.hasAskedToFlee, !standing.isEmpty,
            health < party.members.count * 10 * Balance.fleePercent
        else { return }
        let end = adventure.advancedTo + .seconds(Int64(Balance.fleeSeconds))
        guard ask(.flee, until: end) else { return }
        adventure.course.hasAskedToFlee = true
        record(.fleeAsked)
    }

    /// Leaves a foe, which costs a little health; or ends the adventure before a boss.
    private mutating func flee(_ ask: Ask) {
        adventure.course.closeAsks { $0.id == ask.id }
        if let boss = adventure.boss {
            record(.fled(boss))
            return end(.fled(boss))
        }
        guard adventure.fight != nil else { return }
        for index in standing {
            let most = party.members[index].health.thousandths - 1
            _ = take(min(Balance.fleeDamage, most), from: index)
        }
        leaveFoe()
    }

    // MARK: Loot

    /// Gives a find to one of those who asked for it.
    mutating func settleLoot(_ ask: Ask) {
        guard case .loot(let item, let finder) = ask.kind, let kind = Gear.Kind(item) else {
            return
        }
        let present = ask.yes.filter { party.member($0) != nil }
        guard let winner = pick(from: present), winner != finder,
            let from = party.members.firstIndex(where: { $0.hero.id == finder }),
            let to = party.members.firstIndex(where: { $0.hero.id == winner }),
            let place = party.members[from].outing.found.firstIndex(of: kind)
        else { return }
        party.members[from].outing.found.remove(at: place)
        party.members[to].outing.found.append(kind)
        record(.lootGiven(party.members[to].hero.tag, item))
    }
}

extension Ask {
    fileprivate func isOver(at time: GameTime) -> Bool { endsAt.map { $0 <= time } ?? false }
}

extension Adventure.Course {
    /// The question about the way, while the party waits at a fork.
    var openFork: Ask? {
        asks.first { if case .fork = $0.kind { true } else { false } }
    }

    mutating func closeAsks(where isClosed: (Ask) -> Bool) { asks.removeAll(where: isClosed) }

    /// The choice of way is over.
    mutating func closeFork() {
        if let fork = openFork { closeAsks { $0.id == fork.id } }
    }

    /// Forgets a hero who has left.
    mutating func forget(_ hero: HeroID) {
        for place in asks.indices { asks[place].forget(hero) }
        closeAsks { $0.kind == .guardFriend(hero) }
        guards.removeAll { $0.hero == hero || $0.friend == hero }
    }
}
