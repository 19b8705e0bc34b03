@testable import GameLogic
import Testing

/// The content tables hold together.
struct ContentTests {
    @Test("every item is either common or rare")
    func items() {
        #expect(Set(Item.common).isDisjoint(with: Item.rare))
        #expect(Set(Item.common + Item.rare) == Set(Item.allCases))
    }

    @Test("every act keeps the pace of 20 to 60 seconds")
    func pace() {
        let allowed = 20...60
        #expect(Adventure.beatGapMin == .seconds(20) && Adventure.beatGapMax == .seconds(60))
        for pace in QuestStage.quest.map(\.pace) + [QuestStage.bossPace] {
            #expect(allowed.contains(pace.lowerBound) && allowed.contains(pace.upperBound))
        }
    }

    @Test("every act has something for everybody: common loot is always possible")
    func scenes() {
        for act in QuestStage.quest {
            #expect(act.scenes.contains { $0.scene == .commonLoot && $0.weight > 0 })
            #expect(act.scenes.allSatisfy { $0.weight > 0 })
            #expect(!act.foes.isEmpty)
        }
    }

    @Test("the acts follow one another without a gap, then comes the boss")
    func acts() {
        let beats = QuestStage.quest.reduce(0) { $0 + $1.beats }
        #expect((0..<beats).compactMap(QuestStage.ofBeat).count == beats)
        #expect(beats > 0)
        #expect(QuestStage.ofBeat(beats) == nil)
    }

    @Test("every blow hurts, none kills a hero in full health", arguments: Foe.allCases)
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
