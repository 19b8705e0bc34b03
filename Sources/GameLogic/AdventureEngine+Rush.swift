/// The boss rush: bosses come one after another, and between two of them the party takes a breath.
extension AdventureEngine {
    /// The boss who is due: in a boss rush the next one of its order, else one drawn.
    mutating func nextBoss() -> Boss? {
        guard let rush = adventure.pack.rush else { return draw(from: adventure.pack.finale) }
        let place = adventure.course.fallenBosses
        return place < rush.order.count ? rush.order[place] : nil
    }

    /// Brings the boss at the end of the way, but no boss before a breath is over: a last stand may
    /// have moved the next step.
    mutating func endWay() {
        if let end = adventure.course.breathUntil, adventure.advancedTo < end {
            adventure.nextStepAt = end
            return
        }
        bringBoss()
    }

    /// Lets the party take a breath after a boss of a boss rush has fallen, and asks all heroes
    /// whether they stop. Returns `false` when no boss comes after this one.
    mutating func takeBreath() -> Bool {
        guard let rush = adventure.pack.rush else { return false }
        adventure.course.fallenBosses += 1
        guard adventure.course.fallenBosses < rush.order.count else { return false }
        closeFight()
        let end = adventure.advancedTo + .seconds(Int64(rush.breath))
        adventure.phase = .quest
        adventure.course.stage = adventure.pack.stages.count
        adventure.course.breathUntil = end
        adventure.nextStepAt = end
        rest(in: rush)
        if ask(.stop, until: end) { record(.stopAsked) }
        return true
    }

    /// A hero who is down stays so: rest wakes nobody. A potion is for everybody.
    private mutating func rest(in rush: Pack.Rush) {
        for index in party.members.indices where !party.members[index].isKnockedDown {
            _ = party.members[index].heal(rush.breather)
        }
        record(.breathTaken)
        guard rush.refill.contains(adventure.course.fallenBosses) else { return }
        for index in party.members.indices { party.members[index].pocketPotion() }
        record(.potionsRefilled)
    }

    /// Ends the adventure, if more than half of all heroes have said so: no defeat, and nothing of
    /// what was earned is lost.
    mutating func stopIfDecided(_ ask: Ask) {
        let yes = party.members.count { ask.yes.contains($0.hero.id) }
        guard yes * 2 > party.members.count else { return }
        record(.stopped)
        end(.stopped)
    }
}

extension Adventure.Course {
    /// The next boss is here.
    mutating func endBreath() {
        breathUntil = nil
        closeAsks { $0.kind == .stop }
    }
}
