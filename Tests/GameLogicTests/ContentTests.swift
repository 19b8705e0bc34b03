@testable import GameLogic
import Testing

/// The content tables hold together.
struct ContentTests {
    @Test("every item is either common or rare")
    func items() {
        #expect(Set(Item.common).isDisjoint(with: Item.rare))
        #expect(Set(Item.common + Item.rare) == Set(Item.allCases))
    }

    @Test("every stage keeps the pace of 20 to 60 seconds")
    func pace() {
        let allowed = 20...60
        for pace in QuestStage.quest.map(\.pace) + [QuestStage.bossPace] {
            #expect(allowed.contains(pace.lowerBound) && allowed.contains(pace.upperBound))
        }
    }

    @Test("every stage has something for everybody: common loot is always possible")
    func scenes() {
        for stage in QuestStage.quest {
            #expect(stage.scenes.contains { $0.scene == .commonLoot && $0.weight > 0 })
            #expect(stage.scenes.allSatisfy { $0.weight > 0 })
            #expect(!stage.foes.isEmpty)
        }
    }

    @Test("the stages follow one another without a gap, then comes the boss")
    func stages() {
        let steps = QuestStage.quest.reduce(0) { $0 + $1.steps }
        #expect((0..<steps).compactMap(QuestStage.ofStep).count == steps)
        #expect(steps > 0)
        #expect(QuestStage.ofStep(steps) == nil)
    }

    @Test("every blow hurts, none kills a hero at full health", arguments: Foe.allCases)
    func damage(_ foe: Foe) {
        let worst =
            foe.traits.damage.upperBound * Balance.criticalPercent * Balance.enragedPercent / 10_000
        #expect(foe.traits.damage.lowerBound > 0)
        #expect(worst < Health.full.thousandths)
    }

    @Test("the foes of the quest teach the heroes something")
    func lessons() {
        let foes = QuestStage.quest.flatMap(\.foes)
        #expect(!foes.isEmpty && foes.allSatisfy { $0.traits.exp > 0 })
    }

    @Test("a boss hurts under its own name", arguments: Boss.allCases)
    func bosses(_ boss: Boss) {
        #expect(boss.foe.rawValue == boss.rawValue)
    }

    @Test("the damage table covers every size of a party")
    func sizes() {
        for size in 1...Party.sizeMax { #expect(Balance.damagePercent(partySize: size) > 0) }
        #expect(Balance.targets(partySize: 4) == 1 && Balance.targets(partySize: 5) == 2)
    }
}
