import Testing

@testable import APNsClient
@testable import HTTP2

@Suite("Answers that APNs should not send")
struct AnswerFuzzTests {
    /// Bodies from which the mutations start.
    private static let seeds = [
        #"{"reason":"BadDeviceToken"}"#,
        #"{"reason":"Unregistered","timestamp":1685952000123}"#,
        #"{"timestamp":-1,"reason":"TooManyRequests","more":[{"a":null}]}"#,
        #"{"reason":"\u0045xpiredToken","timestamp":1e3}"#,
        #"{"reason":["Shutdown"],"timestamp":"1685952000123"}"#,
        "", "null", "[]", "{", "\u{feff}{}",
    ]

    /// What a peer's GOAWAYs may be counted by.
    static let names = Set(APNsReason.table.map(\.reason) + ["other"])

    @Test(
        "PR18: 100,000 mutated bodies of GOAWAY: no crash, and no name but Apple's is counted",
        arguments: 0..<10)
    func goAways(_ seed: Int) {
        var dice = FuzzDice(seed: UInt64(seed + 100))
        let tally = GoAwayCounts()
        for _ in 0..<10_000 {
            let body = Self.body(&dice)
            tally.note(body.withUnsafeBytes { GoAway(errorCode: 0, lastStream: 1, debugData: $0) })
        }
        #expect(tally.byReason.keys.allSatisfy(Self.names.contains), "\(tally.byReason)")
        #expect(tally.byReason.values.reduce(0, +) == 10_000)
        #expect(tally.byReason["BadDeviceToken", default: 0] > 100)
    }

    @Test(
        "PR18: 100,000 mutated bodies: no crash, a safe action, a short printable reason",
        arguments: 0..<10)
    func bodies(_ seed: Int) {
        var dice = FuzzDice(seed: UInt64(seed))
        var readable = 0
        var wrong: [[UInt8]] = []
        for _ in 0..<10_000 {
            let body = Self.body(&dice)
            let status = dice.pick([200, 400, 403, 404, 410, 413, 429, 500, 503, 600, 999, 0])
            let refusal = RefusalBody(body: body).refusal(status: status)
            let isPlain = refusal.reason.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            // Nothing that a body says makes a token dead where the status does not allow it.
            let isSafe = refusal.action != .dropToken || status == 400 || status == 410
            if !isPlain || !isSafe || refusal.reason.utf8.count > 64 { wrong.append(body) }
            if refusal.reason != "(no reason)" { readable += 1 }
        }
        #expect(wrong == [])
        #expect((1_000..<9_000).contains(readable))
    }

    private static func body(_ dice: inout FuzzDice) -> [UInt8] {
        var body = Array(dice.pick(seeds).utf8)
        for _ in 0..<dice.roll(4) where !body.isEmpty { body = dice.mutate(body) }
        return body
    }
}
