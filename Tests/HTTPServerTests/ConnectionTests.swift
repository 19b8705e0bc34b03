import Dispatch
import HTTPServer
import Testing

/// What can happen on one connection.
@Suite struct ConnectionTests {
    @Test("a connection carries several requests")
    func keepAlive() async throws {
        try await serving { server in
            let client = RawClient(port: server.port)
            #expect(await client.ask(post("/1", "one"))?.body == "POST /1 one")
            #expect(await client.ask(post("/2", "two"))?.body == "POST /2 two")
        }
    }

    @Test("requests sent together get their responses in order")
    func pipelining() async throws {
        let handler: HTTPServer.Handler = { request in
            if request.path.hasSuffix("0") { await Task.yield() }
            return .text(request.path + String(decoding: request.body, as: UTF8.self))
        }
        try await serving({ _ in }, handler) { server in
            let client = RawClient(port: server.port)
            await client.send(
                (0..<20).map { post("/\($0)", "body") + request("/\($0)") }.joined())
            for number in 0..<20 {
                #expect(await client.answer()?.body == "/\(number)body")
                #expect(await client.answer()?.body == "/\(number)")
            }
        }
    }

    @Test("a chunked body arrives whole")
    func chunked() async throws {
        try await serving { server in
            let client = RawClient(port: server.port)
            await client.send("PUT /x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: Chunked\r\n\r\n")
            await client.send("4\r\npart\r\n")
            await client.send("A;name=value\r\n of heroes\r\n")
            await client.send("1\r\n!\r\n0\r\ntrailer: x\r\n\r\n")
            #expect(await client.answer()?.body == "PUT /x part of heroes!")
            #expect(await client.ask(request("/y"))?.body == "GET /y ")
        }
    }

    @Test("Expect: 100-continue gets a 100")
    func expectContinue() async throws {
        try await serving { server in
            let client = RawClient(port: server.port)
            await client.send(
                "POST /x HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n")
            #expect(await client.answerWithoutBody()?.status == 100)
            #expect(await client.ask("ab")?.body == "POST /x ab")
        }
    }

    @Test("HTTP/1.0 and connection: close end the connection after the response")
    func close() async throws {
        try await serving { server in
            for text in ["GET / HTTP/1.0\r\n\r\n", request("/", "connection: close")] {
                let client = RawClient(port: server.port)
                #expect(await client.ask(text)?.status == 200)
                #expect(await client.isClosedByServer())
            }
        }
    }

    @Test(
        "PR14: a client that does not get on is cut off",
        arguments: [
            "", "GE", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nhost: x\r\n",
            "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc",
            "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab",
        ])
    func silence(_ beginning: String) async throws {
        try await serving({ $0.requestTimeoutSeconds = 1 }) { server in
            let client = RawClient(port: server.port)
            await client.send(beginning)
            #expect(await client.isClosedByServer())
        }
    }

    @Test("PR14: a client that sends a byte now and then is cut off all the same")
    func trickle() async throws {
        try await serving({ $0.requestTimeoutSeconds = 1 }) { server in
            let client = RawClient(port: server.port)
            await client.send("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10000\r\n\r\n")
            // Each byte would begin the library's own timeout anew.
            #expect(await client.tricklesUntilClosed(bytesMax: 9000))
        }
    }

    @Test(
        "PR14: a client that sends requests and never reads is cut off after the time for a response"
    )
    func pipeliningUnread() async throws {
        let large = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        let isHere = Gate()
        try await serving {
            $0.requestTimeoutSeconds = 1
            $0.connectionsMax = 1
        } _: { request in
            if request.path != "/" { return .text("here") }
            isHere.open()
            return Response(status: 200, body: large)
        } _: { server in
            let client = RawClient(port: server.port)
            await client.send(String(repeating: request("/"), count: 100))
            await isHere.pass()
            // Its place is free once it is cut.
            while await RawClient(port: server.port).ask(request("/other"))?.status != 200 {
                guard !Task.isCancelled else { return }
            }
            #expect(await client.rest().utf8.count < 100 * large.count)
        }
    }

    @Test("a kept connection that stays silent is closed")
    func idle() async throws {
        try await serving({ $0.idleTimeoutSeconds = 1 }) { server in
            let client = RawClient(port: server.port)
            #expect(await client.ask(request("/"))?.status == 200)
            #expect(await client.isClosedByServer())
        }
    }

    @Test(
        "requests that come at once, about as many as the library's list of events holds",
        arguments: [126, 127, 128, 129, 256])
    func burst(of count: Int) async throws {
        let (busy, free) = (Gate(), DispatchSemaphore(value: 0))
        let immediate: HTTPServer.Immediate = { head in
            guard head.path.equals("/busy") else { return .noContent }
            busy.open()
            free.wait()
            return .noContent
        }
        let settings: (inout HTTPServer.Settings) -> Void = {
            $0.threads = 1
            // No end of a connection wakes the thread.
            $0.idleTimeoutSeconds = 600
        }
        try await serving(settings, immediate: immediate) { server in
            let clients = (0..<count).map { _ in RawClient(port: server.port) }
            for client in clients { #expect(await client.ask(request("/"))?.status == 204) }
            let first = RawClient(port: server.port)
            await first.send(request("/busy"))
            await busy.pass()
            for client in clients { await client.send(request("/")) }
            free.signal()
            for client in clients + [first] {
                let answer = await client.answer()
                // A thread that stands still answers nobody: one wait shows it.
                try #require(answer?.status == 204)
            }
        }
    }
}
