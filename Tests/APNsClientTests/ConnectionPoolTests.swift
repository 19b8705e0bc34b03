import HTTP2Server
import APNsClient
import HTTP2
import Isolation
import Testing

@Suite("Connection pool")
struct ConnectionPoolTests {
    @Test("A request and its answer cross the wire whole")
    func echo() async throws {
        let fixture = try PoolFixture { request, _ in
            .respond(
                HTTP2Response(
                    status: 200,
                    headers: [
                        HTTP2Header("x-path", request.path),
                        HTTP2Header("x-id", request.header("apns-id") ?? ""),
                        HTTP2Header("x-auth", request.header("authorization") ?? ""),
                    ], body: request.body))
        }
        let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let small = try await fixture.pool.outcome(of: .numbered(7)).get()
        let large = try await fixture.pool.outcome(of: .numbered(8, body: Array(body[..<60_000])))
            .get()
        #expect(small.status == 200)
        #expect(small.header("x-path") == "/3/device/7")
        #expect(small.header("x-id") == "7")
        #expect(small.header("x-auth") == "bearer secret")
        #expect(small.body == Array("{}".utf8))
        #expect(large.body == Array(body[..<60_000]))
        await fixture.stop()
    }

    @Test("A3: thousands of requests at once are answered once each, with their own answer")
    func many() async throws {
        let fixture = try PoolFixture { request, _ in
            .respond(HTTP2Response(status: 200, body: Array(request.path.utf8)))
        }
        let outcomes = await fixture.pool.outcomes(of: (0..<5_000).map { .numbered($0) })
        for (number, outcome) in outcomes.enumerated() {
            #expect(try outcome.get().body == Array("/3/device/\(number)".utf8))
        }
        await fixture.stop()
    }
}
