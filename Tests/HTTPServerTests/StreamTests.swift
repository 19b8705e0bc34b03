import HTTPServer
import Isolation
import Testing

/// Responses that are made while they are sent.
@Suite(.timeLimit(.minutes(2))) struct StreamTests {
    /// A stream that sends what a test gives it.
    private final class Faucet: Sendable {
        private struct State {
            var pieces: [String] = []
            var isOver = false
        }

        private let state = Locked(State())
        let closings = Locked(0)
        let closed = Gate()
        let asked = Gate()
        private let made = Locked<ResponseStream?>(nil)

        var stream: ResponseStream {
            let stream = ResponseStream { [self] in
                next()
            } closed: { [self] in
                closings.withLock { $0 += 1 }
                closed.open()
            }
            made.withLock { $0 = stream }
            return stream
        }

        private func next() -> ResponseStream.Step {
            let step = state.withLock { state -> ResponseStream.Step in
                guard !state.pieces.isEmpty else { return state.isOver ? .end : .wait }
                return .bytes(Array(state.pieces.removeFirst().utf8))
            }
            asked.open()
            return step
        }

        func send(_ piece: String) {
            state.withLock { $0.pieces.append(piece) }
            wake()
        }

        func finish() {
            state.withLock { $0.isOver = true }
            wake()
        }

        func wake() { made.withLock { $0 }?.wake() }
        func end() { made.withLock { $0 }?.end() }
        func cut() { made.withLock { $0 }?.cut() }
    }

    private func streaming(
        _ configure: (inout HTTPServer.Settings) -> Void = { _ in },
        _ body: (HTTPServer, Faucet) async throws -> Void
    ) async throws {
        let faucet = Faucet()
        let handler: HTTPServer.Handler = { request in
            guard request.path == "/stream" else { return .text("text") }
            return Response(headers: [.init("content-type", "text/plain")], stream: faucet.stream)
        }
        try await serving(configure, handler) { try await body($0, faucet) }
    }

    @Test("a stream sends pieces as they come, and its connection goes on after its end")
    func pieces() async throws {
        try await streaming { server, faucet in
            let client = RawClient(port: server.port)
            await client.send(request("/stream"))
            #expect(await client.answerWithoutBody()?.headers["transfer-encoding"] == "chunked")
            for piece in ["one", "two", "three"] {
                faucet.send(piece)
                #expect(await client.chunk() == piece)
            }
            faucet.finish()
            #expect(await client.chunk() == "")
            await faucet.closed.pass()
            #expect(await client.ask(request("/"))?.body == "text")
            #expect(faucet.closings.withLock { $0 } == 1)
        }
    }

    @Test("a stream with a limit of time is cut off, also while it waits")
    func limitOfTime() async throws {
        let closed = Gate()
        let handler: HTTPServer.Handler = { _ in
            let stream = ResponseStream(secondsMax: 0) {
                .wait
            } closed: {
                closed.open()
            }
            return Response(headers: [.init("content-type", "text/plain")], stream: stream)
        }
        try await serving({ _ in }, handler) { server in
            let client = RawClient(port: server.port)
            await client.send(request("/stream"))
            #expect(await client.answerWithoutBody()?.status == 200)
            await closed.pass()
            // Until the server closes the connection.
            _ = await client.rest()
        }
    }

    @Test("a stream with a limit of time ends when its client has gone")
    func gone() async throws {
        let closed = Gate()
        let handler: HTTPServer.Handler = { _ in
            let stream = ResponseStream(secondsMax: 3600) {
                .wait
            } closed: {
                closed.open()
            }
            return Response(headers: [.init("content-type", "text/plain")], stream: stream)
        }
        try await serving({ _ in }, handler) { server in
            let client = RawClient(port: server.port)
            await client.send(request("/stream"))
            #expect(await client.answerWithoutBody()?.status == 200)
            await client.leave()
            await closed.pass()
        }
    }

    @Test("a piece larger than every buffer arrives whole")
    func large() async throws {
        try await streaming { server, faucet in
            let piece = String(repeating: "abcdefgh", count: 100_000)
            let client = RawClient(port: server.port)
            await client.send(request("/stream"))
            _ = await client.answerWithoutBody()
            faucet.send(piece)
            faucet.finish()
            var received = ""
            while let chunk = await client.chunk(), !chunk.isEmpty { received += chunk }
            #expect(received == piece)
        }
    }

    @Test("a stream for HTTP/1.0 ends with its connection")
    func oldClient() async throws {
        try await streaming { server, faucet in
            let client = RawClient(port: server.port)
            faucet.send("piece")
            faucet.finish()
            await client.send("GET /stream HTTP/1.0\r\n\r\n")
            #expect(await client.answerWithoutBody()?.status == 200)
            #expect(await client.rest() == "piece")
        }
    }

    @Test("a HEAD of a stream has no body, and closes it")
    func head() async throws {
        try await streaming { server, faucet in
            let client = RawClient(port: server.port)
            await client.send("HEAD /stream HTTP/1.1\r\nhost: x\r\n\r\n")
            #expect(await client.answerWithoutBody()?.status == 200)
            await faucet.closed.pass()
            #expect(await client.ask(request("/"))?.body == "text")
        }
    }

    @Test("streams do not count among the connections")
    func manyStreams() async throws {
        try await streaming({ $0.connectionsMax = 2 }) { server, _ in
            var clients: [RawClient] = []
            for _ in 0..<20 {
                let client = RawClient(port: server.port)
                await client.send(request("/stream"))
                #expect(await client.answerWithoutBody()?.status == 200)
                clients.append(client)
            }
            #expect(await RawClient(port: server.port).ask(request("/"))?.status == 200)
        }
    }

    @Test("woken from everywhere at once, a stream loses nothing and repeats nothing")
    func wokenAtOnce() async throws {
        try await streaming { server, faucet in
            let client = RawClient(port: server.port)
            await client.send(request("/stream"))
            _ = await client.answerWithoutBody()
            let count = 2000
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { for _ in 0..<count { faucet.wake() } }
                }
                group.addTask {
                    for number in 0..<count { faucet.send("\(number) ") }
                    faucet.finish()
                }
            }
            var received = ""
            while let chunk = await client.chunk(), !chunk.isEmpty { received += chunk }
            #expect(received == (0..<count).map { "\($0) " }.joined())
        }
    }

    @Test("a stream that is cut closes its connection, though its client does not read")
    func cut() async throws {
        try await streaming { server, faucet in
            let client = RawClient(port: server.port)
            await client.send(request("/stream"))
            _ = await client.answerWithoutBody()
            faucet.send(String(repeating: "a", count: 10_000_000))
            faucet.cut()
            await faucet.closed.pass()
            #expect(await client.rest().utf8.count < 10_000_000)
        }
    }

    @Test("a client that does not read is closed after the time for a response")
    func stuck() async throws {
        try await streaming({ $0.requestTimeoutSeconds = 1 }) { server, faucet in
            let client = RawClient(port: server.port)
            await client.send(request("/stream"))
            _ = await client.answerWithoutBody()
            faucet.send(String(repeating: "a", count: 10_000_000))
            await faucet.closed.pass()
        }
    }

    @Test("a silent stream outlives every timeout")
    func silent() async throws {
        try await streaming({
            $0.requestTimeoutSeconds = 1
            $0.idleTimeoutSeconds = 1
        }) { server, faucet in
            let client = RawClient(port: server.port)
            await client.send(request("/stream"))
            _ = await client.answerWithoutBody()
            // The server closes this one after both timeouts.
            #expect(await RawClient(port: server.port).isClosedByServer())
            faucet.send("still here")
            #expect(await client.chunk() == "still here")
        }
    }

    @Test("PR13: stopping ends silent streams and those that nobody reads", arguments: 0..<20)
    func stops(_ round: Int) async throws {
        let faucets = (0..<8).map { _ in Faucet() }
        let server = try HTTPServer(HTTPServer.Settings()) { request in
            let number = Int(request.path.dropFirst()) ?? 0
            return Response(headers: [], stream: faucets[number].stream)
        }
        var clients: [RawClient] = []
        for (number, faucet) in faucets.enumerated() {
            let client = RawClient(port: server.port)
            await client.send(request("/\(number)"))
            clients.append(client)
            if number < round % 8 { await faucet.asked.pass() }
            if number == 7 { faucet.send(String(repeating: "a", count: 5_000_000)) }
        }
        await server.stop(graceSeconds: 5)
        for client in clients { _ = await client.rest() }
        for faucet in faucets { #expect(faucet.closings.withLock { $0 } <= 1) }
    }
}
