import Content
import Testing

@testable import GameLogic

@Suite("The dice of words")
struct TellingTests {
    private static let seeds = Array(Telling.seeds)

    @Test("a variant comes again when all others have been told", arguments: 1...8)
    func withoutReplacement(variants: Int) {
        for seed in Self.seeds {
            // Beyond the period, where the count begins anew.
            let told = (0..<Telling.period + 2 * variants).map {
                Telling(seed: seed, count: $0).variant(of: variants, key: "slime.hits")
            }
            #expect(Set(told.prefix(variants)) == Set(0..<variants))
            #expect(told.dropFirst(variants).elementsEqual(told.dropLast(variants)))
        }
    }

    @Test("each adventure and each sentence has an order of its own")
    func orders() {
        func order(_ seed: Int, _ key: String) -> [Int] {
            (0..<8).map { Telling(seed: seed, count: $0).variant(of: 8, key: key) }
        }
        #expect(Set(Self.seeds.map { order($0, "slime.hits") }).count > 55)
        #expect(order(7, "slime.hits") != order(7, "slime.crits"))
        // Stored tellings mean the same in every version of the program.
        #expect(order(7, "slime.hits") == [5, 4, 1, 0, 6, 3, 7, 2])
    }

    @Test("what no adventure has told is the first variant")
    func first() {
        for variants in 1...8 {
            #expect(Telling.first.variant(of: variants, key: "slime.hits") == 0)
        }
    }

    @Test("samples tell every variant", arguments: 1...8)
    func samples(variants: Int) {
        let told = Telling.samples.prefix(variants).map { $0.variant(of: variants, key: "a") }
        #expect(Set(told) == Set(0..<variants))
    }

    @Test("sentences are counted apart, in little room")
    func counts() throws {
        var tellings = Tellings()
        let told = ["a", "b", "a", "a"].map { tellings.tell($0, seed: 5) }
        #expect(told == [0, 0, 1, 2].map { Telling(seed: 5, count: $0) })
        #expect(tellings.contains("a") && tellings.contains("b") && !tellings.contains("c"))
        #expect(tellings.sentences.count == 2)
        let again = try #require(Tellings(sentences: tellings.sentences))
        #expect(again == tellings)
        #expect(Tellings(sentences: [840]) == nil)
        #expect(Tellings(sentences: Array(repeating: 1, count: 1025)) == nil)
    }

    @Test("no two sentences of a pack count as one", arguments: EmbeddedPacks.documents)
    func distinct(document: PackDocument) {
        let own = document.texts.texts.keys.map { "\(document.pack.reference).\($0)" }
        let keys = own + BaseTexts.texts.texts.keys
        var tellings = Tellings()
        for key in keys { _ = tellings.tell(key, seed: 1) }
        #expect(tellings.sentences.count == keys.count)
    }

    // MARK: In a story

    @Test("an event has the adventure's telling; one without an adventure, the first")
    func events() throws {
        var party = try Fixtures.party()
        #expect(party.lastEvent?.telling == .first)
        let began = try party.apply(.start(seed: 7, EmbeddedPacks.classic), at: .zero)
        #expect(began.map(\.telling) != [.first])
        let storms = try (1...3).map { second in
            try #require(try party.apply(.raiseStorm, at: .seconds(Int64(second))).first).telling
        }
        #expect(Set(storms).count == 3)
        let variants = storms.map { $0.variant(of: 3, key: "storm.comes") }
        #expect(Set(variants) == [0, 1, 2])
        let message = try party.apply(.arrange(.message(.sample)), at: .seconds(4))
        #expect(message.map(\.telling) == [.first])
        let join = try party.apply(.join(Fixtures.hero("late", "Late", "🐢")), at: .seconds(5))
        #expect(join.map(\.telling) != [.first])
        let twice = try Fixtures.adventurers(seed: 7)
        #expect(twice.lastEvent?.telling == began.last?.telling)
    }

