internal import ByteCoding
internal import Content
internal import GameLogic

/// A party with its members and its adventure, without its id, which is a column of the row.
enum PartyFormat {
    static func append(_ party: Party, _ roster: inout Roster, to bytes: inout ByteWriter) {
        bytes.append(count: party.members.count)
        for index in party.members.indices {
            append(party.members[index], to: &bytes)
            roster.add(party.members[index].hero.tag)
        }
        bytes.append(count: party.nextSequence)
        var flags = Flags()
        flags.append(party.adventure != nil)
        flags.append(party.lastEvent != nil)
        flags.append(party.leaderEvent != nil)
        let isAfterStart = party.members.contains(where: \.outing.hasSetOut)
        flags.append(isAfterStart)
        flags.append(party.readyCheck != nil)
        flags.append(!party.inn.isEmpty)
        bytes.append(flags)
        if let adventure = party.adventure { append(adventure, &roster, to: &bytes) }
        if let event = party.lastEvent { append(event, of: party, &roster, to: &bytes) }
        if let event = party.leaderEvent { append(event, of: party, &roster, to: &bytes) }
        if isAfterStart { append(outingsOf: party.members, roster, to: &bytes) }
        if let check = party.readyCheck { ReadyCheckFormat.append(check, roster, to: &bytes) }
        if !party.inn.isEmpty { ReadyCheckFormat.append(inn: party.inn, to: &bytes) }
    }

    private static func append(
        _ event: PartyEvent, of party: Party, _ roster: inout Roster, to bytes: inout ByteWriter
    ) {
        EventFormat.append(
            event, expecting: party.nextSequence - 1, at: time(of: party.adventure), &roster,
            to: &bytes)
    }

    static func next(
        _ bytes: inout ByteReader, id: PartyID, _ roster: inout Roster, packs: any PackSource
    ) throws(FormatError) -> Party {
        var members = try members(&bytes, max: Party.sizeMax)
        for member in members { roster.add(member.hero.tag) }
        let nextSequence = try bytes.number("next sequence")
        var flags = try bytes.flags(6)
        let adventure = flags.next() ? try adventure(&bytes, &roster, packs: packs) : nil
        let time = time(of: adventure)
        let lastEvent =
            flags.next()
            ? try EventFormat.next(&bytes, expecting: nextSequence - 1, at: time, &roster) : nil
        let leaderEvent =
            flags.next()
            ? try EventFormat.next(&bytes, expecting: nextSequence - 1, at: time, &roster) : nil
        if flags.next() { members = try setOut(members, &bytes, roster) }
        let check =
            flags.next() ? try ReadyCheckFormat.check(&bytes, roster, packs: packs) : nil
        let inn = flags.next() ? try ReadyCheckFormat.inn(&bytes) : []
        let party = Party(
            id: id, members: members, adventure: adventure, lastEvent: lastEvent,
            leaderEvent: leaderEvent, readyCheck: check, inn: inn, nextSequence: nextSequence)
        guard let party else { throw .invalid("its party breaks the rules") }
        return party
    }

    private static func time(of adventure: Adventure?) -> GameTime {
        adventure?.advancedTo ?? .zero
    }

    // MARK: Members

    private static func append(_ member: Member, to bytes: inout ByteWriter) {
        HeroFormat.append(member.hero, to: &bytes)
        bytes.append(member.health)
        bytes.append(count: member.potions)
        bytes.append(count: member.restRemainder)
        switch member.condition {
        case .standing: bytes.append(byte: 1)
        case .knockedDown: bytes.append(byte: 2)
        case .lostConnection(until: let time):
            bytes.append(byte: 3)
            bytes.append(time)
        }
    }

    private static func members(
        _ bytes: inout ByteReader, max limit: Int
    ) throws(FormatError) -> [Member] {
        let count = try bytes.count(max: limit)
        var members: [Member] = []
        members.reserveCapacity(count)
        for _ in 0..<count { members.append(try member(&bytes)) }
        return members
    }

    private static func member(_ bytes: inout ByteReader) throws(FormatError) -> Member {
        let hero = try HeroFormat.next(&bytes)
        let health = try bytes.health()
        let potions = try bytes.number("potions")
        let restRemainder = try bytes.number("rest")
        let member = Member(
            hero: hero, health: health, potions: potions, condition: try condition(&bytes),
            restRemainder: restRemainder)
        guard let member else { throw .invalid("a member breaks the rules") }
        return member
    }

    // Outings come behind, because they name other members.

    private static func append(
        outingsOf members: [Member], _ roster: Roster, to bytes: inout ByteWriter
    ) {
        for index in members.indices {
            var flags = Flags()
            flags.append(members[index].outing.hasSetOut)
            bytes.append(flags)
            guard members[index].outing.hasSetOut else { continue }
            StoryFormat.append(members[index].outing, roster, to: &bytes)
        }
    }

