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
        bytes.append(byte: number(of: event.kind))
        append(event.kind, &roster, to: &bytes)
        bytes.append(event.telling)
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
            kind: try kind(&bytes, &roster), telling: try bytes.telling())
    }

    private static func append(
        _ kind: PartyEvent.Kind, _ roster: inout Roster, to bytes: inout ByteWriter
    ) {
        switch kind {
        case .stormRaised, .partyDefeated, .adventureResumed, .fleeAsked, .breathTaken,
            .potionsRefilled, .stopAsked, .stopped, .readyAsked, .readyCheckEnded:
            break
        case .adventureBegan(let pack), .timeLimitReached(in: let pack): bytes.append(pack)
        case .adventurePaused(minutes: let count), .worldHit(points: let count):
            bytes.append(count: count)
        case .commonLootFound(let hero, let item), .rareLootFound(let hero, let item),
            .lootAsked(let hero, let item), .lootGiven(let hero, let item):
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
            .leaderChanged(let hero), .inDanger(let hero), .lastStand(let hero),
            .secondWind(let hero), .guardAsked(let hero), .heroStayed(let hero),
            .heroFollowed(let hero):
            bytes.append(hero, &roster)
        case .potionUsed(by: let first, on: let second), .helpAsked(let first, of: let second),
            .guarded(let first, by: let second):
            bytes.append(first, &roster)
            bytes.append(second, &roster)
        case .foeDefeated(let foe, by: let hero):
            bytes.append(foe)
            bytes.append(hero, &roster)
        case .foeAppeared(let foe), .foeLeft(let foe): bytes.append(foe)
        case .bossAppeared(let boss), .bossGathers(let boss), .bossSweeps(let boss),
            .fled(let boss), .worldBossDefeated(let boss):
            bytes.append(boss)
        case .bossEnraged(let boss, phase: let phase):
            bytes.append(boss)
            bytes.append(count: phase)
        case .taleTold(let tale): bytes.append(text: tale.name)
        case .forkAsked(let fork): bytes.append(text: fork.name)
        case .forkTaken(let fork, bold: let isBold):
            bytes.append(text: fork.name)
            bytes.append(byte: isBold ? 1 : 0)
        case .bossDefeated(let boss, by: let hero):
            bytes.append(boss)
            bytes.append(hero, &roster)
        case .adventureOver(let outcome, in: let pack):
            append(outcome, &roster, to: &bytes)
            bytes.append(pack)
        case .messageSent(let message): MessageFormat.append(message, to: &bytes)
        case .worldBossWeakened(let boss, let stage):
            bytes.append(boss)
            bytes.append(count: stage.rawValue)
        case .lootForAll(let item): bytes.append(item)
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
        case .bossGathers: 27
        case .bossSweeps: 28
        case .inDanger: 29
        case .helpAsked: 30
        case .lastStand: 31
        case .secondWind: 32
        case .taleTold: 33
        case .forkAsked: 34
        case .forkTaken: 35
        case .fleeAsked: 36
        case .fled: 37
        case .guardAsked: 38
        case .guarded: 39
        case .lootAsked: 40
        case .lootGiven: 41
        case .breathTaken: 42
        case .potionsRefilled: 43
        case .stopAsked: 44
        case .stopped: 45
        case .worldHit: 46
        case .worldBossWeakened: 47
        case .worldBossDefeated: 48
        case .lootForAll: 49
        case .readyAsked: 50
        case .readyCheckEnded: 51
        case .heroStayed: 52
        case .heroFollowed: 53
        case .foeAppeared: 54
        case .foeLeft: 55
        }
    }

    private static func kind(
        _ bytes: inout ByteReader, _ roster: inout Roster
    ) throws(FormatError) -> PartyEvent.Kind {
        let number = try bytes.byte()
        switch number {
        case 1: return .adventureBegan(try bytes.packReference())
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
        case 12: return .bossEnraged(try bytes.thing(), phase: try bytes.number("phase"))
        case 13: return .bossDefeated(try bytes.thing(), by: try bytes.tag(&roster))
        case 14: return .stormRaised
        case 15: return .heroJoined(try bytes.tag(&roster))
        case 16: return .heroLeft(try bytes.tag(&roster))
        case 17: return .connectionLost(try bytes.tag(&roster))
        case 18: return .connectionReturned(try bytes.tag(&roster))
        case 19: return .partyDefeated
        case 20: return .timeLimitReached(in: try bytes.packReference())
        case 21:
            return .adventureOver(try outcome(&bytes, &roster), in: try bytes.packReference())
        case 22: return .leaderChanged(try bytes.tag(&roster))
        case 23: return .potionsFound(try bytes.tag(&roster), count: try bytes.number("count"))
        case 24: return .adventurePaused(minutes: try bytes.number("minutes"))
        case 25: return .adventureResumed
        case 26: return .messageSent(try MessageFormat.next(&bytes))
        default: return try otherKind(number, &bytes, &roster)
        }
    }

    /// Reads a kind of event with a number above 26.
    private static func otherKind(
        _ number: UInt8, _ bytes: inout ByteReader, _ roster: inout Roster
    ) throws(FormatError) -> PartyEvent.Kind {
        switch number {
        case 27: return .bossGathers(try bytes.thing())
        case 28: return .bossSweeps(try bytes.thing())
        case 29: return .inDanger(try bytes.tag(&roster))
        case 30: return .helpAsked(try bytes.tag(&roster), of: try bytes.tag(&roster))
        case 31: return .lastStand(try bytes.tag(&roster))
        case 32: return .secondWind(try bytes.tag(&roster))
        case 33: return .taleTold(Tale(try bytes.text()))
        case 34: return .forkAsked(Fork(try bytes.text()))
        case 35: return .forkTaken(Fork(try bytes.text()), bold: try bytes.byte() != 0)
        case 36: return .fleeAsked
        case 37: return .fled(try bytes.thing())
        case 38: return .guardAsked(try bytes.tag(&roster))
        case 39: return .guarded(try bytes.tag(&roster), by: try bytes.tag(&roster))
        case 40: return .lootAsked(try bytes.tag(&roster), try bytes.thing())
        case 41: return .lootGiven(try bytes.tag(&roster), try bytes.thing())
        case 42: return .breathTaken
        case 43: return .potionsRefilled
        case 44: return .stopAsked
        case 45: return .stopped
        case 46: return .worldHit(points: try bytes.number("points"))
        case 47: return .worldBossWeakened(try bytes.thing(), try bytes.worldStage())
        case 48: return .worldBossDefeated(try bytes.thing())
        case 49: return .lootForAll(try bytes.thing())
        case 50: return .readyAsked
        case 51: return .readyCheckEnded
        case 52: return .heroStayed(try bytes.tag(&roster))
        case 53: return .heroFollowed(try bytes.tag(&roster))
        case 54: return .foeAppeared(try bytes.thing())
        case 55: return .foeLeft(try bytes.thing())
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
        case .fled(let boss):
            bytes.append(byte: 6)
            bytes.append(boss)
        case .stopped: bytes.append(byte: 7)
        case .worldBossDefeated: bytes.append(byte: 8)
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
        case 6: return .fled(try bytes.thing())
        case 7: return .stopped
        case 8: return .worldBossDefeated
        default: throw .unknownNumber(UInt64(number), of: "outcome")
        }
    }
}
