import ByteCoding
import Content
import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

@Suite struct FormatNumberTests {
    private func check<Value: Numbered & Equatable>(_ cases: [Value]) {
        #expect(Set(cases.map(\.number)).count == cases.count)
        for value in cases { #expect(Value(number: value.number) == value) }
        #expect(Value(number: 0) == nil)
        #expect(Value(number: 255) == nil)
    }

    @Test("every case has a number of its own, and comes back by it")
    func numbers() {
        check(Scene.allCases)
        check(PushPriority.allCases)
        check(PushEnvironment.allCases)
        check(Language.allCases)
        check(ActivityState.allCases)
        check(StartReason.allCases)
        check(InFlightPush.Form.allCases)
        check(ActivityOutbox.RollOver.allCases)
        check(Decision.Disposition.allCases)
    }

    @Test("every thing of base.json has a number of its own; those of packs are spelled out")
    func things() throws {
        try check(Item.base)
        try check(Foe.base)
        try check(Boss.base)
    }

    private func check<Value: NumberedThing>(_ base: [Value]) throws {
        #expect(Set(base) == Set(Value.numbered) && base.count == Value.numbered.count)
        for (thing, size) in base.map({ ($0, 1) }) + [(Value("stolen-pie/1.magpie"), 21)] {
            var writer = ByteWriter()
            writer.append(thing)
            #expect(writer.bytes.count == size)
            let again = try writer.bytes.withUnsafeBytes { row in
                var reader = ByteReader(row)
                return try reader.thing(Value.self)
            }
            #expect(again == thing)
        }
    }

    // MARK: Words

    private static let tag = HeroTag(id: HeroID("1"), name: "Panda")
    private static let other = HeroTag(id: HeroID("2"), name: "Foxy")
    private static let kinds = PartyEvent.Kind.samples(of: tag, with: other)

    @Test("every word that a card can say has a number", arguments: kinds)
    func words(kind: PartyEvent.Kind) {
        for phrase in [
            EventTexts.text(for: kind), EventTexts.text(for: kind, onActivityOf: Self.tag),
        ] {
            // Those of packs have the pack's name in their keys.
            #expect(
                NumberedTexts.number(of: phrase.key) != nil || PackKey.isOfPack(phrase.key))
        }
    }

    @Test("every text of base.json has a number, of one byte")
    func base() {
        for key in BaseTexts.texts.texts.keys {
            #expect(NumberedTexts.number(of: key).map { $0 < 128 } == true, "\(key)")
        }
    }

    @Test("every word that an alert can say has a number")
    func alerts() {
        let alerts =
            StartReason.allCases.map { $0.alert(for: Self.tag) }
            + [Policy.rule(for: .knockedDown(Self.tag)).alert(onActivityOf: Self.tag.id)]
            .compactMap { $0 }
        #expect(alerts.count == 3)
        for alert in alerts {
            for word in [alert.titleKey, alert.bodyKey] + [alert.sound].compactMap({ $0 }) {
                #expect(NumberedTexts.number(of: word) != nil, "\(word)")
            }
        }
    }

    @Test("no word has two numbers, and each comes back by its own")
    func unique() {
        #expect(Set(NumberedTexts.texts).count == NumberedTexts.texts.count)
        for (index, text) in NumberedTexts.texts.enumerated() {
            #expect(NumberedTexts.number(of: text) == UInt64(index) + 1)
            #expect(NumberedTexts.text(UInt64(index) + 1) == text)
        }
        #expect(NumberedTexts.text(0) == nil)
        #expect(NumberedTexts.text(UInt64(NumberedTexts.texts.count) + 1) == nil)
    }
}