    /// Returns the members with their outings.
    private static func setOut(
        _ members: [Member], _ bytes: inout ByteReader, _ roster: Roster
    ) throws(FormatError) -> [Member] {
        var out: [Member] = []
        for member in members {
            var flags = try bytes.flags(1)
            let outing =
                flags.next() ? try StoryFormat.outing(of: member.hero, &bytes, roster) : Outing()
            let whole = Member(
                hero: member.hero, health: member.health, potions: member.potions,
                condition: member.condition, restRemainder: member.restRemainder, outing: outing)
            guard let whole else { throw .invalid("a member breaks the rules") }
            out.append(whole)
        }
        return out
    }

    private static func condition(
        _ bytes: inout ByteReader
    ) throws(FormatError) -> Member.Condition {
        let number = try bytes.byte()
        switch number {
        case 1: return .standing
        case 2: return .knockedDown
        case 3: return .lostConnection(until: try bytes.gameTime())
        default: throw .unknownNumber(UInt64(number), of: "condition")
        }
    }
}

// MARK: Adventures

extension PartyFormat {
    private static func append(
        _ adventure: Adventure, _ roster: inout Roster, to bytes: inout ByteWriter
    ) {
        var flags = Flags()
        flags.append(adventure.fight != nil)
        flags.append(adventure.fight?.prey != nil)
        flags.append(adventure.lastScene != nil)
        bytes.append(flags)
        bytes.append(adventure.pack.reference)
        bytes.append(fixed: adventure.seed)
        bytes.append(fixed: adventure.random.state)
        bytes.append(adventure.advancedTo)
        bytes.append(zigzag: (adventure.nextStepAt - adventure.advancedTo).milliseconds)
        bytes.append(count: adventure.steps)
        append(adventure.phase, &roster, to: &bytes)
        if let fight = adventure.fight {
            bytes.append(fight.foe)
            bytes.append(count: fight.health)
            if let prey = fight.prey { bytes.append(prey, roster) }
        }
        if let scene = adventure.lastScene { bytes.append(scene) }
        bytes.append(count: adventure.departed.count)
        for member in adventure.departed { append(member, to: &bytes) }
        append(outingsOf: adventure.departed, roster, to: &bytes)
        StoryFormat.append(adventure.course, roster, to: &bytes)
    }

    private static func adventure(
        _ bytes: inout ByteReader, _ roster: inout Roster, packs: any PackSource
    ) throws(FormatError) -> Adventure {
        var flags = try bytes.flags(3)
        let (hasFight, hasPrey) = (flags.next(), flags.next())
        guard hasFight || !hasPrey else { throw .invalid("a prey has no foe") }
        let hasScene = flags.next()
        let pack = try bytes.pack(from: packs)
        let seed = try bytes.fixed()
        let random = SeededRandom(seed: try bytes.fixed())
        let advancedTo = try bytes.gameTime()
        let nextStepAt = try bytes.zigzag(
            in: Bounds.milliseconds, since: advancedTo.milliseconds, "next step")
        let steps = try bytes.number("steps")
        let phase = try phase(&bytes, &roster)
        var fight: Adventure.Fight?
        if hasFight {
            let foe = try bytes.thing(Foe.self)
            let health = try bytes.number("foe's health")
            fight = Adventure.Fight(
                foe: foe, prey: hasPrey ? try bytes.hero(roster) : nil, health: health)
        }
        let lastScene: Scene? = hasScene ? try bytes.numbered() : nil
        let departed = try setOut(
            try members(&bytes, max: Adventure.departedMax), &bytes, roster)
        let course = try StoryFormat.course(&bytes, roster)
        let adventure = Adventure(
            pack: pack, seed: seed, phase: phase, advancedTo: advancedTo, fight: fight,
            random: random,
            nextStepAt: GameTime(milliseconds: nextStepAt), steps: steps,
            lastScene: lastScene, departed: departed, course: course)
        guard let adventure else { throw .invalid("its adventure breaks the rules") }
        return adventure
    }

    private static func append(
        _ phase: Adventure.Phase, _ roster: inout Roster, to bytes: inout ByteWriter
    ) {
        switch phase {
        case .quest: bytes.append(byte: 1)
        case .boss(let boss, health: let health):
            bytes.append(byte: 2)
            bytes.append(boss)
            bytes.append(count: health)
        case .over(let outcome):
            bytes.append(byte: 3)
            EventFormat.append(outcome, &roster, to: &bytes)
        }
    }

    private static func phase(
        _ bytes: inout ByteReader, _ roster: inout Roster
    ) throws(FormatError) -> Adventure.Phase {
        let number = try bytes.byte()
        switch number {
        case 1: return .quest
        case 2: return .boss(try bytes.thing(), health: try bytes.number("boss's health"))
        case 3: return .over(try EventFormat.outcome(&bytes, &roster))
        default: throw .unknownNumber(UInt64(number), of: "phase")
        }
    }
}
