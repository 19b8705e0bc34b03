import Testing

@testable import Playtest

@Suite("The tally of a client's requests")
struct RequestTallyTests {
    private static let response = HTTPClient.Response(status: 200, headers: [:], body: [])

    @Test("only a 503 that says when to come back is no failure")
    func failures() {
        let tally = RequestTally()
        let now: Int64 = 1_000
        tally.note(.lost, to: "GET /earlier", sentAt: now - 1)
        tally.note(Self.response, to: "GET /", sentAt: now)
        tally.note(.init(status: 409, headers: [:], body: []), to: "GET /", sentAt: now)
        tally.note(
            .init(status: 503, headers: ["retry-after": "2"], body: []), to: "GET /", sentAt: now)
        #expect(tally.counts.failures(ofRequestsSince: now).isEmpty)
        tally.note(.init(status: 503, headers: [:], body: []), to: "GET /a", sentAt: now)
        tally.note(.lost, to: "GET /b", sentAt: now)
        #expect(tally.counts.answered == 2)
        #expect(tally.counts.later == 1)
        #expect(tally.counts.failed == 3)
        #expect(
            tally.counts.failures(ofRequestsSince: now) == [
                "GET /a returned 503", "GET /b: \(HTTPClientError.lost)",
            ])
        // However many requests have no answer, a wrong answer is not forgotten.
        for _ in 0..<500 { tally.note(.lost, to: "GET /c", sentAt: now) }
        let answered = tally.counts.failures(ofRequestsSince: now, answered: true)
        #expect(answered == ["GET /a returned 503"])
        #expect(tally.counts.failures.count < 300)
    }
}
