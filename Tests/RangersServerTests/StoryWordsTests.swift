import Content
import GameLogic
import PushPolicy
import Testing

@testable import RangersServer

/// What players read on many adventures of each pack, in every language.
@Suite("C4: stories repeat themselves little", .timeLimit(.minutes(5)))
struct StoryWordsTests {
    private static let adventures = 50
    private static let sizes = [4, 1, 2, 8]
    /// The share of lines, in percent, that no other line of the adventure equals.
    private static let distinctMin = 60
    private static let gap = GameTime.seconds(60)

    private struct Line: Hashable {
        let time: GameTime
        let sentence: String
    }

    private static func events(of document: PackDocument, seed: Int) -> [PartyEvent] {
        let setting = BalancePlay.Setting(
            document.pack, heroes: sizes[seed % sizes.count], .asleep)
        let events = BalancePlay(setting, seed: UInt64(seed)).events
        return Array(events.drop { $0.kind.name != .adventureBegan })
    }

    /// The lines as `rangers content play` has them: what several heroes read at once is one.
    private static func lines(
        of events: [PartyEvent], _ words: Words, in language: Language
    ) -> [Line] {
        let lines = events.map { event in
            let text = EventTexts.text(for: event)
            return Line(time: event.time, sentence: words.text(text, in: language))
        }
        return lines.indices.filter { $0 == 0 || lines[$0] != lines[$0 - 1] }.map { lines[$0] }
    }

    @Test(
        "60 of 100 lines of every adventure are distinct, and no sentence comes twice in a minute",
        arguments: EmbeddedPacks.documents)
    func adventures(document: PackDocument) throws {
        let words = try Words.embedded()
        words.packs.add(document)
        for seed in 1...Self.adventures {
            let events = Self.events(of: document, seed: seed)
            #expect(events.count > 8)
            for language in Language.allCases {
                let lines = Self.lines(of: events, words, in: language)
                let distinct = Set(lines.map(\.sentence)).count
                let place = "seed \(seed), \(language.rawValue)"
                #expect(distinct * 100 >= lines.count * Self.distinctMin, "\(place): \(distinct)")
                var said: [String: GameTime] = [:]
                for line in lines {
                    let last = said.updateValue(line.time, forKey: line.sentence)
                    let isAgain = last.map { line.time - $0 < Self.gap } ?? false
                    #expect(!isAgain, "\(place): \(line.sentence)")
                }
            }
        }
    }
}
