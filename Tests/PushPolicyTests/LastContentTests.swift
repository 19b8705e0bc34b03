import GameLogic
import Testing

@testable import PushPolicy

/// What an activity keeps whose end is owed: in an outage that outlasts the adventures, every one.
@Suite("PR6: last contents", .timeLimit(.minutes(1)))
struct LastContentTests {
    private func due(
        _ text: LocalizableText, health: Int = 500, version: Int64 = 7, since: Int64 = 100
    ) -> DueContent {
        .last(
            LocalizableContent(health: Health(thousandths: health), text: text), version: version,
            at: WallTime(milliseconds: since), replacing: nil)
    }

    private func nap(_ name: String) -> LocalizableText {
        LocalizableText("classic/1.ends.lost", .name(name))
    }

    private func shared(_ dues: [DueContent]) -> [LastContent] {
        LastContent.sharing(dues.map(LastContent.init))
    }

    @Test("those of one party keep their text once, and each its own health and name")
    func same() {
        let over = LocalizableText("ends.party")
        let victory = LocalizableText("hero.gives", .name("Panda"), .name("Egghead"))
        let down = LocalizableText("classic/1.ends.won.down", .name("Egghead"))
        for dues in [
            [due(nap("Panda"), health: 0), due(nap("Egghead")), due(nap("Panda"), health: 1000)],
            [due(victory, health: 1), due(victory, health: 2)],
            [due(over), due(over), due(over, health: 3)],
            [due(nap("Panda")), due(down, health: 0), due(nap("Panda"))],
        ] {
            let ends = shared(dues)
            #expect(ends.map(\.due) == dues)
            #expect(ends == dues.map(LastContent.init))
            #expect(Set(ends) == Set(dues.map(LastContent.init)))
            #expect(ends[0] != ends[1] || dues[0] == dues[1])
            #expect(LastContent.sharing(ends).map(\.due) == dues)
        }
    }

    @Test("those that differ in more keep all of their own")
    func different() {
        let first = due(nap("Panda"))
        for other in [
            due(nap("Egghead"), version: 8), due(nap("Egghead"), since: 101),
            due(LocalizableText("ends.party"), version: 9),
            due(nap("Panda"), version: 10),
        ] {
            #expect(shared([first, other]).map(\.due) == [first, other])
        }
        #expect(shared([]).isEmpty)
        #expect(shared([first]).map(\.due) == [first])
    }

    @Test("it takes no room in an outbox but that of a reference")
    func size() {
        #expect(MemoryLayout<OutboxState>.size < 2 * MemoryLayout<Int>.size)
        #expect(MemoryLayout<LiveActivity>.stride <= 384)
    }
}
