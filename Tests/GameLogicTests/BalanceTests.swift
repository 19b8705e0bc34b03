import Testing

@testable import GameLogic

/// How the usual adventure feels over many seeds: wide bounds, since content may change.
/// `PackBalanceTests` compares all packs with their bands.
struct BalanceTests {
    @Test("the damage table covers every size of a party")
    func sizes() {
        for size in 1...Party.sizeMax { #expect(Balance.damagePercent(partySize: size) > 0) }
        #expect(Balance.targets(partySize: 4) == 1 && Balance.targets(partySize: 5) == 2)
    }

    @Test("parties of every size that nobody helps usually win", arguments: 1...Party.sizeMax)
    func everySize(_ size: Int) throws {
        let won = try (UInt64(1)...100).count { seed in
            var party = try Fixtures.adventurers(Fixtures.heroes(size), seed: seed)
            _ = party.advance(to: Adventure.timeLimit)
            return party.adventure?.outcome?.isVictory == true
        }
        #expect(won >= 75)
    }

    @Test("an adventure of four has 45 to 85 events in about half an hour")
    func length() throws {
        let stories = try (UInt64(1)...200).map { seed in
            var party = try Fixtures.adventurers(seed: seed)
            return party.advance(to: Adventure.timeLimit)
        }
        let events = stories.map(\.count).sorted()
        let minutes = stories.map { ($0.last?.time.milliseconds ?? 0) / 60_000 }.sorted()
        #expect(events[10] >= 45 && events[190] <= 85)
        #expect(minutes[10] >= 25 && minutes[190] <= 45)
    }
}
