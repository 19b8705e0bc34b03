import HTTPServer
import Isolation
import Testing

/// What a well-behaved client sees.
@Suite struct HTTPServerTests {
    @Test("a GET reaches the handler, and its response the client")
    func get() async throws {
        try await serving { server in
            let answer = await RawClient(port: server.port).ask(request("/a%2Fb?q=a+b%26&r"))
            #expect(answer?.body == "GET /a%2Fb q=a b& r= ")
        }
    }

    @Test("every response has its length and forbids caching")
    func standardHeaders() async throws {
        try await serving { server in
            let answer = await RawClient(port: server.port).ask(request("/"))
            #expect(answer?.headers["content-length"] == "6")
            #expect(answer?.headers["cache-control"] == "no-store")
            #expect(answer?.headers["x-content-type-options"] == "nosniff")
        }
    }

    @Test("a handler's own cache-control stands alone")
    func ownHeaders() async throws {
        let page = Response(
            status: 200, headers: [Response.Header("Cache-Control", "max-age=60")])
        try await serving({ _ in }, { _ in page }) { server in
            let answer = await RawClient(port: server.port).ask(request("/"))
            #expect(answer?.headers["cache-control"] == "max-age=60")
        }
    }

    @Test("HEAD gets the response of GET, without the body")
    func head() async throws {
        try await serving { server in
            let client = RawClient(port: server.port)
            await client.send("HEAD /x HTTP/1.1\r\nhost: x\r\n\r\n")
            #expect(await client.answerWithoutBody()?.headers["content-length"] == "7")
            #expect(await client.ask(request("/y"))?.body == "GET /y ")
        }
    }

    @Test(
        "a method that no route can have is not implemented",
        arguments: ["PATCH", "OPTIONS", "get"])
    func unknownMethod(_ method: String) async throws {
        try await serving { server in
            let answer = await RawClient(port: server.port)
                .ask("\(method) /x HTTP/1.1\r\nhost: x\r\n\r\n")
            #expect(answer?.status == 501)
            #expect(answer?.body.contains("GET, HEAD, POST, PUT, DELETE") == true)
            #expect(answer?.headers["allow"] == nil)
        }
    }

    @Test("header names arrive in lower case, and repeated ones as a list")
    func headers() async throws {
        let handler: HTTPServer.Handler = { .text($0.headers["x-a"] ?? "") }
        try await serving({ _ in }, handler) { server in
            let answer = await RawClient(port: server.port)
                .ask(request("/", "X-A:  one ", "x-a: two"))
            #expect(answer?.body == "one, two")
        }
    }

    @Test("204 has no body and no length")
    func noContent() async throws {
        try await serving({ _ in }, { _ in .noContent }) { server in
            let client = RawClient(port: server.port)
            #expect(await client.ask(request("/"))?.status == 204)
            #expect(await client.ask(request("/"))?.status == 204)
        }
    }

    @Test("a response that cannot be sent becomes a 500, and splits no headers")
    func unsendable() async throws {
        let split = Response(
            status: 200, headers: [Response.Header("location", "/\r\nset-cookie: a=b")])
        try await serving({ _ in }, { _ in split }) { server in
            let answer = await RawClient(port: server.port).ask(request("/"))
            #expect(answer?.status == 500)
            #expect(answer?.headers["set-cookie"] == nil)
        }
    }

    @Test("every response is reported, also those without a handler")
    func reported() async throws {
        let statuses = Locked<[Int]>([])
        let configure: (inout HTTPServer.Settings) -> Void = { settings in
            settings.onResponse = { status, _ in statuses.withLock { $0.append(status) } }
        }
        try await serving(configure) { server in
            let client = RawClient(port: server.port)
            _ = await client.ask(request("/"))
            _ = await client.ask(request("/%"))
        }
        #expect(statuses.withLock { $0 } == [200, 400])
    }

    @Test("a port that is taken cannot be listened on")
    func portTaken() async throws {
        try await serving { server in
            var settings = HTTPServer.Settings()
            settings.port = server.port
            let error = #expect(throws: HTTPServerError.self) {
                try HTTPServer(settings, handler: echo)
            }
            guard case .cannotListen(let reason) = error else { return }
            #expect(reason.hasPrefix("127.0.0.1 port \(server.port): Address already in use"))
        }
    }

    @Test("a name is not an address to listen on")
    func nameAsAddress() {
        var settings = HTTPServer.Settings()
        settings.host = "localhost"
        #expect(throws: HTTPServerError.self) { try HTTPServer(settings, handler: echo) }
    }

    @Test("one thread serves too")
    func oneThread() async throws {
        try await serving({ $0.threads = 1 }) { server in
            #expect(await RawClient(port: server.port).ask(request("/"))?.status == 200)
        }
    }

    @Test("IPv6 is served")
    func ipv6() async throws {
        var settings = HTTPServer.Settings()
        settings.host = "::1"
        // Machines without IPv6 refuse the address; the message must say so then.
        do throws(HTTPServerError) {
            let server = try HTTPServer(settings, handler: echo)
            #expect(server.port > 0)
            await server.stop(graceSeconds: 0)
        } catch .cannotListen(let reason) {
            #expect(reason.hasPrefix("::1 port 0"))
        }
    }
}
