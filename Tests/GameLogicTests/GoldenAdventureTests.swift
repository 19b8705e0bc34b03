import GameLogic
import Testing

/// Stories of the usual pack: a change of the dice or the content shows here first.
struct GoldenAdventureTests {
    @Test("a party that nobody helps")
    func asleep() throws {
        let asked = "s" + String(repeating: "-", count: 74)
        let told = try Timeline.of(asked, seed: 13)
        #expect(
            told == """
                asked   s--------------------------------------------------------------------------
                story   s.h.hf.$.$.$hh.f.h.hf+.hh.hf.hHH.fhgX.hh.f$o.+R+.Bhhh.dh.hhXh.hEh.Cr.RV....
                panda   999999999999988888888999999999999999999999999999999999999988777777766666666
                egghead 99999999999999999999999999888888888888866666666666653311100xxxxxxxxxx333333
                spouty  999999999999999999988888777777666666664444444555554444444444443322211111111
                foxy    999999999999999999999997778886644431xxxxxxxxxx33333333322222222222211000000
                """)
    }

    @Test("the same party, helped: potions, a storm, loot")
    func helped() throws {
        let asked = "s-----------------------------------4----w--l---------------2----------"
        let told = try Timeline.of(asked, seed: 13)
        #expect(
            told == """
                asked   s-----------------------------------4----w--l---------------2----------
                story   s.h.hf.$.$.$hh.f.h.hf+.hh.hf.hHH.fhgR.df.ho.&.+.BhhhH.g.ghXrRXEdC.ShV..
                panda   99999999999998888888899999999999999999999999999999999999977666666653333
                egghead 9999999999999999999999999988888888888888877777777764222201xx55555533333
                spouty  99999999999999999998888877777766666666666555555554444444444444411100000
                foxy    9999999999999999999999977788866444315511111111222222220000000xxxxxxxxxx
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
        #expect(hash == 13901963052399430912)
    }
}

extension PartyEvent.Kind {
    fileprivate var damage: Int {
        if case .hurt(_, _, let damage) = self { return damage }
        if case .criticallyHit(_, _, let damage) = self { return damage }
        return 0
    }
}
