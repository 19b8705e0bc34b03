import Testing

@testable import HTTPServer

/// PR14: what is too large is refused before it is kept.
@Suite struct LimitTests {
    /// Bodies of at most 100 bytes; those up to 400 are read to their end all the same.
    private func limited(_ body: (RawClient) async throws -> Void) async throws {
        try await serving({
            $0.bodyBytesMax = 100
            $0.dropBytesMax = 400
        }) { server in
            try await body(RawClient(port: server.port))
        }
    }

    private func chunked(_ chunks: [Int]) -> String {
        "POST /x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
            + chunks.map { size in
                String(size, radix: 16) + "\r\n" + String(repeating: "a", count: size) + "\r\n"
            }.joined()
    }

    @Test("PR14: a body of just the limit is served")
    func largestBody() async throws {
        try await limited { client in
            let body = String(repeating: "a", count: 100)
            #expect(await client.ask(post("/", body))?.body == "POST / " + body)
        }
    }

    @Test("PR14: a kind of request may have larger bodies than others, up to its own limit")
    func larger() async throws {
        try await serving({
            $0.bodyBytesMax = 100
            $0.dropBytesMax = 400
            $0.largerBodyBytesMax = { $0.path.starts(with: Array("/packs/".utf8)) ? 200 : nil }
        }) { server in
            let client = RawClient(port: server.port)
            for (path, size, status) in [
                ("/packs/a", 200, 200), ("/packs/a", 201, 413), ("/packs", 101, 413),
                ("/", 100, 200),
            ] {
                let answer = await client.ask(post(path, String(repeating: "a", count: size)))
                #expect(answer?.status == status, "\(path) \(size)")
            }
        }
    }

    /// A server where a larger body needs a key; its handler sees what is admitted.
    private func admitting(
        waits: Bool, _ body: (RawClient, HTTPServer) async throws -> Void
    ) async throws {
        try await serving(
            {
                $0.bodyBytesMax = 100
                $0.largerBodyBytesMax = { $0.method == .put ? 262_144 : nil }
            },
            admission: { head in
                #expect(head.body.isEmpty)
                if waits { await Task.detached {}.value }
                return head.headers["authorization"] == "Bearer key"
                    ? nil
                    : Problem(status: 401, title: "No key", detail: "A key is needed.").response
            }
        ) { server in
            try await body(RawClient(port: server.port), server)
        }
    }

    private func put(_ path: String, _ key: String, length: Int) -> String {
        "PUT \(path) HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \(key)\r\n"
            + "content-length: \(length)\r\n\r\n"
    }

    @Test(
        "PR14: a larger body without the key is refused by its head alone",
        arguments: [false, true])
    func refusedHead(waits: Bool) async throws {
        try await admitting(waits: waits) { client, server in
            let answer = await client.ask(put("/", "guess", length: 262_144))
            #expect(answer?.status == 401)
            #expect(answer?.headers["connection"] == "close")
            #expect(await client.isClosedByServer())
            let chunked = RawClient(port: server.port)
            let head = "PUT / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
            #expect(await chunked.ask(head)?.status == 401)
            #expect(await chunked.isClosedByServer())
        }
    }

    @Test(
        "PR14: what comes with a refused head is neither read nor handled",
        arguments: [false, true])
    func refusedWithBody(waits: Bool) async throws {
        try await admitting(waits: waits) { client, _ in
            await client.send(put("/", "guess", length: 5) + "hello" + request("/"))
            #expect(await client.answer()?.status == 401)
            #expect(await client.answer() == nil)
        }
    }

    @Test(
        "PR14: an admitted body is read, whether it comes with its head or later",
        arguments: [false, true])
    func admitted(waits: Bool) async throws {
        try await admitting(waits: waits) { client, _ in
            let body = String(repeating: "a", count: 200_000)
            await client.send(put("/later", "key", length: body.utf8.count))
            await client.send(body)
            #expect(await client.answer()?.body == "PUT /later " + body)
            let both = put("/at-once", "key", length: 5) + "hello"
            #expect(await client.ask(both)?.body == "PUT /at-once hello")
            #expect(await client.ask(request("/next"))?.body == "GET /next ")
        }
    }

