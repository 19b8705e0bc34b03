import Content
import Foundation
import PushPolicy
import Testing

@testable import RangersServer

@Suite("C3: what lint says of a pack", .timeLimit(.minutes(2)))
struct PackReportTests {
    /// Of a pack's rules, and its texts in English.
    private static func report(of rules: String, _ texts: String) -> PackReport {
        PackReport(of: Array(rules.utf8), [.english: Array(texts.utf8)], at: "lost-sock.json")
    }

    private static func blocks(_ language: String) throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let guide = try String(
            contentsOf: root.appending(path: "docs/guide/designers.md"), encoding: .utf8)
        return guide.components(separatedBy: "\n```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    /// The first example of the designers' guide: the rules, and the texts in English.
    private static func example() throws -> (rules: String, texts: String) {
        let files = try blocks("json")
        return try (#require(files.first), #require(files.dropFirst().first))
    }

    @Test("the first example of the designers' guide is whole, and lint says what the guide shows")
    func guide() throws {
        let (rules, texts) = try Self.example()
        let report = Self.report(of: rules, texts)
        #expect(report.isClean)
        let shown = try Self.blocks("").first { $0.contains("no errors") }
        #expect(shown == report.lines.joined(separator: "\n"))
    }

    @Test("the guide's story is one that play tells")
    func play() throws {
        let (rules, texts) = try Self.example()
        let document = try PackDocument(
            json: Array(rules.utf8), texts: [.english: Array(texts.utf8)])
        let lines = try Rehearsal.lines(of: document, seed: 4, heroes: 4, in: .english)
        let shown = try #require(try Self.blocks("").first { $0.contains("    0:00  ") })
            .split(separator: "\n").map(String.init)
        #expect(shown.count > 3)
        for line in shown { #expect(lines.contains(line), "\(line)") }
    }

    @Test("errors come first, one line tells what a language lacks, and no story is played")
    func faults() throws {
        let (rules, texts) = try Self.example()
        let german = "\"languages\": [\"en\", \"de\"], \"texts\": {\"title\": {\"de\": \"Socke\"}},"
        let report = Self.report(
            of: rules.replacing("\"level\": 1,", with: "\"level\": 0, \(german)"), texts)
        #expect(!report.isClean)
        let lines = report.lines.map { $0.prefix { $0 != ";" } }
        #expect(
            lines == [
                "lost-sock.json: level: 0 must be 1 to 20",
                "lost-sock.json: texts.de: 15 texts are missing: begins, button.found, ends.fled, "
                    + "ends.lost, ends.night, ends.won, ends.won.away, ends.won.down and 7 more",
                "lost-sock.json: 2 errors, no warnings",
            ])
    }

    @Test("the summary has the length, the wins and the pushes of each size of the party")
    func summary() throws {
        let (rules, texts) = try Self.example()
        let lines = Self.report(of: rules, texts).lines.suffix(5)
        let head = try #require(lines.first)
        for column in ["heroes", "minutes", "won", "pushes an hour", "at priority 10"] {
            #expect(head.contains(column))
        }
        let rows = lines.dropFirst().map { $0.split(separator: " ") }
        #expect(rows.map { $0.first } == ["1", "2", "4", "8"])
        #expect(Set(rows.map(\.count)) == [5])
        // Its columns stand below each other.
        #expect(Set(lines.map(\.count)).count == 1)
    }
}
