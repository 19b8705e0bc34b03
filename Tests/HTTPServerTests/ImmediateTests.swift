import HTTPServer
import Isolation
import Testing

/// Answers in place, on the server's own thread.
@Suite struct ImmediateTests {
    /// Says what the head says.
    private static let reading: HTTPServer.Immediate = { head in
        guard head.path.equals("/here") else { return nil }
        var words = [head.method?.rawValue ?? "", head.path.text, head.query.text]
        switch head.header("x-a") {
        case .absent: words.append("absent")
        case .one(let value): words.append(value.text)
        case .several: words.append("several")
        }
        return .text(words.joined(separator: " "))
    }

    @Test(
        "a head is read in place",
        arguments: [
            (request("/here"), "GET /here  absent"),
            (request("/here?a=1&after=%20&after=2"), "GET /here a=1&after=%20&after=2 absent"),
            (request("/here?after"), "GET /here after absent"),
            (request("/here", "X-A:  b \t"), "GET /here  b"),
            (request("/here", "x-a: b", "X-a: c"), "GET /here  several"),
            (post("/here", ""), "POST /here  absent"),
        ])
    func inPlace(_ text: String, _ expected: String) async throws {
        try await serving(immediate: Self.reading) { server in
            #expect(await RawClient(port: server.port).ask(text)?.body == expected)
        }
    }

    @Test("a request without a response in place reaches the handler, on the same connection")
    func handlerElse() async throws {
        try await serving(immediate: Self.reading) { server in
            let client = RawClient(port: server.port)
            #expect(await client.ask(request("/there"))?.body == "GET /there ")
            #expect(await client.ask(request("/here"))?.body == "GET /here  absent")
            #expect(await client.ask(post("/here", "body"))?.body == "POST /here body")
            #expect(await client.ask(request("/here"))?.body == "GET /here  absent")
        }
    }

    @Test("HEAD gets the response of GET in place, without the body")
    func head() async throws {
        try await serving(immediate: Self.reading) { server in
            let client = RawClient(port: server.port)
            await client.send("HEAD /here HTTP/1.1\r\nhost: x\r\n\r\n")
            #expect(await client.answerWithoutBody()?.headers["content-length"] == "17")
            #expect(await client.ask(request("/here"))?.status == 200)
        }
    }

    @Test(
        "PR14: a request that must be refused does not reach the immediate handler",
        arguments: [
            request("/here", "host: y"), request("/here%"), request("/here?a=%ff"),
            "GET /here HTTP/1.1\r\nhost: x\r\na: b\nc: d\r\n\r\n",
        ])
    func refused(_ text: String) async throws {
        let asked = Locked(0)
        let counting: HTTPServer.Immediate = { _ in
            asked.withLock { $0 += 1 }
            return .noContent
        }
        try await serving(immediate: counting) { server in
            #expect(await RawClient(port: server.port).ask(text)?.status == 400)
        }
        #expect(asked.withLock { $0 } == 0)
    }

    @Test("requests sent together get their responses in order, in place or not")
    func pipelining() async throws {
        try await serving(immediate: Self.reading) { server in
            let client = RawClient(port: server.port)
            await client.send(
                (0..<20).map { request("/here?\($0)") + post("/\($0)", "b") }.joined())
            for number in 0..<20 {
                #expect(await client.answer()?.body == "GET /here \(number) absent")
                #expect(await client.answer()?.body == "POST /\(number) b")
            }
        }
    }

    @Test("a prepared response is sent by many connections, and reads like any other")
    func prepared() async throws {
        let body = String(repeating: "adventure", count: 50_000)
        let prepared = PreparedResponse(.text(body))
        #expect(Response(prepared).body == Array(body.utf8))
        #expect(Response(prepared).status == 200)
        try await serving(immediate: { _ in Response(prepared) }) { server in
            let clients = (0..<8).map { _ in RawClient(port: server.port) }
            for client in clients { await client.send(request("/") + request("/")) }
            for client in clients + clients {
                let answer = await client.answer()
                #expect(answer?.body == body)
                #expect(answer?.headers["cache-control"] == "no-store")
            }
        }
    }

    @Test("a prepared response that was changed is another one")
    func changed() {
        var response = Response(PreparedResponse(.text("body")))
        response.headers.append(Response.Header("x-a", "b"))
        #expect(response.headers.last == Response.Header("x-a", "b"))
        #expect(response.body == Array("body".utf8))
    }

    @Test("a prepared response may be let go of while it is sent")
    func letGo() async throws {
        let once: HTTPServer.Immediate = { head in
            let body = String(repeating: "a", count: head.path.count * 100_000)
            return Response(PreparedResponse(.text(body)))
        }
        try await serving(immediate: once) { server in
            let clients = (0..<4).map { _ in RawClient(port: server.port) }
            for client in clients { await client.send(request("/abcd")) }
            for client in clients { #expect(await client.answer()?.body.utf8.count == 500_000) }
        }
    }

    @Test("a prepared response that cannot be sent is a 500")
    func unsendable() {
        let header = Response.Header("location", "/\r\nset-cookie: a=b")
        #expect(PreparedResponse(Response(status: 200, headers: [header])).status == 500)
        #expect(PreparedResponse(Response(status: 99)).status == 500)
    }

    @Test("PR13: while a server stops, responses in place close their connections")
    func stopping() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let handler: HTTPServer.Handler = { _ in
            arrived.open()
            await gate.pass()
            return .noContent
        }
        try await serving({ _ in }, handler, immediate: Self.reading) { server in
            let (waiting, kept) = (RawClient(port: server.port), RawClient(port: server.port))
            #expect(await kept.ask(request("/here"))?.status == 200)
            await waiting.send(request("/there"))
            await arrived.pass()
            async let stopped: Void = server.stop(graceSeconds: 30)
            // The kernel refuses newcomers once stopping has begun.
            while await RawClient(port: server.port).isConnected {}
            #expect(
                await kept.ask(request("/here"))?.headers["connection"]?.lowercased() == "close")
            #expect(await kept.isClosedByServer())
            gate.open()
            #expect(await waiting.answer()?.status == 204)
            await stopped
        }
    }
}