    @Test("PR14: 200 heads without the key at once are all refused")
    func manyRefused() async throws {
        try await admitting(waits: true) { _, server in
            let clients = (0..<200).map { _ in RawClient(port: server.port) }
            for client in clients { await client.send(put("/", "guess", length: 262_144)) }
            var refused = 0
            for client in clients where await client.answer()?.status == 401 { refused += 1 }
            #expect(refused == 200)
        }
    }

    @Test("PR14: a body that is announced as much too large is refused before it comes")
    func announced() async throws {
        try await limited { client in
            let answer = await client.ask(
                "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 401\r\n\r\n")
            #expect(answer?.status == 413)
            #expect(answer?.headers["content-type"] == "application/problem+json")
            #expect(await client.isClosedByServer())
        }
    }

    @Test("PR14: a body a little too large is refused, and the connection lives on")
    func slightlyTooLarge() async throws {
        try await limited { client in
            #expect(await client.ask(post("/", String(repeating: "a", count: 101)))?.status == 413)
            #expect(await client.ask(request("/"))?.status == 200)
        }
    }

    @Test("PR14: chunks that become too large are refused, and the connection lives on")
    func chunksTooLarge() async throws {
        try await limited { client in
            #expect(await client.ask(chunked([60, 60]) + "0\r\n\r\n")?.status == 413)
            #expect(await client.ask(request("/"))?.status == 200)
        }
    }

    @Test("PR14: a chunked body of 1 MiB gets one 413, and the connection lives on")
    func mebibyte() async throws {
        try await serving { server in
            let client = RawClient(port: server.port)
            let body = chunked(Array(repeating: 16 * 1024, count: 64)) + "0\r\n\r\n"
            #expect(await client.ask(body)?.status == 413)
            #expect(await client.ask(request("/"))?.status == 200)
        }
    }

    @Test("PR14: chunks without end are refused and cut off")
    func endless() async throws {
        try await limited { client in
            let answer = await client.ask(chunked(Array(repeating: 50, count: 20)))
            #expect(answer?.status == 413)
            #expect(await client.isClosedByServer())
        }
    }

    @Test(
        "PR14: headers that are too many or too long are refused",
        arguments: [
            (0..<70).map { "x-\($0): y" }, ["x: " + String(repeating: "y", count: 9_000)],
            ["x: " + String(repeating: "y", count: 60_000)],
        ])
    func headers(_ lines: [String]) async throws {
        try await limited { client in
            let answer = await client.ask(
                "GET / HTTP/1.1\r\nhost: x\r\n" + lines.joined(separator: "\r\n") + "\r\n\r\n")
            #expect(answer == nil || answer?.status == 431)
            #expect(await client.isClosedByServer())
        }
    }

