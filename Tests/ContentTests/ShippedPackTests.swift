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
            .filter { !$0.hasPrefix("base") }.sorted()
        #expect(names == EmbeddedPacks.documents.map { "\($0.pack.reference.id).json" })
        for (name, file) in zip(names, EmbeddedPacks.files) {
            #expect(try Data(contentsOf: Self.folder.appending(path: name)) == Data(file))
        }
        for document in EmbeddedPacks.documents { #expect(document.warnings == []) }
    }
}
