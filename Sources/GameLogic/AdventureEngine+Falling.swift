/// Falls: a hero who is knocked down waits for a potion, an order or a second wind.
extension AdventureEngine {
    /// Knocks down those of the heroes who have no health left.
    mutating func knockDown(_ hit: [Int]) {
        let fallen = hit.filter { index in
            party.members[index].health == .none && !party.members[index].isKnockedDown
        }
        for index in fallen {
            party.members[index].condition = .knockedDown
            party.members[index].restRemainder = 0
            let event = record(.knockedDown(party.members[index].hero.tag))
            party.members[index].outing.fall.telling = event.telling
        }
        // After all falls: nobody who fell with the others is asked to help.
        fallen.forEach { noteFall(of: $0) }
        makeLastStandIfDown()
    }

    /// Schedules what happens to a hero who has just been knocked down, and asks a friend when only
    /// a friend can help.
    private mutating func noteFall(of index: Int) {
        let member = party.members[index]
        let patience = adventure.pack.patience
        let now = adventure.advancedTo
        var fall = Outing.Fall()
        fall.telling = member.outing.fall.telling
        fall.orderAt =
            drinksAtOnce(member) || (member.potions == 0 && somebodyGivesAtOnce())
            ? adventure.nextStepAt : now + .seconds(Int64(patience.order))
        if member.outing.secondWinds < patience.secondWinds {
            fall.secondWindAt = now + .seconds(Int64(patience.secondWind))
        }
        party.members[index].outing.fall = fall
        party.members[index].outing.isInDanger = false
        adventure.course.guards.removeAll {
            $0.hero == member.hero.id || $0.friend == member.hero.id
        }
        adventure.course.closeAsks { $0.kind == .guardFriend(member.hero.id) }
        if member.potions == 0 { askForHelp(for: index) }
    }

    private func drinksAtOnce(_ member: Member) -> Bool {
        member.potions > 0 && member.outing.orders.whenDown == .drink
            && !member.outing.hasDrunkByOrder
    }

    private func somebodyGivesAtOnce() -> Bool {
        standing.contains { index in
            let member = party.members[index]
            return member.potions > 0 && member.outing.orders.whenFriendDown == .give
                && !member.outing.hasGivenByOrder
        }
    }

    /// Asks the standing friend with the most potions who has not been asked for this fall.
    private mutating func askForHelp(for index: Int) {
        let asked = party.members[index].outing.fall.asked
        party.members[index].outing.fall.helpAt = nil
        guard asked.count < Outing.helpersMax else { return }
        let helpers = standing.filter { place in
            let member = party.members[place]
            return member.potions > 0 && !asked.contains(member.hero.id)
                && (member.outing.hasGivenByOrder
                    ? member.outing.orders.whenFriendDown != .never
                    : [.ask, .askThenGive].contains(member.outing.orders.whenFriendDown))
        }
        guard let helper = most(of: helpers) else { return }
        party.members[index].outing.fall.asked.append(party.members[helper].hero.id)
        party.members[index].outing.fall.helpAt =
            adventure.advancedTo + .seconds(Int64(Balance.helpInterval))
        record(.helpAsked(party.members[index].hero.tag, of: party.members[helper].hero.tag))
    }

    /// Returns the member with the most potions; of equals the first.
    private func most(of places: [Int]) -> Int? {
        places.reduce(nil) { best, place in
            guard let best else { return place }
            return party.members[place].potions > party.members[best].potions ? place : best
        }
    }

    /// Applies what is due for a hero who is knocked down.
    mutating func applyDueFall(of index: Int) {
        guard party.members[index].isKnockedDown else { return }
        let now = adventure.advancedTo
        if let due = party.members[index].outing.fall.orderAt, due <= now {
            party.members[index].outing.fall.orderAt = nil
            followOrders(for: index)
        }
        guard party.members[index].isKnockedDown else { return }
        if let due = party.members[index].outing.fall.helpAt, due <= now { askForHelp(for: index) }
        if let due = party.members[index].outing.fall.secondWindAt, due <= now {
            party.members[index].outing.fall.secondWindAt = nil
            party.members[index].outing.secondWinds += 1
            _ = party.members[index].heal(Balance.secondWindHealth)
            wake(index)
            record(.secondWind(party.members[index].hero.tag))
        }
    }