    @Test("PR14: a connection too many is refused at once, and the others do not notice")
    func tooManyConnections() async throws {
        try await serving({ $0.connectionsMax = 2 }) { server in
            let welcome = [RawClient(port: server.port), RawClient(port: server.port)]
            for client in welcome { #expect(await client.ask(request("/"))?.status == 200) }
            let surplus = RawClient(port: server.port)
            await surplus.send(request("/"))
            let refused = await surplus.answer()
            #expect(refused?.status == 503)
            #expect(refused?.headers["retry-after"] == "1")
            #expect(await surplus.isClosedByServer())
            for client in welcome { #expect(await client.ask(request("/"))?.status == 200) }
        }
    }

    @Test("PR14: connections beyond every limit are closed at once")
    func farTooManyConnections() async throws {
        try await serving({ $0.connectionsMax = 2 }) { server in
            let welcome = [RawClient(port: server.port), RawClient(port: server.port)]
            for client in welcome { #expect(await client.ask(request("/"))?.status == 200) }
            let silent = RawClient(port: server.port)
            await silent.send("GET")
            let beyond = RawClient(port: server.port)
            #expect(await beyond.isClosedByServer())
        }
    }

    @Test("PR14: one client takes so many connections and no more, and others get in")
    func connectionsOfClient() async throws {
        try await serving({ $0.clientConnectionsMax = 2 }) { server in
            var welcome = [RawClient(port: server.port), RawClient(port: server.port)]
            for client in welcome { #expect(await client.ask(request("/"))?.status == 200) }
            let surplus = RawClient(port: server.port)
            await surplus.send(request("/"))
            let refused = await surplus.answer()
            #expect(refused?.status == 429)
            #expect(refused?.headers["retry-after"] == "1")
            #expect(await surplus.isClosedByServer())
            let other = RawClient(port: server.port, from: 2)
            #expect(await other.ask(request("/"))?.status == 200)
            await welcome.removeLast().leave()
            var next: RawClient.Answer?
            repeat {
                next = await RawClient(port: server.port).ask(request("/"))
            } while next?.status != 200
        }
    }

    @Test("PR14: far too many connections of one client are closed at once")
    func farTooManyOfClient() async throws {
        try await serving({ $0.clientConnectionsMax = 1 }) { server in
            let welcome = RawClient(port: server.port)
            #expect(await welcome.ask(request("/"))?.status == 200)
            let silent = RawClient(port: server.port)
            await silent.send("GET")
            let beyond = RawClient(port: server.port)
            #expect(await beyond.isClosedByServer())
        }
    }

    @Test("PR14: proxies and trusted clients have as many connections as they like")
    func connectionsOfProxies() async throws {
        let loopback = try #require(AddressRange("127.0.0.1"))
        for proxies in [[loopback], []] {
            try await serving({
                $0.clientConnectionsMax = 1
                $0.proxies = proxies
                $0.trustedClients = proxies.isEmpty ? [loopback] : []
            }) { server in
                let clients = (0..<4).map { _ in RawClient(port: server.port) }
                for client in clients { #expect(await client.ask(request("/"))?.status == 200) }
            }
        }
    }

    @Test("PR14: the addresses of one /64 are one client, and those of IPv4 are many")
    func clientsOfConnections() throws {
        var settings = HTTPServer.Settings()
        settings.clientConnectionsMax = 1
        let core = ServerCore(settings, immediate: nil, admission: nil, handler: echo)
        let client = { (text: String) in core.client(at: ClientAddress(text)) }
        #expect(client("2001:db8::1") == client("2001:db8::ffff:0:0:2"))
        #expect(client("2001:db8::1") != client("2001:db8:0:1::1"))
        #expect(client("192.0.2.1") != client("192.0.2.2"))
        #expect(client("192.0.2.1") == ClientAddress("192.0.2.1"))
    }

    @Test("PR14: a path that is too long is refused")
    func path() async throws {
        try await limited { client in
            let path = "/" + String(repeating: "a", count: 2048)
            #expect(await client.ask(request(path))?.status == 414)
        }
    }

    @Test("PR14: a request that is one too many for the handler gets a 503 at once")
    func tooManyRequests() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let handler: HTTPServer.Handler = { request in
            guard request.path == "/slow" else { return .text("quick") }
            arrived.open()
            await gate.pass()
            return .text("slow")
        }
        try await serving({ $0.requestsMax = 1 }, handler) { server in
            let (slow, quick) = (RawClient(port: server.port), RawClient(port: server.port))
            await slow.send(request("/slow"))
            await arrived.pass()
            for text in [request("/"), post("/", "body")] {
                let answer = await quick.ask(text)
                #expect(answer?.status == 503)
                #expect(answer?.headers["retry-after"] == "1")
            }
            gate.open()
            #expect(await slow.answer()?.body == "slow")
            #expect(await quick.ask(request("/"))?.body == "quick")
        }
    }
}
