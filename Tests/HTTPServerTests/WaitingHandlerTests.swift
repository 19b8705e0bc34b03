import Foundation
import HTTPServer
import Isolation
import Testing

/// Handlers that do not answer at once.
@Suite struct WaitingHandlerTests {
    @Test("a handler that waits is waited for")
    func waits() async throws {
        let handler: HTTPServer.Handler = { request in
            await Task.detached { .text(request.path) }.value
        }
        try await serving({ _ in }, handler) { server in
            let client = RawClient(port: server.port)
            #expect(await client.ask(request("/1"))?.body == "/1")
            #expect(await client.ask(request("/2"))?.body == "/2")
        }
    }

    @Test("200 requests wait at once, and each gets its own response")
    func concurrent() async throws {
        let assembly = Assembly(of: 200)
        let handler: HTTPServer.Handler = { request in
            assembly.arrive()
            await assembly.gate.pass()
            return .text(request.path)
        }
        try await serving({ $0.requestTimeoutSeconds = 60 }, handler) { server in
            let clients = (0..<200).map { _ in RawClient(port: server.port) }
            for (number, client) in clients.enumerated() {
                await client.send(request("/\(number)"))
            }
            var right = 0
            for (number, client) in clients.enumerated()
            where await client.answer()?.body == "/\(number)" {
                right += 1
            }
            #expect(right == 200)
        }
    }

    @Test("a late handler is cancelled, the client gets a 503, and the late response is dropped")
    func late() async throws {
        let gate = Gate()
        let wasCancelled = Locked(false)
        let handler: HTTPServer.Handler = { request in
            guard request.path == "/late" else { return .text(request.path) }
            await gate.pass()
            wasCancelled.withLock { $0 = Task.isCancelled }
            return .text("too late")
        }
        try await serving({ $0.requestTimeoutSeconds = 1 }, handler) { server in
            let client = RawClient(port: server.port)
            let answer = await client.ask(request("/late"))
            gate.open()
            #expect(answer?.status == 503)
            #expect(answer?.headers["retry-after"] == "1")
            #expect(await client.ask(request("/next"))?.body == "/next")
        }
        #expect(wasCancelled.withLock { $0 })
    }

    @Test("a client that disconnects while the handler runs does no harm")
    func leaves() async throws {
        let arrived = Gate()
        let gate = Gate()
        let handler: HTTPServer.Handler = { request in
            guard request.path == "/slow" else { return .text(request.path) }
            arrived.open()
            await gate.pass()
            return .text(String(repeating: "a", count: 1_000_000))
        }
        try await serving({ _ in }, handler) { server in
            let client = RawClient(port: server.port)
            await client.send(request("/slow"))
            await arrived.pass()
            await client.leave()
            gate.open()
            #expect(await RawClient(port: server.port).ask(request("/next"))?.body == "/next")
        }
    }

    @Test("a request whose client has left before its turn is not carried out")
    func leftBefore() async throws {
        let (isHeld, hold, handled) = (Gate(), DispatchSemaphore(value: 0), Locked<[String]>([]))
        let immediate: HTTPServer.Immediate = { head in
            guard head.path.equals("/hold") else { return nil }
            isHeld.open()
            hold.wait()
            return .text("held")
        }
        let handler: HTTPServer.Handler = { request in
            handled.withLock { $0.append(request.path) }
            return .text(request.path)
        }
        try await serving({ $0.threads = 1 }, handler, immediate: immediate) { server in
            let holder = RawClient(port: server.port)
            await holder.send(request("/hold"))
            await isHeld.pass()
            // The server's only thread is busy, as that of a paused server is.
            let (leaves, stays) = (RawClient(port: server.port), RawClient(port: server.port))
            await leaves.send(post("/leaves", "old"))
            await leaves.endSending()
            await stays.send(post("/stays", "new"))
            hold.signal()
            #expect(await holder.answer()?.body == "held")
            #expect(await leaves.answer() == nil)
            #expect(await stays.answer()?.body == "/stays")
            #expect(handled.withLock { $0 } == ["/stays"])
        }
    }
}
