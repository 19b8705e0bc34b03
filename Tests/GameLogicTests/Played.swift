import GameLogic

/// A script as it was played: the party after it, all events, and the commands that were
/// accepted.
struct Played: Hashable {
    /// How the time between two commands is told.
    enum Steps {
        case one
        /// Many small steps, and once the party is restored from its parts, as by a store.
        case many
    }

    /// Eight events for each step, and a step every 20 seconds of an adventure.
    private static let eventsMax = 8 * Int(Adventure.timeLimit.milliseconds) / 20_000

    private(set) var party = Party(id: PartyID("party"))
    private(set) var events: [PartyEvent] = []
    private(set) var accepted: [LoggedCommand] = []
    /// What went wrong on the way, in words; empty when all is well.
    private(set) var faults: [String] = []

    struct LoggedCommand: Hashable {
        let command: Command
        let time: GameTime
    }

    init(_ script: Script, _ steps: Steps, seed: UInt64) throws {
        var dice = SeededRandom(seed: seed ^ 0xD1CE)
        let reload = dice.draw(in: 0...script.commands.count - 1)
        for (index, (command, time)) in script.commands.enumerated() {
            if steps == .many {
                walk(to: time, &dice)
                if index == reload { throughItsParts() }
            }
            obey(command, at: time)
        }
        if steps == .many { walk(to: .minutes(60), &dice) }
        note(party.advance(to: Adventure.timeLimit))
    }

    private mutating func obey(_ command: Command, at time: GameTime) {
        let before = party
        do {
            note(try party.apply(command, at: time))
            accepted.append(LoggedCommand(command: command, time: time))
        } catch {
            if party != before { faults.append("refused \(command) changed the party") }
        }
    }

    private mutating func walk(to time: GameTime, _ dice: inout SeededRandom) {
        guard let start = party.adventure?.advancedTo, party.isOnAdventure else { return }
        var now = start.milliseconds
        while now < time.milliseconds, party.isOnAdventure {
            now = min(now + Int64(dice.draw(in: 1...60_000)), time.milliseconds)
            note(party.advance(to: GameTime(milliseconds: now)))
        }
    }

    private mutating func throughItsParts() {
        let copy = Party(
            id: party.id, members: party.members.compactMap(\.restored),
            adventure: party.adventure?.restored, lastEvent: party.lastEvent,
            leaderEvent: party.leaderEvent, nextSequence: party.nextSequence)
        guard let copy, copy == party else {
            faults.append("a party changed on its way through a store")
            return
        }
        party = copy
    }

    private mutating func note(_ new: [PartyEvent]) {
        events += new
        if new.count > Self.eventsMax { faults.append("\(new.count) events a step") }
        if let last = new.last, (party.leaderEvent ?? party.lastEvent) != last {
            faults.append("lastEvent is not last")
        }
        if party.nextSequence != events.count + 1 { faults.append("sequence has a gap") }
        for member in party.members where (member.health == .none) != member.isKnockedDown {
            faults.append("\(member.hero.id): \(member.health), \(member.condition)")
        }
    }
}

extension Member {
    fileprivate var restored: Member? {
        Member(
            hero: hero, health: health, potions: potions, condition: condition,
            restRemainder: restRemainder, outing: outing)
    }
}

extension Adventure {
    fileprivate var restored: Adventure? {
        Adventure(
            pack: pack, seed: seed, phase: phase, advancedTo: advancedTo, fight: fight,
            random: SeededRandom(seed: random.state), nextStepAt: nextStepAt, steps: steps,
            lastScene: lastScene, departed: departed.compactMap(\.restored), course: course)
    }
}
