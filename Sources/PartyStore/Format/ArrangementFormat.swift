internal import ByteCoding
internal import GameLogic

/// What a game master has chosen. Each choice has a number that is never reused.
enum ArrangementFormat {
    static func append(
        _ arrangement: Arrangement, _ roster: Roster, to bytes: inout ByteWriter
    ) {
        switch arrangement {
        case .boss(let boss):
            bytes.append(byte: 1)
            bytes.append(boss)
        case .item(let item, for: let hero):
            bytes.append(byte: 2)
            append(hero, roster, to: &bytes)
            bytes.append(item)
        case .potions(let count, for: let hero):
            bytes.append(byte: 3)
            append(hero, roster, to: &bytes)
            bytes.append(count: count)
        case .storm(strength: let strength):
            bytes.append(byte: 4)
            bytes.append(count: strength)
        case .heal(let hero, amount: let amount, let waking):
            bytes.append(byte: waking == .wakes ? 6 : 5)
            append(hero, roster, to: &bytes)
            bytes.append(count: amount)
        case .end(.timeLimit): bytes.append(byte: 7)
        case .end(.partyDefeated): bytes.append(byte: 8)
        case .end(.endedByGameMaster): bytes.append(byte: 9)
        case .pause(minutes: let minutes, then: nil):
            bytes.append(byte: 10)
            bytes.append(count: minutes)
        case .pause(minutes: let minutes, then: .some(let ending)):
            bytes.append(byte: 11)
            bytes.append(count: minutes)
            bytes.append(ending)
        case .resume: bytes.append(byte: 12)
        case .message(let message):
            bytes.append(byte: 13)
            MessageFormat.append(message, to: &bytes)
        }
    }

    static func next(
        _ bytes: inout ByteReader, _ roster: Roster
    ) throws(FormatError) -> Arrangement {
        let number = try bytes.byte()
        switch number {
        case 1: return .boss(try bytes.thing())
        case 2:
            let hero = try hero(&bytes, roster)
            return .item(try bytes.thing(), for: hero)
        case 3:
            let hero = try hero(&bytes, roster)
            return .potions(
                try bytes.number(in: Arrangement.potionCounts, "potions"), for: hero)
        case 4:
            return .storm(
                strength: try bytes.number(in: Arrangement.stormStrengths, "strength"))
        case 5, 6:
            let hero = try hero(&bytes, roster)
            let amount = try bytes.number(in: Arrangement.healAmounts, "amount")
            return .heal(hero, amount: amount, number == 6 ? .wakes : .none)
        case 7: return .end(.timeLimit)
        case 8: return .end(.partyDefeated)
        case 9: return .end(.endedByGameMaster)
        case 10: return .pause(minutes: try minutes(&bytes), then: nil)
        case 11:
            let minutes = try minutes(&bytes)
            return .pause(minutes: minutes, then: try bytes.numbered())
        case 12: return .resume
        case 13: return .message(try MessageFormat.next(&bytes))
        default: throw .unknownNumber(UInt64(number), of: "choice of a game master")
        }
    }

    private static func minutes(_ bytes: inout ByteReader) throws(FormatError) -> Int {
        try bytes.number(in: Arrangement.pauseMinutes, "minutes")
    }

    /// Appends whether there is a hero, and the hero; without one all are meant.
    private static func append(_ hero: HeroID?, _ roster: Roster, to bytes: inout ByteWriter) {
        var flags = Flags()
        flags.append(hero != nil)
        bytes.append(flags)
        if let hero { bytes.append(hero, roster) }
    }

    private static func hero(
        _ bytes: inout ByteReader, _ roster: Roster
    ) throws(FormatError) -> HeroID? {
        var flags = try bytes.flags(1)
        return flags.next() ? try bytes.hero(roster) : nil
    }
}

extension Arrangement.Ending: Numbered {
    var number: UInt8 {
        switch self {
        case .timeLimit: 1
        case .partyDefeated: 2
        case .endedByGameMaster: 3
        }
    }
}
