internal import Foundation
internal import GameLogic
internal import Testing

@testable internal import Content

@Suite("C3: the packs of the program") struct ShippedPackTests {
    private static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Resources/Adventures")

    @Test("every file of Resources/Adventures is in the program, and has no faults")
    func embedded() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0 != "base.json" }.sorted()
        #expect(names == EmbeddedPacks.documents.map { "\($0.pack.reference.id).json" })
        for (name, file) in zip(names, EmbeddedPacks.files) {
            #expect(try Data(contentsOf: Self.folder.appending(path: name)) == Data(file))
        }
        for document in EmbeddedPacks.documents { #expect(document.warnings == []) }
    }

    /// How 400 parties that nobody helps end.
    private static func outcomes(of pack: Pack, heroes: Int) throws -> [Outcome] {
        try (UInt64(1)...400).map { seed in
            var party = Party(id: PartyID("party"))
            for number in 0..<heroes {
                let hero = Hero(
                    id: HeroID("hero-\(number)"), owner: PlayerID("player-\(number)"),
                    name: "Hero \(number)", avatar: "🐸", heroType: "Forest Dweller")
                _ = try party.apply(.join(hero), at: .zero)
            }
            _ = try party.apply(.start(seed: seed, pack), at: .zero)
            _ = party.advance(to: pack.timeLimit)
            return try #require(party.adventure?.outcome)
        }
    }

    @Test("the pie is won by nine of ten parties that nobody helps", arguments: [1, 2, 4, 8])
    func pie(heroes: Int) throws {
        let pack = EmbeddedPacks.documents[1].pack
        let outcomes = try Self.outcomes(of: pack, heroes: heroes)
        let won = outcomes.count { if case .bossDefeated = $0 { true } else { false } }
        #expect(won >= 360)
        #expect(!outcomes.contains(.timeLimit))
    }
}
