import HTTPServer
import Isolation
import NodeLink
import Secrets
import Testing

/// Requests without a response, and what is known of them.
@Suite(.timeLimit(.minutes(2))) struct FaultTests {
    private let get = Request(method: .get, path: "/")
    private let post = Request(method: .post, path: "/", body: Array("body".utf8))
    private let players = Hop(at: .players)

    @Test("a dead address is not reached")
    func dead() async throws {
        let listener = WireListener()
        await listener.refuse()
        try await forwarding { forwarder in
            let fault = await fault {
                try await forwarder.forward(post, to: loopback(listener.port), hop: players)
            }
            #expect(fault?.isNotReached == true)
            #expect(fault?.problem.retryAfterSeconds == 1)
            #expect(forwarder.counts.requests == 0)
        }
    }

    @Test("a peer that accepts and never answers leaves the outcome unknown at the timeout")
    func silent() async throws {
        let listener = WireListener()
        try await forwarding {
            $0.responseTimeout = .milliseconds(200)
        } _: { forwarder in
            let fault = await fault {
                try await forwarder.forward(post, to: loopback(listener.port), hop: players)
            }
            #expect(fault?.isUnknownOutcome == true)
        }
    }

    @Test(
        "a response that is cut short or no HTTP leaves the outcome unknown",
        arguments: [
            "", "HTTP/1.1 200 OK\r\ncontent-le", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabc",
            "nothing that HTTP allows\r\n\r\n",
            "HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab",
        ])
    func cut(text: String) async throws {
        let listener = WireListener()
        try await forwarding { forwarder in
            async let peer: Void = {
                let wire = await listener.accept()
                _ = await wire.message()
                await wire.send(text)
                await wire.leave()
            }()
            let fault = await fault {
                try await forwarder.forward(post, to: loopback(listener.port), hop: players)
            }
            await peer
            #expect(fault?.isUnknownOutcome == true)
        }
    }

    @Test("a response above the limit is not kept")
    func large() async throws {
        let handler: NodeListener.Handler = { request, _ in
            Response(
                status: 200, body: Array(repeating: 1, count: request.path == "/" ? 1001 : 1000))
        }
        try await linked(forwarder: { $0.responseBytesMax = 1000 }, handler) { nodes in
            let fault = await fault {
                try await nodes.forward(get)
            }
            #expect(fault?.isUnknownOutcome == true)
            let fits = try await nodes.forward(Request(method: .get, path: "/fits"))
            #expect(fits.body.count == 1000)
        }
    }

    /// Nodes whose owner holds its responses back.
    private func holding(
        _ configure: (inout RequestForwarder.Settings) -> Void = { _ in },
        _ body: (Linked, _ arrived: OpenOnce, _ leave: OpenOnce) async throws -> Void
    ) async throws {
        let arrived = OpenOnce()
        let leave = OpenOnce()
        let handler: NodeListener.Handler = { _, _ in
            arrived.open()
            await leave.pass()
            return .noContent
        }
        try await linked(forwarder: configure, handler) { nodes in
            defer { leave.open() }
            try await body(nodes, arrived, leave)
        }
    }

    @Test("beyond the limits a request is not sent", arguments: [true, false])
    func overloaded(inTotal: Bool) async throws {
        try await holding { settings in
            settings.requestsMax = inTotal ? 1 : 2
            settings.requestsPerNodeMax = inTotal ? 2 : 1
        } _: { nodes, arrived, leave in
            async let first = nodes.forward(get)
            await arrived.pass()
            let fault = await fault { try await nodes.forward(get) }
            #expect(fault == .overloaded)
            leave.open()
            for response in [try await first, try await nodes.forward(get)] {
                #expect(response.status == 204)
            }
        }
    }

    @Test("a cancelled wait ends, with an unknown outcome")
    func cancelled() async throws {
        try await holding { nodes, arrived, _ in
            let waiting = Task { await fault { try await nodes.forward(post) } }
            await arrived.pass()
            waiting.cancel()
            #expect(await waiting.value?.isUnknownOutcome == true)
        }
    }

    @Test("after its stop a forwarder sends nothing, and what waits ends")
    func stop() async throws {
        try await holding { nodes, arrived, _ in
            let waiting = Task { await fault { try await nodes.forward(post) } }
            await arrived.pass()
            await nodes.forwarder.stop()
            #expect(await waiting.value?.isUnknownOutcome == true)
            let late = await fault { try await nodes.forward(post) }
            #expect(late?.isNotReached == true)
        }
    }

    // MARK: Kept connections

    /// Answers the first request on a connection, takes the second, and closes without an answer.
    private func breakAfterSecond(_ listener: WireListener) async -> [String] {
        var lines: [String] = []
        let first = await listener.accept()
        lines.append(await first.message()?.head ?? "")
        await first.send("HTTP/1.1 204 No\r\n\r\n")
        lines.append(await first.message()?.head ?? "")
        await first.leave()
        // libcurl opens a connection for its repetition, and closes it when it may not send.
        for _ in 0..<2 {
            let next = await listener.accept()
            guard let head = await next.message()?.head else { continue }
            lines.append(head)
            await next.send("HTTP/1.1 204 No\r\n\r\n")
            break
        }
        return lines.map { String($0.prefix { !$0.isNewline }) }
    }

    @Test(
        "a request on a kept connection that breaks is not sent again",
        arguments: [
            Request(method: .post, path: "/two", body: Array("body".utf8)),
            Request(method: .post, path: "/two"), Request(method: .delete, path: "/two"),
            Request(method: .put, path: "/two", body: Array(repeating: 1, count: 100_000)),
        ])
    func notRepeated(request: Request) async throws {
        let listener = WireListener()
        let address = loopback(listener.port)
        try await forwarding { forwarder in
            async let lines = breakAfterSecond(listener)
            let one = try await forwarder.forward(
                Request(method: .get, path: "/one"), to: address, hop: players)
            #expect(one.status == 204)
            let fault = await fault {
                try await forwarder.forward(request, to: address, hop: players)
            }
            #expect(fault?.isUnknownOutcome == true)
            let three = try await forwarder.forward(
                Request(method: .get, path: "/three"), to: address, hop: players)
            #expect(three.status == 204)
            let seen = await lines
            #expect(
                seen == [
                    "GET /one HTTP/1.1", "\(request.method.rawValue) /two HTTP/1.1",
                    "GET /three HTTP/1.1",
                ])
        }
    }

    @Test("control: libcurl repeats a GET on a kept connection that breaks, once")
    func repeated() async throws {
        let listener = WireListener()
        let address = loopback(listener.port)
        try await forwarding { forwarder in
            async let lines = breakAfterSecond(listener)
            for path in ["/one", "/two"] {
                let response = try await forwarder.forward(
                    Request(method: .get, path: path), to: address, hop: players)
                #expect(response.status == 204)
            }
            let seen = await lines
            #expect(seen == ["GET /one HTTP/1.1", "GET /two HTTP/1.1", "GET /two HTTP/1.1"])
        }
    }
}
