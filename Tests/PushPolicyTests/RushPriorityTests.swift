import Content
import GameLogic
import PushPolicy
import Testing

@Suite("Q6: frequent updates in a boss rush")
struct RushPriorityTests {
    private let panda = Samples.panda.tag

    /// The priorities of the pushes for a blow and a sweep.
    private func priorities(in pack: String, frequent: Bool) throws -> [PushPriority] {
        let stage = try Stage(in: try #require(EmbeddedPacks.document(named: pack)).pack)
        stage.registration.frequentPushesEnabled = frequent
        let boss = try #require(stage.party.adventure?.pack.bosses.keys.first)
        var priorities: [PushPriority] = []
        for kind in [
            PartyEvent.Kind.hurt(panda, by: .bat, damage: 40), .bossSweeps(boss),
            .bossEnraged(boss),
        ] {
            let decisions = stage.tell(kind)
            stage.wait(seconds: 60)
            let pushes = stage.settleAll()
            #expect(pushes.map(\.priority) == decisions.map(\.priority) && pushes.count == 1)
            priorities += pushes.map(\.priority)
        }
        return priorities
    }

    @Test("blows and phases have high priority with frequent updates, and low priority without")
    func rush() throws {
        #expect(try priorities(in: "titan-rush", frequent: true) == [.high, .high, .high])
        #expect(try priorities(in: "titan-rush", frequent: false) == [.low, .low, .low])
    }

    @Test("in other adventures the setting only enlarges the budget")
    func quest() throws {
        #expect(try priorities(in: "forest-quest", frequent: true) == [.low, .low, .low])
    }

    @Test("in a rush of blows the budget of frequent updates lasts; then they go at low priority")
    func budget() throws {
        let pack = try #require(EmbeddedPacks.document(named: "titan-rush")).pack
        let stage = try Stage(in: pack)
        stage.registration.frequentPushesEnabled = true
        var high = 0
        for number in 1...60 {
            stage.tell(.hurt(panda, by: .bat, damage: number.isMultiple(of: 2) ? 1 : 2))
            high += stage.settleAll().count { $0.priority == .high }
            stage.wait(seconds: 1)
        }
        #expect(
            (PushBudget.Size.frequent.burst...PushBudget.Size.frequent.burst + 2)
                .contains(Int64(high)))
    }
}
