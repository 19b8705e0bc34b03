import Foundation
import GameLogic
import PushPolicy
import Testing

/// The table of docs/reference/push-policy.md and the one in the code say the same.
@Suite("The page on the policy and the policy agree")
struct PolicyPageTests {
    @Test("B1: docs/reference/push-policy.md has a row for every event, as the table has it")
    func everyEventIsDocumented() throws {
        let documented = try Self.rows()
        let decided = try EventName.allCases.map { name in
            let kind = try #require(
                name.samples(of: Samples.panda.tag, with: Samples.egghead.tag).first)
            let rule = Policy.rule(for: kind)
            return [
                name.rawValue, "\(rule.priority.rawValue)", rule.alert == nil ? "" : "player",
                "\(rule.relevance)", "\(rule.expirationSeconds / 60) min", rule.why,
            ]
        }
        #expect(documented == decided)
    }

    private static func rows() throws -> [[String]] {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/reference/push-policy.md")
        let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
        let table = lines.drop { !$0.hasPrefix("| Event |") }.dropFirst(2).prefix { $0 != "" }
        return table.map { line in
            line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}
