internal import ByteCoding
internal import GameLogic

/// Commands of players and game masters, with the game time. Each command has a number that is
/// never reused.
enum CommandFormat {
    static func append(_ logged: LoggedCommand, _ roster: Roster, to bytes: inout ByteWriter) {
        bytes.append(logged.time)
        switch logged.command {
        case .join(let hero):
            bytes.append(byte: 1)
            HeroFormat.append(hero, to: &bytes)
        case .leave(let hero):
            bytes.append(byte: 2)
            bytes.append(hero, roster)
        case .start(seed: let seed, let pack, let departure):
            bytes.append(byte: 3)
            bytes.append(fixed: seed)
            bytes.append(pack.reference)
            bytes.append(departure)
        case .checkReadiness(let plan):
            bytes.append(byte: 21)
            ReadyCheckFormat.append(plan, to: &bytes)
        case .finishReadyCheck(let departure):
            bytes.append(byte: 22)
            bytes.append(departure)
        case .cancelReadyCheck: bytes.append(byte: 23)
        case .follow(let hero, at: let time):
            bytes.append(byte: 24)
            bytes.append(hero, roster)
            bytes.append(zigzag: time)
        case .answer(let hero, ask: let ask, yes: let yes):
            bytes.append(byte: yes ? 15 : 16)
            bytes.append(hero, roster)
            bytes.append(count: ask)
        case .change(let hero, let change): append(change, of: hero, roster, to: &bytes)
        case .usePotion(by: let giver, on: let taker):
            bytes.append(byte: 4)
            bytes.append(giver, roster)
            bytes.append(taker, roster)
        case .summonBoss: bytes.append(byte: 5)
        case .dropLoot(.some(let hero)):
            bytes.append(byte: 6)
            bytes.append(hero, roster)
        case .dropLoot(.none): bytes.append(byte: 7)
        case .raiseStorm: bytes.append(byte: 8)
        case .end: bytes.append(byte: 9)
        case .kick(let hero):
            bytes.append(byte: 10)
            bytes.append(hero, roster)
        case .promote(let hero):
            bytes.append(byte: 11)
            bytes.append(hero, roster)
        case .claimLead(let hero):
            bytes.append(byte: 12)
            bytes.append(hero, roster)
        case .disband: bytes.append(byte: 13)
        case .arrange(let arrangement):
            bytes.append(byte: 14)
            ArrangementFormat.append(arrangement, roster, to: &bytes)
        case .worldStage(let stage):
            bytes.append(byte: 19)
            bytes.append(count: stage.rawValue)
        }
    }

    private static func append(
        _ change: HomeChange, of hero: HeroID, _ roster: Roster, to bytes: inout ByteWriter
    ) {
        switch change {
        case .orders(let change):
            bytes.append(byte: 17)
            bytes.append(hero, roster)
            StoryFormat.append(change, to: &bytes)
        case .buy(potions: let count):
            bytes.append(byte: 18)
            bytes.append(hero, roster)
            bytes.append(count: count)
        case .worldReward(event: let event, exp: let exp, crystals: let crystals):
            bytes.append(byte: 20)
            bytes.append(hero, roster)
            bytes.append(count: event)
            bytes.append(count: exp)
            bytes.append(count: crystals)
        }
    }

    static func next(
        _ bytes: inout ByteReader, _ roster: Roster, packs: any PackSource
    ) throws(FormatError) -> LoggedCommand {
        let time = try bytes.gameTime()
        return LoggedCommand(command: try command(&bytes, roster, packs: packs), time: time)
    }

    private static func command(
        _ bytes: inout ByteReader, _ roster: Roster, packs: any PackSource
    ) throws(FormatError) -> Command {
        let number = try bytes.byte()
        switch number {
        case 1: return .join(try HeroFormat.next(&bytes))
        case 2: return .leave(try bytes.hero(roster))
        case 3:
            let seed = try bytes.fixed()
            let pack = try bytes.pack(from: packs)
            return .start(seed: seed, pack, try bytes.departure())
        case 4: return .usePotion(by: try bytes.hero(roster), on: try bytes.hero(roster))
        case 5: return .summonBoss
        case 6: return .dropLoot(try bytes.hero(roster))
        case 7: return .dropLoot(nil)
        case 8: return .raiseStorm
        case 9: return .end
        case 10: return .kick(try bytes.hero(roster))
        case 11: return .promote(try bytes.hero(roster))
        case 12: return .claimLead(try bytes.hero(roster))
        case 13: return .disband
        case 14: return .arrange(try ArrangementFormat.next(&bytes, roster))
        case 15, 16:
            let hero = try bytes.hero(roster)
            return .answer(hero, ask: try bytes.number("question"), yes: number == 15)
        case 17:
            let hero = try bytes.hero(roster)
            return .change(hero, .orders(try StoryFormat.change(&bytes)))
        case 18:
            let hero = try bytes.hero(roster)
            return .change(hero, .buy(potions: try bytes.number("potions")))
        case 19: return .worldStage(try bytes.worldStage())
        case 20:
            let hero = try bytes.hero(roster)
            let event = try bytes.number("event")
            let exp = try bytes.number(in: 0...Hero.expMax, "experience")
            let crystals = try bytes.number(in: 0...Gear.tierMax, "crystals")
            return .change(hero, .worldReward(event: event, exp: exp, crystals: crystals))
        case 21: return .checkReadiness(try ReadyCheckFormat.plan(&bytes, packs: packs))
        case 22: return .finishReadyCheck(try bytes.departure())
        case 23: return .cancelReadyCheck
        case 24: return .follow(try bytes.hero(roster), at: try bytes.milliseconds())
        default: throw .unknownNumber(UInt64(number), of: "command")
        }
    }
}
