import HTTPServer
import Testing

/// What a well-behaved client sees.
@Suite struct HTTPServerTests {
    @Test("a GET reaches the handler and its answer the client")
    func aGetReachesTheHandlerAndItsAnswerTheClient() async throws {
        try await serving { server in
            let answer = await RawClient(port: server.port).ask(get("/a%2Fb?q=a+b%26&r"))
            #expect(answer?.body == "GET /a%2Fb q=a b& r= ")
        }
    }

    @Test("every answer says its length and that it must not be kept")
    func everyAnswerSaysItsLengthAndThatItMustNotBeKept() async throws {
        try await serving { server in
            let answer = await RawClient(port: server.port).ask(get("/"))
            #expect(answer?.headers["content-length"] == "6")
            #expect(answer?.headers["cache-control"] == "no-store")
            #expect(answer?.headers["x-content-type-options"] == "nosniff")
        }
    }

    @Test("a connection carries several requests")
    func aConnectionCarriesSeveralRequests() async throws {
        try await serving { server in
            let client = RawClient(port: server.port)
            #expect(await client.ask(post("/1", "one"))?.body == "POST /1 one")
            #expect(await client.ask(post("/2", "two"))?.body == "POST /2 two")
        }
    }
    @Test("a handler that waits is waited for")
    func aHandlerThatWaitsIsWaitedFor() async throws {
        try await serving(
            { _ in },
            { request in
                await Task.yield()
                return await Task.detached { .text(request.path) }.value
            }
        ) { server in
            let client = RawClient(port: server.port)
            #expect(await client.ask(get("/1"))?.body == "/1")
            #expect(await client.ask(get("/2"))?.body == "/2")
        }
    }
}
