internal import GameLogic
internal import Testing

@testable internal import Content

@Suite("The usual pack") struct ClassicTests {
    private let pack = EmbeddedPacks.classic

    @Test("its pace is 20 to 60 seconds")
    func pace() {
        let allowed = 20...60
        let paces =
            pack.stages.map(\.pace) + pack.finale.compactMap { pack.bosses[$0.choice]?.pace }
        #expect(paces.count == 7)
        for pace in paces {
            #expect(allowed.contains(pace.lowerBound) && allowed.contains(pace.upperBound))
        }
    }

    @Test("every stage has something for everybody: common loot is always possible")
    func scenes() {
        #expect(pack.stages.map(\.steps) == [6, 9, 8, 4])
        for stage in pack.stages {
            #expect(stage.scenes.contains { $0.choice == .commonLoot && $0.weight > 0 })
            #expect(!stage.foes.isEmpty)
        }
    }

    @Test("every blow hurts, none kills a hero at full health")
    func damage() throws {
        #expect(pack.foes.count == 5 && pack.bosses.count == 3)
        let hardest = try #require(pack.bosses.values.flatMap(\.phases).map(\.damage).max())
        for damage in pack.foes.values.map(\.damage) + pack.bosses.values.map(\.damage) {
            let worst = damage.upperBound * Balance.criticalPercent * hardest / 10_000
            #expect(damage.lowerBound > 0 && worst < Health.full.thousandths)
        }
    }

    @Test("the foes of the quest teach the heroes something")
    func lessons() {
        let foes = pack.stages.flatMap(\.foes).compactMap { pack.foes[$0.choice] }
        #expect(foes.count == 9 && foes.allSatisfy { $0.exp > 0 })
    }

    @Test("every thing of base.json has words and a number, and those alone")
    func things() {
        #expect(Set(pack.foes.keys).union(Foe.base) == Set(Foe.base))
        #expect(Set(pack.bosses.keys) == Set(Boss.base))
        #expect((pack.commonLoot + pack.rareLoot).map(\.choice) == Item.base)
    }
}
