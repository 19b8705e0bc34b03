internal import ByteCoding
internal import Content
internal import GameLogic

/// Commands of players and game masters, with the game time. Each command has a number that is
/// never reused.
enum CommandFormat {
    static func append(_ logged: LoggedCommand, _ roster: Roster, to bytes: inout ByteWriter) {
        bytes.append(logged.time)
        switch logged.command {
        case .join(let hero):
            let isHomeEmpty = hero.home == Home()
            bytes.append(byte: isHomeEmpty ? 1 : 19)
            HeroFormat.append(hero, to: &bytes)
            if !isHomeEmpty { StoryFormat.append(hero.home, to: &bytes) }
        case .leave(let hero, let succession):
            bytes.append(byte: succession == .silent ? 2 : 14)
            bytes.append(hero, roster)
        case .start(seed: let seed, let pack, let departure):
            append(seed, pack, departure, to: &bytes)
        case .checkReadiness(let plan):
            bytes.append(byte: 27)
            ReadyCheckFormat.append(plan, to: &bytes)
        case .finishReadyCheck(let departure):
            bytes.append(byte: 28)
            bytes.append(departure)
        case .cancelReadyCheck: bytes.append(byte: 29)
        case .follow(let hero, at: let time):
            bytes.append(byte: 30)
            bytes.append(hero, roster)
            bytes.append(zigzag: time)
        case .answer(let hero, ask: let ask, yes: let yes):
            bytes.append(byte: yes ? 21 : 22)
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
        case .promote(let hero, let succession):
            bytes.append(byte: succession == .silent ? 11 : 15)
            bytes.append(hero, roster)
        case .claimLead(let hero, let succession):
            bytes.append(byte: succession == .silent ? 12 : 16)
            bytes.append(hero, roster)
        case .disband: bytes.append(byte: 13)
        case .arrange(let arrangement):
            bytes.append(byte: 17)
            ArrangementFormat.append(arrangement, roster, to: &bytes)
        case .worldStage(let stage):
            bytes.append(byte: 25)
            bytes.append(count: stage.rawValue)
        }
    }

    private static func append(
        _ change: HomeChange, of hero: HeroID, _ roster: Roster, to bytes: inout ByteWriter
    ) {
        switch change {
        case .orders(let orders):
            bytes.append(byte: 23)
            bytes.append(hero, roster)
            StoryFormat.append(orders, to: &bytes)
        case .buy(potions: let count):
            bytes.append(byte: 24)
            bytes.append(hero, roster)
            bytes.append(count: count)
        case .worldReward(event: let event, exp: let exp, crystals: let crystals):
            bytes.append(byte: 26)
            bytes.append(hero, roster)
            bytes.append(count: event)
            bytes.append(count: exp)
            bytes.append(count: crystals)
        }
    }

    private static func append(
        _ seed: UInt64, _ pack: Pack, _ departure: Departure, to bytes: inout ByteWriter
    ) {
        switch pack.rules {
        case .first:
            bytes.append(byte: pack.isClassic ? 3 : 18)
            bytes.append(fixed: seed)
            if !pack.isClassic { bytes.append(pack.reference) }
        case .second:
            bytes.append(byte: 20)
            bytes.append(fixed: seed)
            bytes.append(pack.reference)
            bytes.append(departure)
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
        case 2: return .leave(try bytes.hero(roster), .silent)
        case 3: return .start(seed: try bytes.fixed(), EmbeddedPacks.classic)
        case 4: return .usePotion(by: try bytes.hero(roster), on: try bytes.hero(roster))
        case 5: return .summonBoss
        case 6: return .dropLoot(try bytes.hero(roster))
        case 7: return .dropLoot(nil)
        case 8: return .raiseStorm
        case 9: return .end
        case 10: return .kick(try bytes.hero(roster))
        case 11: return .promote(try bytes.hero(roster), .silent)
        case 12: return .claimLead(try bytes.hero(roster), .silent)
        case 13: return .disband
        case 14: return .leave(try bytes.hero(roster))
        case 15: return .promote(try bytes.hero(roster))
        case 16: return .claimLead(try bytes.hero(roster))
        case 17: return .arrange(try ArrangementFormat.next(&bytes, roster))
        case 18:
            let seed = try bytes.fixed()
            return .start(seed: seed, try bytes.pack(from: packs))
        case 19:
            var hero = try HeroFormat.next(&bytes)
            hero.home = try StoryFormat.home(&bytes)
            return .join(hero)
        case 20:
            let seed = try bytes.fixed()
            let pack = try bytes.pack(from: packs)
            return .start(seed: seed, pack, try bytes.departure())
        case 21, 22:
            let hero = try bytes.hero(roster)
            return .answer(hero, ask: try bytes.number("question"), yes: number == 21)
        case 23:
            let hero = try bytes.hero(roster)
            return .change(hero, .orders(try StoryFormat.orders(&bytes)))
        case 24:
            let hero = try bytes.hero(roster)
            return .change(hero, .buy(potions: try bytes.number("potions")))
        case 25: return .worldStage(try bytes.worldStage())
        case 26:
            let hero = try bytes.hero(roster)
            let event = try bytes.number("event")
            let exp = try bytes.number(in: 0...Hero.expMax, "experience")
            let crystals = try bytes.number(in: 0...Gear.tierMax, "crystals")
            return .change(hero, .worldReward(event: event, exp: exp, crystals: crystals))
        case 27: return .checkReadiness(try ReadyCheckFormat.plan(&bytes, packs: packs))
        case 28: return .finishReadyCheck(try bytes.departure())
        case 29: return .cancelReadyCheck
        case 30: return .follow(try bytes.hero(roster), at: try bytes.milliseconds())
        default: throw .unknownNumber(UInt64(number), of: "command")
        }
    }
}
