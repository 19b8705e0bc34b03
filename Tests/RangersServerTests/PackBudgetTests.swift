import Content
import Testing

@testable import RangersServer

/// What each pack costs a phone: at most 15% more than the figures of docs/reference/game.md, for
/// 20 stories in which nobody acts.
@Suite("B2: every pack stays within the budget of a phone")
struct PackBudgetTests {
    struct Figures: Sendable {
        let pack: String
        var frequentUpdates = false
        /// The 95th percentiles of a phone and an adventure, in a party of four.
        let pushes: Int
        let highPriority: Int
        /// Events that go at low priority because the budget is spent, in hundredths of one.
        var lowered = 20
    }

    static let packs = [
        Figures(pack: "classic", pushes: 62, highPriority: 13),
        Figures(pack: "training", pushes: 13, highPriority: 4),
        Figures(pack: "stolen-pie", pushes: 24, highPriority: 8),
        Figures(pack: "forest-quest", pushes: 65, highPriority: 14),
        Figures(pack: "lost-egg", pushes: 70, highPriority: 14),
        Figures(pack: "night-watch", pushes: 55, highPriority: 13),
        Figures(pack: "titan-rush", frequentUpdates: true, pushes: 69, highPriority: 64),
        Figures(pack: "titan-rush", pushes: 68, highPriority: 18, lowered: 990),
        Figures(pack: "kraken-tide", pushes: 37, highPriority: 11),
    ]

    @Test("pushes, those at priority 10, and alerts", arguments: packs)
    func staysWithin(_ figures: Figures) throws {
        let document = try #require(EmbeddedPacks.document(named: figures.pack))
        let words = try Words.embedded()
        let phones = try (UInt64(1)...20).flatMap { seed in
            try Rehearsal.phones(
                of: document, seed: seed, heroes: 4, frequentUpdates: figures.frequentUpdates, words
            )
        }
        #expect(phones.count == 80)
        let pushes = Self.percentile(95, of: phones.map(\.pushes))
        let high = Self.percentile(95, of: phones.map(\.highPriority))
        let lowered = phones.map(\.lowered).reduce(0, +) * 100 / phones.count
        let alerts = phones.map(\.alerts)
        let sum = "\(figures.pack): pushes \(pushes), high \(high), lowered \(lowered)"
        #expect(pushes * 100 <= figures.pushes * 115, "\(sum)")
        #expect(high * 100 <= figures.highPriority * 115, "\(sum)")
        #expect(lowered * 100 <= figures.lowered * 115, "\(sum)")
        #expect(alerts.reduce(0, +) * 10 <= 16 * phones.count, "\(alerts)")
        #expect(Self.percentile(95, of: alerts) <= 3, "\(alerts)")
        #expect(figures.pack == "training" || alerts.contains { $0 > 0 })
        #expect(phones.map(\.alertsInVain).max() == 0)
        // A pack that sends nothing passes all of the above.
        #expect(Self.percentile(50, of: phones.map(\.pushes)) * 2 >= figures.pushes, "\(sum)")
    }

    private static func percentile(_ percent: Int, of values: [Int]) -> Int {
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, sorted.count * percent / 100)]
    }
}

@Suite("C3: 1,000 stories of a pack, for its designer")
struct PackTrialTests {
    private static func warnings(
        _ pack: String = "stolen-pie", _ change: (String) -> String = { $0 }
    ) throws -> [String] {
        let file = try #require(EmbeddedPacks.file(named: pack))
        let json = change(String(decoding: file, as: UTF8.self))
        let document = try PackDocument(json: Array(json.utf8))
        return try PackTrial(of: document).warnings.map(\.description)
    }

    @Test("a pack that plays well has no warning")
    func sound() throws {
        #expect(try Self.warnings("forest-quest") == [])
        // No hero falls in training.
        #expect(try Self.warnings("training") == [])
    }

    @Test("a pack that nobody can lose is named")
    func easy() throws {
        let easy = try Self.warnings {
            $0.replacing("\"strengthPercent\": 240", with: "\"strengthPercent\": 25")
        }
        #expect(
            easy == [
                "stories: warning: parties of every size in which nobody acts win more than 97%: "
                    + "give foes and bosses more damage"
            ])
    }

    @Test("each size of the party has its length, its wins and its pushes")
    func rows() throws {
        let pie = try #require(EmbeddedPacks.document(named: "stolen-pie"))
        let rows = try PackTrial(of: pie).rows
        #expect(rows.map(\.heroes) == [1, 2, 4, 8])
        for row in rows {
            #expect((5...8).contains(row.minutes) && row.won >= 90 && row.overTime == 0)
            // 24 pushes at most, 8 of them at high priority, in six minutes.
            #expect((100...240).contains(row.pushesAnHour))
            #expect((20...80).contains(row.highPriorityAnHour))
        }
    }

    @Test("stories that are lost, or too long, are named with the size of the party")
    func faults() throws {
        let hard = try Self.warnings {
            $0.replacing("\"healthPermille\": 550", with: "\"healthPermille\": 3000")
        }
        let lost = hard.filter { $0.contains("in which nobody acts") }
        #expect(lost.first?.contains("parties of 1 in which") == true, "\(hard)")
        // The linter knows the time that a story takes, so only chance ends one by the limit.
        let pie = try #require(EmbeddedPacks.document(named: "stolen-pie"))
        let strict = try PackTrial(of: pie, overTimeMax: -1).warnings.map(\.description)
        #expect(strict.count { $0.contains("end by the time limit") } == 4, "\(strict)")
    }
}
