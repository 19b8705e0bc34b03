import HTTPServer
import Isolation
import NodeLink
import Testing

/// Requests and responses through two nodes.
@Suite(.timeLimit(.minutes(2))) struct RoundTripTests {
    /// A request as a handler sees it, without the headers that one connection needs.
    private static func described(_ request: Request, _ hop: Hop) -> [UInt8] {
        var lines = [
            "\(request.method.rawValue) \(String(decoding: request.target, as: UTF8.self))"
        ]
        request.headers.forEach { name, value in
            let name = String(decoding: name, as: UTF8.self)
            if name.lowercased() == "content-length" { return }
            lines.append("\(name): \(String(decoding: value, as: UTF8.self))")
        }
        lines.append("\(request.client.text ?? "-") \(hop.count) \(hop.entrance)")
        return Array((lines.joined(separator: "\n") + "\n\n").utf8) + request.body
    }

    private static func echo(_ request: Request, _ hop: Hop) -> Response {
        Response(
            status: 200, headers: [.init("content-type", "application/octet-stream")],
            body: described(request, hop))
    }

    /// First lines, headers, a body.
    private static let sent: [(String, [String], [UInt8])] = [
        ("GET /", [], []),
        ("GET /a/../b//c/./%2e%2F%20?x=1&x=%2B+&&=", [], []),
        ("GET /path?", [], []),
        ("GET /a\"<>\\^`{|}~!$&'()*+,;=:@?[]??/", [], []),
        ("GET /a", ["If-None-Match: \"v1\", W/\"v2\"", "Accept-Encoding: gzip, br"], []),
        ("GET /a", ["Accept: text/event-stream", "ACCEPT-language: de", "cookie: a=b; c=d"], []),
        ("GET /a", ["x-empty:", "x-twice: 1", "x-twice: 2", "authorization: Bearer t"], []),
        ("GET /a", ["last-event-id: 7", "user-agent: über/1.0", "range: bytes=0-1"], []),
        ("GET /a", [], Array("a body of a GET".utf8)),
        ("POST /a", [], []),
        ("POST /a", ["content-type: application/json"], Array("{\"a\":1}".utf8)),
        ("PUT /a", ["idempotency-key: 1"], Array(0...255) + Array(0...255)),
        ("PUT /a", [], Array(repeating: 7, count: 1 << 20)),
        ("DELETE /a?b=c", [], []),
        ("DELETE /a", [], Array("reason".utf8)),
    ]

    @Test("a request arrives as it was sent", arguments: sent.indices)
    func arrives(index: Int) async throws {
        let (line, headers, body) = Self.sent[index]
        try await linked({ Self.echo($0, $1) }) { nodes in
            let client = Wire(to: nodes.front.port)
            var lines = [line + " HTTP/1.1", "Host: game.example:8080"] + headers
            if !body.isEmpty { lines.append("content-length: \(body.count)") }
            await client.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
            let message = await client.message()
            let answer = try #require(message)
            #expect(answer.head.hasPrefix("HTTP/1.1 200"))
            let seen = headers.map { $0 == "x-empty:" ? "x-empty: " : $0 }
            let text = [line, "Host: game.example:8080"] + seen + ["127.0.0.1 1 players", "", ""]
            let expected = Array(text.joined(separator: "\n").utf8) + body
            #expect(answer.body == expected)
        }
    }

    @Test("nothing of a request is left for the next one")
    func leftovers() async throws {
        try await linked({ Self.echo($0, $1) }) { nodes in
            let get = Request(method: .get, path: "/")
            let alone = try await nodes.forward(get).body
            let change = Request(
                method: .put, path: "/a", headers: ["x": "y"], body: Array("body".utf8))
            let changed = try await nodes.forward(change).body
            #expect(changed.count > alone.count)
            let after = try await nodes.forward(get).body
            #expect(after == alone)
        }
    }

    @Test("the largest head that a client may send fits with the nodes' headers")
    func largeHead() async throws {
        try await linked({ Self.echo($0, $1) }) { nodes in
            let target = "/" + String(repeating: "t", count: 2047)
            var headers = ["host": "h"]
            for number in 10..<73 {
                headers["x-\(number)"] = String(repeating: "v", count: number == 72 ? 98 : 122)
            }
            let size = headers.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 4 }
            #expect(headers.count == 64 && (8100...8192).contains(size))
            let request = Request(method: .get, path: target, headers: headers)
            let response1 = try await nodes.forward(request)
            #expect(response1.status == 200)
        }
    }

    @Test("headers of one connection and those of nodes stay out, in both directions")
    func ownHeaders() async throws {
        let handler: NodeListener.Handler = { request, hop in
            var response = Self.echo(request, hop)
            response.headers += [.init("keep-alive", "timeout=5"), .init("x-kept", "yes")]
            return response
        }
        try await linked(handler) { nodes in
            let request = Request(
                method: .get, path: "/",
                headers: [
                    "node-key": "guess", "node-hop": "3 game-masters", "node-client": "10.0.0.1",
                    "connection": "x-hop, close", "x-hop": "1", "te": "trailers",
                    "upgrade": "h2c", "keep-alive": "1", "x-kept": "yes",
                ],
                from: ClientAddress("2001:db8::7") ?? .loopback)
            let response = try await nodes.forward(request)
            #expect(
                String(decoding: response.body, as: UTF8.self)
                    .hasPrefix(
                        "GET /\nHost: \(nodes.address)\nx-kept: yes\n2001:db8::7 1 players\n"))
            let names = response.headers.map { $0.name.lowercased() }
            #expect(names.contains("x-kept") && names.contains("date"))
            #expect(!names.contains("keep-alive") && !names.contains("connection"))
        }
    }

    private static let made: [Response] = [
        .text("text"), .noContent, Problem.notFound.response,
        Problem.unavailable("later").response,
        .json(Array("{}".utf8), status: 201),
        Response(
            status: 200,
            headers: [
                .init("ETag", "\"v1\""), .init("content-encoding", "gzip"),
                .init("Set-Cookie", "a=b; Path=/"), .init("Set-Cookie", "c=d"),
                .init("vary", "accept-encoding"), .init("cache-control", "max-age=1"),
            ], body: Array(0...255)),
        Response(status: 302, headers: [.init("location", "/elsewhere")]),
        Response(status: 401, headers: [.init("www-authenticate", "Bearer")]),
        Response(status: 200, body: Array(repeating: 9, count: 4 << 20)),
    ]

    @Test("a response arrives as it was made", arguments: made.indices)
    func returns(index: Int) async throws {
        let made = Self.made[index]
        try await linked({ _, _ in made }) { nodes in
            let response = try await nodes.forward(Request(method: .get, path: "/"))
            #expect(response.status == made.status)
            #expect(response.body == made.body)
            #expect(response.headers.filter { made.headers.contains($0) } == made.headers)
        }
    }

    @Test("a 304 and a HEAD keep the length of the body that they do not send")
    func lengths() async throws {
        let prepared = Response(
            PreparedResponse(
                Response(status: 200, headers: [.init("etag", "\"v1\"")], body: Array("body".utf8)))
        )
        let handler: NodeListener.Handler = { request, _ in
            request.headers["if-none-match"] == "\"v1\"" ? .notModified(prepared) : prepared
        }
        try await linked(handler) { nodes in
            let client = Wire(to: nodes.front.port)
            await client.send("GET / HTTP/1.1\r\nhost: h\r\nif-none-match: \"v1\"\r\n\r\n")
            let notModified = try #require(await client.head()).lowercased()
            #expect(notModified.hasPrefix("http/1.1 304") && notModified.contains("etag: \"v1\""))
            #expect(notModified.contains("content-length: 4"))
            await client.send("HEAD / HTTP/1.1\r\nhost: h\r\n\r\n")
            let head = try #require(await client.head()).lowercased()
            #expect(head.hasPrefix("http/1.1 200") && head.contains("content-length: 4"))
            await client.send("GET / HTTP/1.1\r\nhost: h\r\n\r\n")
            #expect(await client.message()?.body == Array("body".utf8))
        }
    }

    @Test("the entrance and the count of hops travel, and a fourth hop is refused")
    func hops() async throws {
        let seen = Locked<[Hop]>([])
        let forwarder = Locked<(RequestForwarder, NodeAddress)?>(nil)
        let handler: NodeListener.Handler = { request, hop in
            seen.withLock { $0.append(hop) }
            guard let (forwarder, address) = forwarder.withLock({ $0 }) else { return .noContent }
            do throws(ForwardFault) {
                return try await forwarder.forward(request, to: address, hop: hop)
            } catch {
                return error.problem.response
            }
        }
        try await linked(handler) { nodes in
            forwarder.withLock { $0 = (nodes.forwarder, nodes.address) }
            let response = try await nodes.forward(
                Request(method: .get, path: "/"), hop: Hop(at: .gameMasters))
            #expect(response.status == 503)
            #expect(response.headers.contains { $0.name.lowercased() == "retry-after" })
            #expect(seen.withLock { $0.map(\.count) } == [1, 2, 3])
            #expect(seen.withLock { Set($0.map(\.entrance)) } == [.gameMasters])
        }
    }

    @Test("200 requests at once each get their own response")
    func many() async throws {
        let arrived = Locked(0)
        let all = OpenOnce()
        let handler: NodeListener.Handler = { request, _ in
            let count = arrived.withLock { count in
                count += 1
                return count
            }
            if count == 200 { all.open() }
            await all.pass()
            return .text(request.path)
        }
        try await linked(forwarder: { $0.requestsPerNodeMax = 200 }, handler) { nodes in
            let bodies = try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let request = Request(method: .post, path: "/\(number)")
                        let response = try await nodes.forward(request)
                        return (number, String(decoding: response.body, as: UTF8.self))
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            #expect(bodies == Dictionary(uniqueKeysWithValues: (0..<200).map { ($0, "/\($0)") }))
            #expect(nodes.forwarder.counts.forwarded == 200)
        }
    }
}
