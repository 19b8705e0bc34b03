import APNsClient
import Testing

@testable import APNsSimulator

@Suite struct PayloadScanTests {
    private static let schema = RequiredFields(Scene.schema.contentState)

    private static func scanned(_ body: [UInt8]) -> ApsOutline? {
        body.withUnsafeBufferPointer { PayloadScan.outline($0, schema) }
    }

    /// What the rules and the warnings see through a tree.
    private static func parsed(_ body: [UInt8]) -> ApsOutline? {
        guard let aps = JSONValue(body)?["aps"], aps.fields?.isEmpty == false else { return nil }
        return ApsOutline(aps, schema)
    }

    @Test("the scan of a body says what its tree says, over 20,000 bodies", arguments: 1...4)
    func sameAsTree(seed: UInt64) {
        var mutations = Mutations(seed: seed)
        var good = 0
        for _ in 0..<5_000 {
            let body = mutations.body()
            let scanned = Self.scanned(body)
            if scanned != nil { good += 1 }
            if scanned != Self.parsed(body) {
                Issue.record("\(String(decoding: body, as: UTF8.self))")
                return
            }
        }
        // Neither all nor none: otherwise little was compared.
        #expect((500..<4_500).contains(good))
    }

    @Test("a number is read as Swift reads it", arguments: 1...2)
    func numbers(seed: UInt64) {
        var dice = FaultDice(seed: seed)
        for _ in 0..<5_000 {
            let digits = String(dice.next()).prefix(1 + Int(dice.next() % 19))
            let fraction = String(dice.next()).prefix(Int(dice.next() % 20))
            let exponent = Int(dice.next() % 60) - 30
            let text =
                "\(digits.drop { $0 == "0" })1\(fraction.isEmpty ? "" : ".")\(fraction)e\(exponent)"
            let body = Array(#"{"aps":{"stale-date":\#(text)}}"#.utf8)
            #expect(Self.scanned(body)?.staleDate.value == Double(text), "\(text)")
        }
    }

    @Test("nesting has the same limit", arguments: [60, 61, 62, 63, 64, 65])
    func depth(levels: Int) {
        let deep = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        let body = Array(#"{"aps":{"a":\#(deep)}}"#.utf8)
        #expect(Self.scanned(body) == Self.parsed(body))
    }

    @Test("bytes that are no UTF-8 are refused, wherever they stand", arguments: 0..<24)
    func foreignBytes(place: Int) {
        var text = Array("01234567890123456789abcd".utf8)
        text[place] = 0xFF
        let body = Array(#"{"aps":{"a":""#.utf8) + text + Array(#""}}"#.utf8)
        #expect(Self.scanned(body) == nil)
    }
}
