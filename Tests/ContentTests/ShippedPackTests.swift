internal import Foundation
internal import GameLogic
internal import PushPolicy
internal import Testing

@testable internal import Content

@Suite("C3: the packs of the program") struct ShippedPackTests {
    private static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Resources/Adventures")

    @Test("every file of Resources/Adventures is in the program as it is")
    func embedded() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(names.sorted() == EmbeddedPacks.files.keys.sorted())
        for (name, file) in EmbeddedPacks.files {
            #expect(try Data(contentsOf: Self.folder.appending(path: name)) == Data(file))
        }
    }

    @Test("every pack has its file of rules, in the order of the names")
    func documents() {
        let rules = EmbeddedPacks.files.keys.filter { !PackFileName.isOfTexts($0) }.sorted()
        #expect(
            rules == ["base.json"]
                + EmbeddedPacks.documents.map { "\($0.pack.reference.id).json" })
    }

    @Test("no pack has a fault or a warning, in any language", arguments: EmbeddedPacks.documents)
    func faultless(document: PackDocument) throws {
        let file = try #require(EmbeddedPacks.file(named: document.pack.reference.id))
        #expect(try PackDocument(json: file).warnings == [])
        #expect(document.texts.languages == Language.allCases)
    }

    @Test("in one file it is the same pack", arguments: EmbeddedPacks.documents)
    func joined(document: PackDocument) throws {
        let file = try #require(EmbeddedPacks.file(named: document.pack.reference.id))
        let again = try PackDocument(json: file)
        #expect(again.rulesBody == document.rulesBody && again.textsBody == document.textsBody)
    }
}
