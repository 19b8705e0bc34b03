import Foundation
import Testing

@testable import Playtest

/// A control whose replacements match nothing would take no fence away.
@Suite("What a control takes from the store's statements")
struct ClusterFenceTests {
    /// All of the store's source, with parameters as PostgreSQL gets them.
    private static let statements: String = {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let folder = root.appending(path: "Sources/PartyStore")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let texts = (files?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { $0.pathExtension == "swift" }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
        return texts.joined().replacing("?", with: "$")
    }()

    @Test("each fence is in a statement, word for word", arguments: ClusterFence.replacements)
    func fences(original: String, replacement: String) {
        #expect(Self.statements.contains(original))
        #expect(original.utf8.count == replacement.utf8.count)
    }
}
