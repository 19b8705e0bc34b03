import HTTPServer
import Isolation
import NodeLink
import Testing

/// Streams through two nodes.
@Suite(.timeLimit(.minutes(2))) struct RelayTests {
    /// A stream that sends what a test gives it.
    private final class Spring: Sendable {
        private struct State {
            var pieces: [[UInt8]] = []
            var isOver = false
            var stream: ResponseStream?
        }

        private let state = Locked(State())
        let opened = OpenOnce()
        let closed = OpenOnce()

        var response: Response {
            let stream = ResponseStream {
                self.state.withLock { state -> ResponseStream.Step in
                    guard state.pieces.isEmpty else { return .bytes(state.pieces.removeFirst()) }
                    return state.isOver ? .end : .wait
                }
            } closed: {
                self.closed.open()
            }
            state.withLock { $0.stream = stream }
            opened.open()
            return Response(
                headers: [.init("content-type", "text/event-stream")], stream: stream)
        }

        var stream: ResponseStream? { state.withLock { $0.stream } }

        func send(_ piece: String) {
            state.withLock { $0.pieces.append(Array(piece.utf8)) }
            stream?.wake()
        }

        func finish() {
            state.withLock { $0.isOver = true }
            stream?.wake()
        }
    }

    private func streaming(
        forwarder configure: (inout RequestForwarder.Settings) -> Void = { _ in },
        _ body: (Linked, Spring, Wire) async throws -> Void
    ) async throws {
        let spring = Spring()
        let handler: NodeListener.Handler = { request, _ in
            request.path == "/stream" ? spring.response : .text(request.path)
        }
        try await linked(forwarder: configure, handler) { nodes in
            let client = Wire(to: nodes.front.port)
            await client.send("GET /stream HTTP/1.1\r\nhost: h\r\n\r\n")
            let head = try #require(await client.head()).lowercased()
            #expect(head.hasPrefix("http/1.1 200") && head.contains("text/event-stream"))
            try await body(nodes, spring, client)
        }
    }

    /// Waits until so many relayed streams are left: each look is a round trip.
    private func expectEnd(of nodes: Linked, leaving left: Int = 0) async throws {
        var looks = 0
        while nodes.forwarder.counts.streams > left, looks < 10_000 {
            looks += 1
            _ = try await nodes.forward(Request(method: .get, path: "/look"))
        }
        #expect(nodes.forwarder.counts.streams == left)
    }

    @Test("pieces arrive as they come; after the end the connection goes on")
    func pieces() async throws {
        try await streaming { nodes, spring, client in
            #expect(nodes.forwarder.counts.streams == 1)
            for piece in ["one\n\n", "two\n\n", ":\n\n"] {
                spring.send(piece)
                #expect(await client.chunk() == Array(piece.utf8))
            }
            spring.finish()
            #expect(await client.chunk() == [])
            await spring.closed.pass()
            try await expectEnd(of: nodes)
            await client.send("GET /next HTTP/1.1\r\nhost: h\r\n\r\n")
            #expect(await client.message()?.body == Array("/next".utf8))
        }
    }

    @Test("when the owner breaks off, the client's connection closes after what arrived")
    func ownerBreaks() async throws {
        let listener = WireListener()
        try await forwarding { forwarder in
            var settings = HTTPServer.Settings()
            settings.requestTimeoutSeconds = 60
            let front = try HTTPServer(settings) { request in
                do throws(ForwardFault) {
                    return try await forwarder.forward(
                        request, to: loopback(listener.port), hop: Hop(at: .players))
                } catch {
                    return error.problem.response
                }
            }
            let client = Wire(to: front.port)
            await client.send("GET / HTTP/1.1\r\nhost: h\r\n\r\n")
            let owner = await listener.accept()
            _ = await owner.message()
            await owner.send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\none\r\n")
            _ = await client.head()
            let chunk = await client.chunk()
            #expect(chunk == Array("one".utf8))
            await owner.leave()
            let end = await client.chunk()
            #expect(end == nil)
            #expect(forwarder.counts.streams == 0)
            await front.stop(graceSeconds: 5)
        }
    }

    @Test("when the forwarder stops, the client's connection closes")
    func forwarderStops() async throws {
        try await streaming { nodes, spring, client in
            await nodes.forwarder.stop()
            #expect(await client.chunk() == nil)
            #expect(nodes.forwarder.counts.streams == 0)
        }
    }

    @Test("when the client leaves, the owner's stream ends")
    func clientLeaves() async throws {
        try await streaming { nodes, spring, client in
            await client.leave()
            // A server sees that a client has left when it has something to send.
            spring.send("one")
            try await expectEnd(of: nodes)
            spring.send("two")
            await spring.closed.pass()
        }
    }

    @Test("a stream that falls silent for too long ends")
    func silence() async throws {
        try await streaming {
            $0.streamSilenceMax = .milliseconds(100)
        } _: { nodes, spring, client in
            #expect(await client.chunk() == nil)
            try await expectEnd(of: nodes)
        }
    }

    @Test("a stream outlives the timeout of responses")
    func timeout() async throws {
        try await streaming {
            $0.responseTimeout = .milliseconds(100)
            $0.streamSilenceMax = .seconds(60)
        } _: { nodes, spring, client in
            // Another request waits for its timeout, which is later than that of the stream's.
            let listener = WireListener()
            let late = await fault {
                try await nodes.forwarder.forward(
                    Request(method: .get, path: "/"), to: loopback(listener.port),
                    hop: Hop(at: .players))
            }
            #expect(late?.isUnknownOutcome == true)
            spring.send("one")
            #expect(await client.chunk() == Array("one".utf8))
        }
    }

    @Test("streams beyond the limit are refused")
    func limit() async throws {
        try await streaming(forwarder: { $0.streamsMax = 1 }) { nodes, spring, client in
            let fault = await fault {
                try await nodes.forward(Request(method: .get, path: "/stream"))
            }
            #expect(fault == .overloaded)
            #expect(nodes.forwarder.counts.requests == 0 && nodes.forwarder.counts.streams == 1)
        }
    }

    @Test("a HEAD of a stream ends it")
    func head() async throws {
        try await streaming { nodes, spring, client in
            let other = Wire(to: nodes.front.port)
            await other.send("HEAD /stream HTTP/1.1\r\nhost: h\r\n\r\n")
            #expect(await other.head()?.hasPrefix("HTTP/1.1 200") == true)
            try await expectEnd(of: nodes, leaving: 1)
            spring.send("one")
            await spring.closed.pass()
        }
    }

    @Test("a client that reads slowly gets every byte, and little is kept for it")
    func backPressure() async throws {
        let total = 32 << 20
        let asked = Locked(0)
        let handler: NodeListener.Handler = { request, _ in
            guard request.path == "/stream" else { return .noContent }
            let stream = ResponseStream {
                asked.withLock { asked -> ResponseStream.Step in
                    guard asked < total else { return .end }
                    let piece = (0..<32768).map { UInt8(truncatingIfNeeded: (asked + $0) / 7) }
                    asked += piece.count
                    return .bytes(piece)
                }
            } closed: {
            }
            return Response(headers: [], stream: stream)
        }
        try await linked(forwarder: { $0.streamBytesMax = 1000 }, handler) { nodes in
            let client = Wire(to: nodes.front.port)
            await client.send("GET /stream HTTP/1.1\r\nhost: h\r\n\r\n")
            _ = await client.head()
            // Time for the owner to send all, if nothing held it back.
            for _ in 0..<2000 where asked.withLock({ $0 }) < total {
                _ = try await nodes.forward(Request(method: .get, path: "/look"))
            }
            // The kernel's buffers of two connections take some of it.
            try #require(asked.withLock { $0 } < total)
            var read = 0
            var wrong = 0
            while let chunk = await client.chunk(), !chunk.isEmpty {
                for byte in chunk {
                    if byte != UInt8(truncatingIfNeeded: read / 7) { wrong += 1 }
                    read += 1
                }
            }
            #expect(read == total && wrong == 0)
        }
    }
}
