import JSONReader
import Testing

@testable import Simulation

@Suite("What the judge finds at calm")
struct CardJudgeTests {
    private func compare(shown: String, believed: String, owed: String = "null") -> Set<Invariant> {
        var rules = CardRules()
        var findings = Violations()
        var world = Circumstances(plan: .quiet(seed: 1, minutes: 1, parties: 1))
        let sights = Sights()
        let put = Exchange(
            client: .player(0), party: 0, life: 1, method: "PUT", path: "/v1/activities/card-1",
            body: Array(#"{"hero":"hero-1","pushToken":"a7c3"}"#.utf8), idempotencyKey: nil,
            sentAt: 0, respondedAt: 1, status: 204)
        world.cards.see(JudgedExchange(put))
        let push = JudgedPush(sights.push(shown))
        rules.see(.reached(push, status: 200, reason: nil), in: world, &findings)
        let cards = """
            {"cards":[{"activity":"card-1","token":"a7c3","owed":\(owed),"endedAt":null,\
            "shown":{"contentState":{"currentHealthLevel":0.5,"eventDescription":"\(believed)"}}}]}
            """
        let party = JSONValue(Array(#"{"heroes":[{"id":"hero-1"}]}"#.utf8)) ?? .null
        rules.compare(
            cards: JSONValue(Array(cards.utf8)) ?? .null, party: party, in: world, &findings)
        #expect(rules.checked == 1)
        return Set(findings.violations.map(\.invariant))
    }

    @Test("IN16: a card shows what the server believes")
    func cards() {
        #expect(compare(shown: "a find", believed: "a find") == [])
        #expect(compare(shown: "a find", believed: "a blow") == [.IN16])
    }

    @Test("IN17: at calm nothing is owed, in flight or due")
    func rest() {
        let owed = #"{"contentState":{"currentHealthLevel":0.5,"eventDescription":"a blow"}}"#
        #expect(compare(shown: "a find", believed: "a find", owed: owed) == [.IN17])

        var findings = Violations()
        let world = Circumstances(plan: .quiet(seed: 1, minutes: 1, parties: 1))
        RestRules().compare(metrics: "rangers_pushes_in_flight 0\n", in: world, &findings)
        #expect(findings.violations == [])
        RestRules().compare(metrics: "rangers_pushes_in_flight 2\n", in: world, &findings)
        #expect(findings.violations.map(\.invariant) == [.IN17])
    }
}
