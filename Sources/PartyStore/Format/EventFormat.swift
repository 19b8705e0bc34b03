internal import ByteCoding
internal import GameLogic

/// Events and adventures' outcomes. Each kind has a number that is never reused.
enum EventFormat {
    /// Appends an event. Sequence and time are stored as differences from likely values.
    static func append(
        _ event: PartyEvent, expecting sequence: Int, at time: GameTime, _ roster: inout Roster,
        to bytes: inout ByteWriter
    ) {
        bytes.append(zigzag: Int64(event.sequence) &- Int64(sequence))
        bytes.append(zigzag: event.time.milliseconds &- time.milliseconds)
        append(event.kind, &roster, to: &bytes)
    }

    static func next(
        _ bytes: inout ByteReader, expecting sequence: Int, at time: GameTime,
        _ roster: inout Roster
    ) throws(FormatError) -> PartyEvent {
        let number = try bytes.zigzag(
            in: 1...Int64(Party.numberMax), since: Int64(sequence), "event's sequence")
        let time = try bytes.zigzag(
            in: Bounds.milliseconds, since: time.milliseconds, "event's time")
        return PartyEvent(
            sequence: Int(number), time: GameTime(milliseconds: time),
            kind: try kind(&bytes, &roster))
    }

    private static func append(
        _ kind: PartyEvent.Kind, _ roster: inout Roster, to bytes: inout ByteWriter
    ) {
        bytes.append(byte: number(of: kind))
        switch kind {
        case .adventureBegan, .stormRaised, .partyDefeated, .timeLimitReached, .adventureResumed:
            break
        case .adventurePaused(minutes: let minutes): bytes.append(count: minutes)
        case .commonLootFound(let hero, let item), .rareLootFound(let hero, let item):
            bytes.append(hero, &roster)
            bytes.append(item)
        case .smallHeal(let hero, amount: let amount), .potionsFound(let hero, count: let amount):
            bytes.append(hero, &roster)
            bytes.append(count: amount)
        case .hurt(let hero, by: let foe, damage: let damage),
            .criticallyHit(let hero, by: let foe, damage: let damage):
            bytes.append(hero, &roster)
            bytes.append(foe)
            bytes.append(count: damage)
        case .knockedDown(let hero), .revived(let hero), .heroJoined(let hero),
            .heroLeft(let hero), .connectionLost(let hero), .connectionReturned(let hero),
            .leaderChanged(let hero):
            bytes.append(hero, &roster)
        case .potionUsed(by: let giver, on: let taker):
            bytes.append(giver, &roster)
            bytes.append(taker, &roster)
        case .foeDefeated(let foe, by: let hero):
            bytes.append(foe)
            bytes.append(hero, &roster)
        case .bossAppeared(let boss), .bossEnraged(let boss): bytes.append(boss)
        case .bossDefeated(let boss, by: let hero):
            bytes.append(boss)
            bytes.append(hero, &roster)
        case .adventureOver(let outcome): append(outcome, &roster, to: &bytes)
        case .messageSent(let message): MessageFormat.append(message, to: &bytes)
        }
    }

    private static func number(of kind: PartyEvent.Kind) -> UInt8 {
        switch kind {
        case .adventureBegan: 1
        case .commonLootFound: 2
        case .rareLootFound: 3
        case .smallHeal: 4
        case .hurt: 5
        case .criticallyHit: 6
        case .knockedDown: 7
        case .potionUsed: 8
        case .revived: 9
        case .foeDefeated: 10
        case .bossAppeared: 11
        case .bossEnraged: 12
        case .bossDefeated: 13
        case .stormRaised: 14
        case .heroJoined: 15
        case .heroLeft: 16
        case .connectionLost: 17
        case .connectionReturned: 18
        case .partyDefeated: 19
        case .timeLimitReached: 20
        case .adventureOver: 21
        case .leaderChanged: 22
        case .potionsFound: 23
        case .adventurePaused: 24
        case .adventureResumed: 25
        case .messageSent: 26
        }
    }

    private static func kind(
        _ bytes: inout ByteReader, _ roster: inout Roster
    ) throws(FormatError) -> PartyEvent.Kind {
        let number = try bytes.byte()
        switch number {
        case 1: return .adventureBegan
        case 2: return .commonLootFound(try bytes.tag(&roster), try bytes.thing())
        case 3: return .rareLootFound(try bytes.tag(&roster), try bytes.thing())
        case 4:
            return .smallHeal(try bytes.tag(&roster), amount: try bytes.number("amount"))
        case 5:
            return .hurt(
                try bytes.tag(&roster), by: try bytes.thing(),
                damage: try bytes.number("damage"))
        case 6:
            return .criticallyHit(
                try bytes.tag(&roster), by: try bytes.thing(),
                damage: try bytes.number("damage"))
        case 7: return .knockedDown(try bytes.tag(&roster))
        case 8: return .potionUsed(by: try bytes.tag(&roster), on: try bytes.tag(&roster))
        case 9: return .revived(try bytes.tag(&roster))
        case 10: return .foeDefeated(try bytes.thing(), by: try bytes.tag(&roster))
        case 11: return .bossAppeared(try bytes.thing())
        case 12: return .bossEnraged(try bytes.thing())
        case 13: return .bossDefeated(try bytes.thing(), by: try bytes.tag(&roster))
        case 14: return .stormRaised
        case 15: return .heroJoined(try bytes.tag(&roster))
        case 16: return .heroLeft(try bytes.tag(&roster))
        case 17: return .connectionLost(try bytes.tag(&roster))
        case 18: return .connectionReturned(try bytes.tag(&roster))
        case 19: return .partyDefeated
        case 20: return .timeLimitReached
        case 21: return .adventureOver(try outcome(&bytes, &roster))
        case 22: return .leaderChanged(try bytes.tag(&roster))
        case 23: return .potionsFound(try bytes.tag(&roster), count: try bytes.number("count"))
        case 24: return .adventurePaused(minutes: try bytes.number("minutes"))
        case 25: return .adventureResumed
        case 26: return .messageSent(try MessageFormat.next(&bytes))
        default: throw .unknownNumber(UInt64(number), of: "kind of event")
        }
    }
}

// MARK: Outcomes

extension EventFormat {
    static func append(_ outcome: Outcome, _ roster: inout Roster, to bytes: inout ByteWriter) {
        switch outcome {
        case .bossDefeated(let boss, by: let hero):
            bytes.append(byte: 1)
            bytes.append(boss)
            bytes.append(hero, &roster)
        case .partyDefeated: bytes.append(byte: 2)
        case .timeLimit: bytes.append(byte: 3)
        case .endedByGameMaster: bytes.append(byte: 4)
        case .abandoned: bytes.append(byte: 5)
        }
    }

    static func outcome(
        _ bytes: inout ByteReader, _ roster: inout Roster
    ) throws(FormatError) -> Outcome {
        let number = try bytes.byte()
        switch number {
        case 1: return .bossDefeated(try bytes.thing(), by: try bytes.tag(&roster))
        case 2: return .partyDefeated
        case 3: return .timeLimit
        case 4: return .endedByGameMaster
        case 5: return .abandoned
        default: throw .unknownNumber(UInt64(number), of: "outcome")
        }
    }
}
