import Foundation
import GameLogic
import PushPolicy
import Testing

/// The table of docs/push-policy.md and the one in the code say the same.
@Suite("The page on the policy and the policy agree")
struct PolicyPageTests {
    @Test("B1: docs/push-policy.md has a row for every event, as the table has it")
    func everyEventIsDocumented() throws {
        let documented = try Self.rows()
        let decided = Self.oneOfEachKind.map { kind in
            let rule = Policy.rule(for: kind)
            return [
                Self.name(of: kind), "\(rule.priority.rawValue)", rule.alert == nil ? "" : "owner",
                "\(rule.relevance)", "\(rule.expirationSeconds / 60) min", rule.why,
            ]
        }
        #expect(documented == decided)
    }

    private static let hero = HeroTag(id: HeroID("hero-1"), name: "Power Panda")

    /// In the order of the cases.
    private static let oneOfEachKind: [PartyEvent.Kind] = [
        .adventureBegan, .commonLootFound(hero, .coin), .rareLootFound(hero, .sword),
        .smallHeal(hero, amount: 10), .hurt(hero, by: .slime, damage: 10),
        .criticallyHit(hero, by: .troll, damage: 300), .knockedDown(hero),
        .potionUsed(by: hero, on: hero), .revived(hero), .foeDefeated(.slime, by: hero),
        .bossAppeared(.dragon), .bossEnraged(.dragon), .bossDefeated(.dragon, by: hero),
        .stormRaised, .heroJoined(hero), .heroLeft(hero), .connectionLost(hero),
        .connectionReturned(hero), .partyDefeated, .timeLimitReached, .adventureOver(.timeLimit),
    ]

    /// "knockedDown": the case without its values.
    private static func name(of kind: PartyEvent.Kind) -> String {
        String("\(kind)".prefix { $0 != "(" })
    }

    private static func rows() throws -> [[String]] {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/push-policy.md")
        let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
        let table = lines.drop { !$0.hasPrefix("| Event |") }.dropFirst(2).prefix { $0 != "" }
        return table.map { line in
            line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}