    @Test("words never change fate")
    func fate() throws {
        for seed in UInt64(1)...20 {
            var quiet = try Fixtures.adventurers(seed: seed)
            var wordy = quiet
            for kind in PartyEvent.Kind.samples(of: Fixtures.panda.tag, with: Fixtures.foxy.tag) {
                _ = wordy.adventure?.tell(kind)
            }
            let (first, second) = (
                quiet.advance(to: Adventure.timeLimit), wordy.advance(to: Adventure.timeLimit)
            )
            #expect(first.map(\.kind) == second.map(\.kind))
            #expect(first.map(\.telling) != second.map(\.telling))
            #expect(quiet.adventure?.random == wordy.adventure?.random)
        }
    }

    @Test("the question of a boss's warning keeps its words")
    func warning() throws {
        var asked = 0
        for seed in UInt64(1)...50 {
            var party = try Fixtures.adventurers(seed: seed)
            while let next = party.nextChangeAt {
                for event in party.advance(to: next) {
                    guard case .bossGathers = event.kind,
                        let ask = party.adventure?.course.asks.first(where: { $0.kind == .brace })
                    else { continue }
                    #expect(ask.telling == event.telling)
                    asked += 1
                }
            }
        }
        #expect(asked > 0)
    }

    @Test("an adventure that is over keeps no counts")
    func over() throws {
        var party = try Fixtures.adventurers()
        #expect(party.adventure?.course.tellings != Tellings())
        _ = try party.apply(.end, at: .seconds(1))
        #expect(party.adventure?.course.tellings == Tellings())
    }

    @Test("the card of a hero who is down keeps the words of the fall")
    func fall() throws {
        var told = 0
        for seed in UInt64(1)...20 {
            var party = try Fixtures.adventurers(seed: seed)
            while let next = party.nextChangeAt {
                for event in party.advance(to: next) {
                    guard case .knockedDown(let hero) = event.kind,
                        let member = party.member(hero.id), member.isKnockedDown
                    else { continue }
                    #expect(member.outing.fall.telling == event.telling)
                    told += 1
                }
            }
        }
        #expect(told > 20)
    }
}

@Suite("Tales")
struct TaleTests {
    /// A long way with three tales.
    private static func pack(_ scenes: [Weighted<Scene>]) -> Pack {
        Pack(
            Pack.Reference(id: "tales", version: 1), strength: 100, timeLimit: .minutes(60),
            stages: [
                Pack.Stage(
                    id: "way", steps: 40, pace: 15...15, scenes: scenes, foes: [], exit: .stage(1))
            ], finale: [Weighted(.dragon, weight: 1)], foes: [:],
            bosses: EmbeddedPacks.classic.bosses, commonLoot: [Weighted(.coin, weight: 1)],
            rareLoot: [Weighted(.sword, weight: 1)],
            tales: ["a", "b", "c"].map { Weighted(Tale("tales/1.\($0)"), weight: 1) })
    }

    @Test(
        "none is told twice on an adventure; when all are told, something else happens",
        arguments: [
            [Weighted(Scene.tale, weight: 1000)],
            [Weighted(Scene.tale, weight: 1000), Weighted(Scene.commonLoot, weight: 1)],
        ])
    func once(scenes: [Weighted<Scene>]) throws {
        for seed in UInt64(1)...20 {
            var party = try Fixtures.party()
            _ = try party.apply(.start(seed: seed, Self.pack(scenes)), at: .zero)
            let events = party.advance(to: .minutes(9))
            let tales = events.compactMap { event -> Tale? in
                if case .taleTold(let tale) = event.kind { tale } else { nil }
            }
            #expect(tales.map(\.name).sorted() == ["tales/1.a", "tales/1.b", "tales/1.c"])
            #expect(events.contains { $0.kind.name == .commonLootFound })
        }
    }

    @Test("the next adventure tells them again")
    func again() throws {
        var party = try Fixtures.party()
        let pack = Self.pack([Weighted(.tale, weight: 1)])
        for _ in 0..<2 {
            _ = try party.apply(.start(seed: 3, pack), at: .zero)
            let events = party.advance(to: .minutes(2))
            #expect(events.count { $0.kind.name == .taleTold } == 3)
            _ = try party.apply(.end, at: .minutes(2))
        }
    }
}
