import Foundation
import GameLogic
import PushPolicy
import Testing

/// The rules that the ledger names, in the code and in docs/rules.md.
@Suite("The ledger explains its rules")
struct NamedRuleTests {
    @Test("each rule's sentence is the one of docs/rules.md", arguments: NamedRule.allCases)
    func sentences(rule: NamedRule) throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/rules.md")
        let rows = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
            .filter { $0.hasPrefix("| \(rule.rawValue) | ") }
        #expect(rows.map { $0.components(separatedBy: " | ")[1] } == [rule.sentence])
    }

    @Test("every code in a decision's sentence is a rule with a sentence", arguments: 0..<28)
    func codesAreKnown(bit: Int) {
        let sentences = Samples.kinds.map { kind in
            Decision(
                sequence: 1, activity: Stage.activity, disposition: .sent, priority: .low,
                carriesAlert: false, notes: .init(rawValue: 1 << bit), limit: 3
            ).rule(for: kind)
        }
        for code in sentences.flatMap(Self.bracketed) {
            #expect(NamedRule(rawValue: code) != nil, "\(code)")
        }
    }

    @Test(
        "the rules follow the sentence that names them, each once",
        arguments: [
            (
                "the content is unchanged (L13)",
                "the content is unchanged (L13). "
                    + "L13: An activity is updated only when its content changes."
            ),
            (
                "a broadcast never alerts (Q1, Q9); no alert: the activity ends (Q9)",
                "a broadcast never alerts (Q1, Q9); no alert: the activity ends (Q9). "
                    + "Q1: Low priority comes first and serves most updates. "
                    + "Q9: An alert is only for what the player must act on."
            ),
            ("the hero is not in the party", "the hero is not in the party"),
            ("a rule that nobody knows (X1)", "a rule that nobody knows (X1)"),
        ])
    func explained(text: String, sentence: String) {
        #expect(NamedRule.explaining(text) == sentence)
    }

    /// "Q1" and "Q9" of "… (Q1, Q9); …".
    private static func bracketed(in sentence: String) -> [String] {
        sentence.components(separatedBy: "(").dropFirst().flatMap { part in
            part.prefix { $0 != ")" }.components(separatedBy: ", ")
        }
    }
}
