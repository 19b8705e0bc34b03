import HTTPServer
import Testing

/// Stopping: what is in flight ends well, and nothing is waited for beyond the grace.
@Suite struct StopTests {
    /// A server whose handler says when it has been reached, and waits for `gate`.
    private struct Waiting {
        let arrived = Gate()
        let gate = Gate()
        let server: HTTPServer

        init() throws {
            let (arrived, gate) = (arrived, gate)
            var settings = HTTPServer.Settings()
            // A busy machine must not make the handler late.
            settings.requestTimeoutSeconds = 120
            server = try HTTPServer(settings) { _ in
                arrived.open()
                await gate.pass()
                return .text("done")
            }
        }

        /// Sends a request. Returns when the handler waits.
        func connect() async -> RawClient {
            let client = RawClient(port: server.port)
            await client.send(request("/"))
            await arrived.pass()
            return client
        }
    }

    @Test("PR13: stopping waits for a handler, and its response arrives")
    func finishes() async throws {
        let waiting = try Waiting()
        let client = await waiting.connect()
        async let stopped: Void = waiting.server.stop(graceSeconds: 30)
        waiting.gate.open()
        #expect(await client.answer()?.body == "done")
        await stopped
        #expect(await client.isClosedByServer())
    }

    @Test("PR13: a request that is not finished after the grace period gets a 503")
    func grace() async throws {
        let waiting = try Waiting()
        let client = await waiting.connect()
        await waiting.server.stop(graceSeconds: 0)
        waiting.gate.open()
        #expect(await client.answer()?.status == 503)
        #expect(await client.isClosedByServer())
    }

    @Test("stopping twice, also at the same time, is stopping once")
    func idempotent() async throws {
        let server = try HTTPServer(HTTPServer.Settings(), handler: echo)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { await server.stop(graceSeconds: 1) } }
        }
        await server.stop(graceSeconds: 1)
    }

    @Test("stopping closes the connections that were kept")
    func closesKept() async throws {
        let server = try HTTPServer(HTTPServer.Settings(), handler: echo)
        let client = RawClient(port: server.port)
        #expect(await client.ask(request("/"))?.status == 200)
        await server.stop(graceSeconds: 1)
        #expect(await client.isClosedByServer())
    }

    @Test("PR13: while a server finishes what is in flight, newcomers are refused")
    func newcomers() async throws {
        let waiting = try Waiting()
        let client = await waiting.connect()
        async let stopped: Void = waiting.server.stop(graceSeconds: 30)
        // The kernel's answer, however long the stopping takes to get there.
        var newcomer = RawClient(port: waiting.server.port)
        while await newcomer.isConnected { newcomer = RawClient(port: waiting.server.port) }
        waiting.gate.open()
        #expect(await client.answer()?.body == "done")
        await stopped
    }

    @Test("PR13: stopped hundreds of times while connections come, the process lives on")
    func manyTimes() async throws {
        for _ in 0..<400 {
            let server = try HTTPServer(HTTPServer.Settings(), handler: echo)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<4 {
                            _ = await RawClient(port: server.port).ask(request("/"))
                        }
                    }
                }
                group.addTask { await server.stop(graceSeconds: 5) }
            }
        }
    }

    @Test("a server can be stopped under load at any moment", arguments: 0..<8)
    func underLoad(_ round: Int) async throws {
        let server = try HTTPServer(HTTPServer.Settings()) { request in
            for _ in 0..<round { await Task.yield() }
            return .text(request.path)
        }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let client = RawClient(port: server.port)
                    for step in 0..<50 {
                        guard let answer = await client.ask(request("/\(step)")) else { return }
                        #expect(answer.status == 200 || answer.status == 503)
                        if number == 0, step == round * 4 { await server.stop(graceSeconds: 5) }
                    }
                }
            }
        }
        await server.stop(graceSeconds: 5)
    }
}
