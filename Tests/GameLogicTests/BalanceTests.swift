@testable import GameLogic
import Testing

/// How adventures feel over many seeds: wide bounds, since content may change.
struct BalanceTests {
    /// Who looks after the fallen.
    enum Players { case asleep, careful }

    /// What was seen of one adventure.
    struct Playing {
        var events = 0
        var falls = 0
        var minutes: Int64 = 0
        var isWon = false
    }

    @Test("the damage table covers every size of a party")
    func sizes() {
        for size in 1...Party.sizeMax { #expect(Balance.damagePercent(partySize: size) > 0) }
        #expect(Balance.targets(partySize: 4) == 1 && Balance.targets(partySize: 5) == 2)
    }

    @Test("a party of four that nobody helps wins about every second adventure")
    func asleep() throws {
        let won = try Self.play(.asleep, parties: 300, of: 4).count { $0.isWon }
        #expect((90...210).contains(won))
    }

    @Test("a party of four that drinks a potion after each knock-down usually wins")
    func careful() throws {
        let won = try Self.play(.careful, parties: 200, of: 4).count { $0.isWon }
        #expect(won >= 170)
    }

    @Test("parties of every size have a fair chance", arguments: 1...Party.sizeMax)
    func everySize(_ size: Int) throws {
        let won = try Self.play(.asleep, parties: 100, of: size).count { $0.isWon }
        #expect((20...85).contains(won))
    }

    @Test("in most adventures of four a hero is knocked down")
    func drama() throws {
        let fell = try Self.play(.careful, parties: 200, of: 4).count { $0.falls > 0 }
        #expect(fell >= 140)
    }

    @Test("an adventure of four has 35 to 60 events in about half an hour")
    func length() throws {
        let all = try Self.play(.careful, parties: 200, of: 4)
        let events = all.map(\.events).sorted()
        let minutes = all.map(\.minutes).sorted()
        #expect(events[10] >= 35 && events[190] <= 60)
        #expect(minutes[10] >= 20 && minutes[190] <= 40)
    }

    private static func play(_ players: Players, parties: Int, of size: Int) throws -> [Playing] {
        try (1...parties).map { seed in
            try play(Fixtures.heroes(size), seed: UInt64(seed), players)
        }
    }

    private static func play(_ heroes: [Hero], seed: UInt64, _ players: Players) throws -> Playing {
        var party = try Fixtures.adventurers(heroes, seed: seed)
        var seen = Playing()
        while let next = party.nextChangeAt {
            let events = party.advance(to: next)
            seen.events += events.count
            for event in events {
                guard case .knockedDown(let hero) = event.kind else { continue }
                seen.falls += 1
                guard players == .careful, let member = party.member(hero.id),
                    party.isOnAdventure, member.potions > 0
                else { continue }
                seen.events += try party.apply(.usePotion(by: hero.id, on: hero.id), at: next).count
            }
        }
        seen.minutes = (party.adventure?.advancedTo.milliseconds ?? 0) / 60_000
        if case .bossDefeated = party.adventure?.outcome { seen.isWon = true }
        return seen
    }
}
