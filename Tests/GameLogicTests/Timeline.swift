import Content
import GameLogic

/// A story as text, one character every 30 seconds of game time: what was asked above, what
/// happened in the middle, each hero's health in tenths below.
///
/// Commands: `s` start, `1`…`8` this hero drinks their own potion, `b` boss, `l` loot for all,
/// `w` storm, `e` end, `-` nothing. Health: `x` is knocked down, `~` has lost connection.
struct Timeline {
    private var party: Party
    private let seed: UInt64
    private var story = ""
    private var health: [String]

    static func of(_ commands: String, seed: UInt64, heroes: [Hero] = Fixtures.four) throws
        -> String
    {
        var timeline = Timeline(
            party: try Fixtures.party(of: heroes), seed: seed,
            health: heroes.map { _ in "" })
        for (index, command) in commands.enumerated() {
            try timeline.step(command, at: .seconds(Int64(index * 30)))
        }
        return timeline.text(commands)
    }

    private mutating func step(_ letter: Character, at time: GameTime) throws {
        var events = party.advance(to: time)
        if let command = command(letter) { events += try party.apply(command, at: time) }
        story.append(events.last.map { Self.letter(of: $0.kind) } ?? ".")
        for (index, member) in party.members.enumerated() {
            health[index].append(Self.letter(of: member))
        }
    }

    private func command(_ letter: Character) -> Command? {
        let letters: [Character: Command] = [
            "s": .start(seed: seed, EmbeddedPacks.classic), "b": .summonBoss, "l": .dropLoot(nil),
            "w": .raiseStorm,
            "e": .end,
        ]
        if let command = letters[letter] { return command }
        return letter.wholeNumberValue.map { number in
            let hero = party.members[number - 1].hero.id
            return .usePotion(by: hero, on: hero)
        }
    }

    private func text(_ commands: String) -> String {
        let rows = zip(party.members, health).map { member, health in
            "\(member.hero.id)        ".prefix(8) + health
        }
        return (["asked   " + commands, "story   " + story] + rows).joined(separator: "\n")
    }

    private static func letter(of member: Member) -> Character {
        switch member.condition {
        case .knockedDown: "x"
        case .lostConnection: "~"
        case .standing: Character(String(min(member.health.thousandths / 100, 9)))
        }
    }

    /// One letter a kind of event.
    static func letter(of kind: PartyEvent.Kind) -> Character {
        switch kind {
        case .adventureBegan: "s"
        case .commonLootFound: "$"
        case .rareLootFound: "*"
        case .smallHeal: "+"
        case .hurt: "h"
        case .criticallyHit: "H"
        case .knockedDown: "X"
        case .potionUsed: "p"
        case .revived: "R"
        case .foeAppeared: "m"
        case .foeDefeated: "f"
        case .foeLeft: "M"
        case .bossAppeared: "B"
        case .bossEnraged: "E"
        case .bossDefeated: "V"
        case .stormRaised: "w"
        case .heroJoined: "j"
        case .heroLeft: "l"
        case .connectionLost: "?"
        case .connectionReturned: "!"
        case .partyDefeated: "D"
        case .timeLimitReached: "T"
        case .adventureOver(let outcome, in: _): letter(of: outcome)
        case .leaderChanged: "c"
        case .potionsFound: "g"
        case .adventurePaused: "("
        case .adventureResumed: ")"
        case .messageSent: "\""
        case .bossGathers: "C"
        case .bossSweeps: "S"
        case .inDanger: "d"
        case .helpAsked: "q"
        case .lastStand: "L"
        case .secondWind: "W"
        case .taleTold: "t"
        case .forkAsked: "y"
        case .forkTaken: "Y"
        case .fleeAsked: "r"
        case .fled: "F"
        case .guardAsked: "g"
        case .guarded: "G"
        case .lootAsked: "o"
        case .lootGiven: "O"
        case .breathTaken: "b"
        case .potionsRefilled: "P"
        case .stopAsked: "z"
        case .stopped: "Z"
        case .worldHit: "h"
        case .lootForAll: "&"
        case .worldBossWeakened: "u"
        case .worldBossDefeated: "U"
        case .readyAsked: "k"
        case .readyCheckEnded: "K"
        case .heroStayed: "i"
        case .heroFollowed: "I"
        }
    }

    private static func letter(of outcome: Outcome) -> Character {
        switch outcome {
        case .bossDefeated: "V"
        case .partyDefeated: "D"
        case .timeLimit: "T"
        case .endedByGameMaster: "e"
        case .abandoned: "a"
        case .fled: "F"
        case .stopped: "Z"
        case .worldBossDefeated: "U"
        }
    }
}
