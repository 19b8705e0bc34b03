import Content
import GameLogic

/// Commands and times by the dice: what players and game masters might ask of a party in two
/// adventures, sensible or not.
struct Script {
    let commands: [(Command, GameTime)]

    init(seed: UInt64) {
        var dice = SeededRandom(seed: seed &* 31 &+ 5)
        let heroes = Fixtures.heroes(dice.draw(in: 1...10))
        var commands: [(Command, GameTime)] = []
        for hero in heroes.prefix(dice.draw(in: 1...heroes.count)) {
            commands.append((.join(hero), .zero))
        }
        var time: Int64 = 0
        for _ in 1...dice.draw(in: 1...2) {
            commands.append(
                (.start(seed: dice.next(), EmbeddedPacks.classic), GameTime(milliseconds: time)))
            time = 0
            for _ in 0..<dice.draw(in: 0...12) {
                time += Int64(dice.draw(in: 0...400_000))
                commands.append((Self.command(heroes, &dice), GameTime(milliseconds: time)))
            }
            time += 900_000
            commands.append((.end, GameTime(milliseconds: time)))
        }
        if dice.draw(in: 1...2) == 1 { commands.removeLast() }
        self.commands = commands
    }

    private static func command(_ heroes: [Hero], _ dice: inout SeededRandom) -> Command {
        let hero = heroes[dice.draw(in: 0...heroes.count - 1)]
        let friend = heroes[dice.draw(in: 0...heroes.count - 1)]
        return switch dice.draw(in: 1...28) {
        case 1...8: .usePotion(by: hero.id, on: friend.id)
        case 9...11: .usePotion(by: hero.id, on: hero.id)
        case 12...13: .join(hero)
        case 14...15: .leave(hero.id)
        case 16: .summonBoss
        case 17: .dropLoot(nil)
        case 18: .dropLoot(hero.id)
        case 19: .raiseStorm
        case 20: .kick(hero.id)
        case 21...22: .promote(hero.id)
        case 23: .claimLead(hero.id)
        case 24: .disband
        case 25...27:
            .answer(hero.id, ask: dice.draw(in: 1...6), yes: dice.draw(in: 1...2) == 1)
        default: .start(seed: 1, EmbeddedPacks.classic)
        }
    }
}
