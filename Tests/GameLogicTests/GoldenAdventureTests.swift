import GameLogic
import Testing

/// Stories as they have always been told: a change of the dice or the content shows here first.
struct GoldenAdventureTests {
    @Test("a party that nobody helps")
    func asleep() throws {
        let asked = "s" + String(repeating: "-", count: 71)
        #expect(
            try Timeline.of(asked, seed: 13) == """
                asked   s-----------------------------------------------------------------------
                story   s.h.fh.f$.$.H.hf.h.hf.hh.f.hhX.fh.hf.$.++.++.BH.hhh.Hhhh.hX.hh.hEh.XD...
                panda   9999999999999999999999999999999977666667778888888755532220xxxxxxxxxxxxxx
                egghead 99999999999977555555554222210xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                spouty  9999999999999999999999999999999999999999999999776666666666665332222xxxxx
                foxy    99999999999999999775555555555666666666667778888888886664444444444222xxxx
                """)
    }

    @Test("the same party, helped: potions, a storm, loot")
    func helped() throws {
        let asked = "s------------------------------2-------w--l-------------------2-------"
        #expect(
            try Timeline.of(asked, seed: 13) == """
                asked   s------------------------------2-------w--l-------------------2-------
                story   s.h.fh.f$.$.H.hf.h.hf.hh.f.hhX.Rh.hf.$.h+.*+.B.hh.hHhh.hh.hEX.RXV.....
                panda   9999999999999999999999999999999977666664555666666644444444233333333333
                egghead 99999999999977555555554222210xx55555555555566666666211111111xx55555555
                spouty  999999999999999999999999999999999999999888888897777775531122220xxxxxxx
                foxy    9999999999999999977555555555566666666665555555554444444444444444444444
                """)
    }

    @Test("a hundred stories, event by event, as one number")
    func fingerprint() throws {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for seed in UInt64(1)...100 {
            var party = try Fixtures.adventurers(Fixtures.heroes(Int(seed % 8) + 1), seed: seed)
            for event in party.advance(to: Adventure.timeLimit) {
                let letter = Timeline.letter(of: event.kind)
                for byte in "\(event.time.milliseconds)\(letter)\(event.kind.damage)".utf8 {
                    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
                }
            }
        }
        #expect(hash == 17159676800206284584)
    }
}

extension PartyEvent.Kind {
    fileprivate var damage: Int {
        if case .hurt(_, _, let damage) = self { return damage }
        if case .criticallyHit(_, _, let damage) = self { return damage }
        return 0
    }
}
