import Foundation
import HTTPServer
import Playtest
import Testing

/// The bots' client, against the real server over real sockets.
@Suite struct HTTPClientTests {
    @Test("a request arrives, and the response comes back")
    func roundTrip() async throws {
        try await withServer({ request in
            let token = request.headers["authorization"] ?? "nobody"
            return .text("\(request.method.rawValue) \(request.path) \(token)", status: 201)
        }) { client in
            let answer = try await client.send("POST", "/v1/heroes", token: "t", body: [1, 2])
            #expect(answer.status == 201)
            #expect(String(decoding: answer.body, as: UTF8.self) == "POST /v1/heroes Bearer t")
        }
    }

    @Test("a body arrives byte for byte")
    func body() async throws {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        try await withServer({ .json($0.body) }) { client in
            let answer = try await client.send("PUT", "/", body: bytes)
            #expect(answer.body == bytes)
        }
    }

    @Test("a path goes out as it is")
    func path() async throws {
        let listener = try OneShotListener(.answers)
        async let line = listener.serveOne()
        let path = "/a/../b//c%2F?d=%20"
        #expect(try await client(port: listener.port).send("GET", path).status == 204)
        #expect(await line == "GET \(path) HTTP/1.1")
    }

    @Test("a request whose time is over before it leaves is not sent")
    func late() async throws {
        let nobody = try OneShotListener(.doesNotListen)
        await #expect(throws: HTTPClientError.timedOut) {
            try await client(port: nobody.port, timeoutSeconds: 0).send("POST", "/", body: [])
        }
    }

    @Test("a response without a body is a response")
    func noContent() async throws {
        try await withServer({ _ in .noContent }) { client in
            let first = try await client.send("DELETE", "/1")
            let second = try await client.send("DELETE", "/2")
            #expect(first.status == 204 && second.status == 204)
        }
    }

    @Test("200 requests at once all get their own response")
    func concurrent() async throws {
        try await withServer({ request in
            await Task.yield()
            return .text(request.path)
        }) { client in
            let right = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let answer = try await client.send("GET", "/\(number)")
                        return answer.body == Array("/\(number)".utf8)
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(right == 200)
        }
    }

    @Test("a kept connection that the server has closed is replaced")
    func restart() async throws {
        let listener = try OneShotListener(.answersThenBreaks)
        let client = client(port: listener.port)
        for path in ["/first", "/second"] {
            async let line = listener.serveOne()
            let answer = try await client.send("GET", path)
            #expect(answer.status == 204)
            #expect(await line == "GET \(path) HTTP/1.1")
        }
    }

    @Test("without a listener the connection is refused")
    func refused() async throws {
        let nobody = try OneShotListener(.doesNotListen)
        await #expect(throws: HTTPClientError.refused) {
            try await client(port: nobody.port).send("GET", "/")
        }
    }

    @Test("no response in time differs from a refused connection")
    func timedOut() async throws {
        let (released, release) = AsyncStream<Void>.makeStream()
        let server = try server { _ in
            for await _ in released {}
            return .noContent
        }
        await #expect(throws: HTTPClientError.timedOut) {
            try await client(port: server.port, timeoutSeconds: 1).send("GET", "/")
        }
        release.finish()
        await server.stop(graceSeconds: 5)
    }

    @Test("a connection that breaks under a request is lost, and the request is sent once")
    func lost() async throws {
        let listener = try OneShotListener(.breaks)
        async let line = listener.serveOne()
        await #expect(throws: HTTPClientError.lost) {
            try await client(port: listener.port).send("POST", "/", body: [])
        }
        #expect(await line == "POST / HTTP/1.1")
    }

    @Test("a request that changes something gets a connection of its own, and is sent once")
    func change() async throws {
        let listener = try OneShotListener(.answers)
        let client = client(port: listener.port, timeoutSeconds: 5)
        async let read = listener.serveOne()
        #expect(try await client.send("GET", "/first").status == 204)
        #expect(await read == "GET /first HTTP/1.1")
        await listener.change(to: .breaks)
        async let line = listener.serveOne()
        let error = await #expect(throws: HTTPClientError.lost) {
            try await client.send("POST", "/second", body: [])
        }
        // The listener still waits if the kept connection was used.
        if error == nil { _ = try? await self.client(port: listener.port).send("GET", "/third") }
        #expect(await line == "POST /second HTTP/1.1")
    }

    private func withServer(
        _ handler: @escaping HTTPServer.Handler,
        _ body: (HTTPClient) async throws -> Void
    ) async throws {
        let server = try server(handler: handler)
        do {
            try await body(client(port: server.port))
        } catch {
            await server.stop(graceSeconds: 0)
            throw error
        }
        await server.stop(graceSeconds: 5)
    }

    private func server(
        port: UInt16 = 0, handler: @escaping HTTPServer.Handler
    ) throws -> HTTPServer {
        var settings = HTTPServer.Settings()
        settings.port = port
        return try HTTPServer(settings, handler: handler)
    }

    private func client(port: UInt16, timeoutSeconds: Int = 30) -> HTTPClient {
        var url = URLComponents()
        url.scheme = "http"
        url.host = "127.0.0.1"
        url.port = Int(port)
        return HTTPClient(
            baseURL: url.url ?? URL(filePath: "/"), timeoutSeconds: timeoutSeconds)
    }
}