    /// The hero drinks by its standing order, or a friend gives by theirs.
    private mutating func followOrders(for index: Int) {
        let member = party.members[index]
        if member.potions > 0 {
            guard member.outing.orders.whenDown != .ask, !member.outing.hasDrunkByOrder else {
                return
            }
            return drinkByOrder(index)
        }
        let givers = standing.filter { place in
            let friend = party.members[place]
            guard !friend.outing.hasGivenByOrder else { return false }
            switch friend.outing.orders.whenFriendDown {
            case .ask, .never: return false
            case .askThenGive: return friend.potions >= Balance.potionsToGive
            case .give: return friend.potions > 0
            }
        }
        guard let giver = most(of: givers) else { return }
        party.members[giver].outing.hasGivenByOrder = true
        pourPotion(from: giver, to: index, restoring: Balance.potionHealByOrder)
    }

    private mutating func drinkByOrder(_ index: Int) {
        party.members[index].outing.hasDrunkByOrder = true
        pourPotion(from: index, to: index, restoring: Balance.potionHealByOrder)
    }

    /// Gives a potion: each one that a hero drinks on an adventure restores less than the last.
    mutating func pourPotion(from giver: Int, to taker: Int, restoring amount: Int) {
        let outing = party.members[taker].outing
        let worn = max(amount - Balance.potionWear * outing.drunk, Balance.potionHealMin)
        let bonus = party.members[giver].outing.heroClass.potionBonus + outing.gear.potionBonus
        party.members[taker].outing.drunk += 1
        party.members[giver].potions -= 1
        let wasDown = party.members[taker].isKnockedDown
        _ = party.members[taker].heal(worn + bonus)
        wake(taker)
        let tag = party.members[taker].hero.tag
        record(.potionUsed(by: party.members[giver].hero.tag, on: tag))
        if wasDown { record(.revived(tag)) }
    }

    /// Puts a hero on their feet. The first one ends a last stand.
    mutating func wake(_ index: Int) {
        party.members[index].condition = .standing
        party.members[index].outing.fall = Outing.Fall()
        endLastStandInTime()
    }

    /// The story goes on, if it waits for a hero on their feet: there is one.
    mutating func endLastStandInTime() {
        guard adventure.course.lastStandUntil != nil else { return }
        adventure.course.lastStandUntil = nil
        pauseForNextStep()
    }

    // MARK: The last stand

    /// When everybody is down, the story waits as long as somebody has a potion; a hero in the woods
    /// may still save the party.
    mutating func makeLastStandIfDown() {
        guard party.members.allSatisfy(\.isKnockedDown), adventure.course.lastStandUntil == nil
        else { return }
        let hopes = party.members.indices.filter { party.members[$0].potions > 0 }
        guard !hopes.isEmpty else { return loseAdventure() }
        adventure.course.lastStandUntil =
            adventure.advancedTo + .seconds(Int64(adventure.pack.patience.lastStand))
        if let index = hopes.first(where: { drinksAtOnce(party.members[$0]) }) {
            return drinkByOrder(index)
        }
        // All of them read one sentence.
        var telling: Telling?
        for index in hopes {
            telling = record(.lastStand(party.members[index].hero.tag), in: telling).telling
        }
    }

    /// Without an answer, a standing order is the last hope.
    mutating func endLastStand() {
        let index = party.members.indices.first { index in
            let member = party.members[index]
            return member.potions > 0 && member.outing.orders.whenDown != .ask
                && !member.outing.hasDrunkByOrder
        }
        guard let index else { return loseAdventure() }
        drinkByOrder(index)
    }

    // MARK: The way home

    /// Everybody takes home what they have earned and found.
    mutating func bringHeroesHome(after outcome: Outcome) {
        for ask in adventure.course.asks { settleLoot(ask) }
        adventure.course.asks = []
        adventure.course.guards = []
        adventure.course.lastStandUntil = nil
        let company = 100 + Balance.companyPercent * max(party.members.count - 1, 0)
        let percent =
            company * adventure.course.difficulty.percent * outcome.expPercent / 10_000
        for index in party.members.indices {
            party.members[index].comeHome(expPercent: percent)
            party.members[index].outing.fall = Outing.Fall()
            if outcome.isVictory, adventure.pack.kind != .training {
                let won = adventure.course.difficulty
                let before = party.members[index].hero.home.hardestWin ?? won
                party.members[index].hero.home.hardestWin = max(before, won)
            }
        }
    }
}

extension Outcome {
    package var isVictory: Bool {
        switch self {
        case .bossDefeated, .worldBossDefeated: true
        case .partyDefeated, .timeLimit, .endedByGameMaster, .abandoned, .fled, .stopped: false
        }
    }

    /// The part of the experience that counts, in percent.
    fileprivate var expPercent: Int {
        switch self {
        case .bossDefeated, .endedByGameMaster, .abandoned, .stopped, .worldBossDefeated: 100
        case .fled: Balance.expAfterFlight
        case .partyDefeated, .timeLimit: Balance.expAfterDefeat
        }
    }
}
