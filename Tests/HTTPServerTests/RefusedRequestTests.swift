import HTTPServer
import Isolation
import Testing

/// PR14: hostile HTTP does no harm.
@Suite struct RefusedRequestTests {
    @Test(
        "PR14: a request that can be read in two ways is refused and ends its connection",
        arguments: BadRequest.all)
    func refused(_ bad: BadRequest) async throws {
        let handled = Locked<[String]>([])
        let handler: HTTPServer.Handler = { request in
            handled.withLock { $0.append(request.path) }
            return .noContent
        }
        try await serving({ $0.idleTimeoutSeconds = 2 }, handler) { server in
            let client = RawClient(port: server.port)
            // Whatever the server takes the rest for, this must not be answered as a request.
            await client.send(bad.bytes + request("/smuggled"))
            let answers = await client.answersUntilClosed()
            // 505 is the library's own word for HTTP/2.0.
            #expect(
                answers.allSatisfy { 400..<500 ~= $0.status || $0.status == 505 }
                    && answers.count <= 1,
                "\(answers)")
            // The library's own refusals are problems too.
            for answer in answers {
                #expect(answer.headers["content-type"] == "application/problem+json")
                #expect(answer.body.hasPrefix(#"{"type":"about:blank","title":"#))
                #expect(answer.body.contains(#""status":\#(answer.status),"detail":""#))
            }
        }
        #expect(handled.withLock { $0 } == [])
    }

    @Test(
        "PR14: a path or query that is not text never reaches the handler",
        arguments: ["/bad%2", "/bad%", "/bad%zz", "/bad%00x", "/bad%ff", "/?a=%ff", "/?a=%2"])
    func notText(_ target: String) async throws {
        try await serving { server in
            let answer = await RawClient(port: server.port).ask(request(target))
            #expect(answer?.status == 400)
        }
    }

    @Test("a refusal is a problem that says what is wrong")
    func problem() async throws {
        try await serving { server in
            let answer = await RawClient(port: server.port).ask(request("/", "host: y"))
            #expect(answer?.headers["content-type"] == "application/problem+json")
            #expect(
                answer?.body == """
                    {"type":"about:blank","title":"Malformed request","status":400,\
                    "detail":"The header host occurs more than once."}
                    """)
        }
    }

    @Test(
        "what looks odd but is right is served",
        arguments: [
            request("/", "a:b"), request("/", "a:"), request("/", "a:  b \t"),
            request("/", "a: b", "a: c"),
            "\r\n" + request("/"), "GET / HTTP/1.0\r\n\r\n", request("/%E2%9A%94?a=%26&a=2&&b"),
            request("/", "cookie: a=b; c=d"),
            request("/", "host:x").replacing("host: x\r\n", with: ""),
        ])
    func odd(_ text: String) async throws {
        try await serving { server in
            #expect(await RawClient(port: server.port).ask(text)?.status == 200)
        }
    }
}
