import Foundation
import GameLogic
import PushPolicy
import Testing

/// The table of docs/reference/push-policy.md and the one in the code say the same.
@Suite("The page on the policy and the policy agree")
struct PolicyPageTests {
    @Test("B1: docs/reference/push-policy.md has a row for every event, as the table has it")
    func everyEventIsDocumented() throws {
        let documented = try Self.rows(below: "| Event | Priority |")
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

    @Test("C7: docs/reference/push-policy.md says what each event is for, as the table has it")
    func everyNewsIsDocumented() throws {
        let documented = try Self.rows(below: "| Event | For its heroes |")
        let decided = try EventName.allCases.map { name in
            let kind = try #require(
                name.samples(of: Samples.panda.tag, with: Samples.egghead.tag).first)
            let rule = NewsPolicy.rule(for: kind)
            let own = rule.hero == nil ? [] : [rule.own]
            let partners = rule.partner == nil || rule.partners == rule.own ? [] : [rule.partners]
            let question = rule.isQuestion ? " or the question" : ""
            let ranks = (own + partners).map { "\($0)" }.joined(separator: ", ")
            return [
                name.rawValue, ranks.isEmpty ? "" : ranks + question,
                rule.others == .untold ? "–" : "\(rule.others)" + question, rule.reason,
            ]
        }
        #expect(documented == decided)
    }

    @Test("C7: the page has the ranks in their order")
    func ranks() throws {
        let documented = try Self.rows(below: "| Rank |").compactMap(\.first)
        let ranks = News.Rank.allCases.filter { $0 != .untold }.sorted(by: >)
        #expect(documented == ranks.map { "\($0)" })
    }

    private static func rows(below heading: String) throws -> [[String]] {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/reference/push-policy.md")
        let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
        let table = lines.drop { !$0.hasPrefix(heading) }.dropFirst(2).prefix { $0 != "" }
        return table.map { line in
            line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}
