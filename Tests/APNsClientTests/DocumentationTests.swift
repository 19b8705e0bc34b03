internal import Foundation
internal import Testing

@testable internal import APNsClient

@Suite("The library's pages say what is there")
struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    private func page(_ name: String) throws -> String {
        try text("Sources/APNsClient/APNsClient.docc/\(name).md")
    }

    /// The first block of Swift on a page.
    private func example(on page: String) throws -> String {
        let block = try #require(page.components(separatedBy: "```swift\n").dropFirst().first)
        return try #require(block.components(separatedBy: "```").first)
    }

    @Test("the example of the first update is the one that these tests compile")
    func firstUpdate() throws {
        let page = try page("SendingYourFirstLiveActivityUpdate")
        let compiled = try text("Tests/APNsClientTests/Examples/FirstUpdate.swift")
        #expect(try example(on: page) == compiled.replacing("internal import", with: "import"))
    }

    @Test("the example is at most 20 lines of code, beside imports")
    func length() throws {
        let lines = try example(on: page("SendingYourFirstLiveActivityUpdate"))
            .split(separator: "\n").filter { !$0.hasPrefix("import") }
        #expect(lines.count <= 20)
    }

    @Test("what the example sends has nothing that a device would mind")
    func linted() throws {
        let state = ContentState(currentHealthLevel: 0.9, eventDescription: "Found a sword!")
        let payload = try LiveActivityPayload.update(at: 1_685_952_000, state: state).encoded()
        let schema = LiveActivitySchema(contentState: try ContentSchema(sample: state))
        #expect(PayloadLinter(schema: schema).findings(in: payload) == [])
    }

    @Test("the table of the linter's rules is the one that it runs")
    func rules() throws {
        let rows = PayloadRule.allCases.map { rule in
            "| `\(rule.id)` | \(rule.severity.rawValue) | \(rule.consequence) |"
        }
        let table = ["| Rule | Severity | What happens, and what to do |", "| --- | --- | --- |"]
        let page = try page("LintingPayloads")
        #expect(page.hasSuffix((table + rows).joined(separator: "\n") + "\n"))
    }
}
