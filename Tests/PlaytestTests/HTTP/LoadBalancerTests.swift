import Testing

@testable import Playtest

@Suite("A load balancer between clients and servers")
struct LoadBalancerTests {
    private static let response = HTTPClient.Response(status: 200, headers: [:], body: [])

    @Test("every server gets requests, and one that is ill gets none")
    func health() {
        let balancer = LoadBalancer(["a", "b", "c"])
        var seen = Set((0..<1_000).map { _ in balancer.choose().origin })
        #expect(seen == ["a", "b", "c"])
        balancer.note(1, isHealthy: false)
        seen = Set((0..<1_000).map { _ in balancer.choose().origin })
        #expect(seen == ["a", "c"])
        balancer.note(1, isHealthy: true)
        seen = Set((0..<1_000).map { _ in balancer.choose().origin })
        #expect(seen == ["a", "b", "c"])
    }

    @Test("when all are ill, each is tried")
    func allIll() {
        let balancer = LoadBalancer(["a", "b"])
        for number in 0..<2 { balancer.note(number, isHealthy: false) }
        #expect(Set((0..<1_000).map { _ in balancer.choose().origin }) == ["a", "b"])
    }

    @Test("only a 503 that says when to come back is no failure")
    func tally() {
        let balancer = LoadBalancer(["a"])
        let now: Int64 = 1_000
        balancer.note(.lost, to: "GET /earlier", sentAt: now - 1)
        balancer.note(Self.response, to: "GET /", sentAt: now)
        balancer.note(.init(status: 409, headers: [:], body: []), to: "GET /", sentAt: now)
        balancer.note(
            .init(status: 503, headers: ["retry-after": "2"], body: []), to: "GET /", sentAt: now)
        #expect(balancer.tally.failures(ofRequestsSince: now).isEmpty)
        balancer.note(.init(status: 503, headers: [:], body: []), to: "GET /a", sentAt: now)
        balancer.note(.lost, to: "GET /b", sentAt: now)
        #expect(balancer.tally.answered == 2)
        #expect(balancer.tally.later == 1)
        #expect(balancer.tally.failed == 3)
        #expect(
            balancer.tally.failures(ofRequestsSince: now) == [
                "GET /a returned 503", "GET /b: \(HTTPClientError.lost)",
            ])
        // However many requests have no answer, a wrong answer is not forgotten.
        for _ in 0..<500 { balancer.note(.lost, to: "GET /c", sentAt: now) }
        let answered = balancer.tally.failures(ofRequestsSince: now, answered: true)
        #expect(answered == ["GET /a returned 503"])
        #expect(balancer.tally.failures.count < 300)
    }
}
