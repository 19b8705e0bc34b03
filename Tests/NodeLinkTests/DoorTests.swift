import HTTPServer
import Isolation
import NodeLink
import Secrets
import Testing

/// Who may use the nodes' listener, and how it must be protected.
@Suite(.timeLimit(.minutes(2))) struct DoorTests {
    private let get = Request(method: .get, path: "/")

    @Test("without the key a listener calls no handler, whatever is sent", arguments: [0, 5])
    func noKey(bodyCount: Int) async throws {
        let calls = Locked(0)
        let handler: NodeListener.Handler = { _, _ in
            calls.withLock { $0 += 1 }
            return .noContent
        }
        try await linked(handler) { nodes in
            let keys = [
                "", "node-key: \r\n", "node-key: \(sharedKey.revealed.dropLast())\r\n",
                "node-key: \(sharedKey.revealed)0\r\n",
                "node-key: \(sharedKey.revealed.uppercased())\r\n",
                "node-key: \(sharedKey.revealed)\r\nnode-key: \(sharedKey.revealed)\r\n",
            ]
            for key in keys {
                let client = Wire(to: nodes.listener.port)
                await client.send(
                    "POST / HTTP/1.1\r\nhost: h\r\nnode-hop: 1 players\r\nnode-client: ::1\r\n"
                        + "\(key)content-length: \(bodyCount)\r\n\r\n"
                        + String(repeating: "b", count: bodyCount))
                #expect(await client.head()?.hasPrefix("HTTP/1.1 401") == true)
            }
            #expect(nodes.listener.refusalCount == keys.count)
            #expect(calls.withLock { $0 } == 0)
        }
    }

    @Test("a body without the key is refused before it is sent")
    func bodyUnread() async throws {
        try await linked({ _, _ in .noContent }) { nodes in
            let client = Wire(to: nodes.listener.port)
            await client.send("POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 1000000\r\n\r\n")
            #expect(await client.head()?.hasPrefix("HTTP/1.1 401") == true)
        }
    }

    @Test(
        "a request with the key needs a hop and a client",
        arguments: [
            "", "node-hop: 1 players\r\n", "node-client: ::1\r\n",
            "node-hop: 0 players\r\nnode-client: ::1\r\n",
            "node-hop: 4 players\r\nnode-client: ::1\r\n",
            "node-hop: 1 others\r\nnode-client: ::1\r\n",
            "node-hop: 1 players\r\nnode-client: me\r\n",
        ])
    func malformed(lines: String) async throws {
        try await linked({ _, _ in .noContent }) { nodes in
            let client = Wire(to: nodes.listener.port)
            await client.send(
                "GET / HTTP/1.1\r\nhost: h\r\nnode-key: \(sharedKey.revealed)\r\n\(lines)\r\n")
            #expect(await client.head()?.hasPrefix("HTTP/1.1 400") == true)
        }
    }

    @Test("what is answered at once needs the key, the hop and the client too")
    func immediate() async throws {
        let listener = try NodeListener(key: NodeKey(sharedKey)) { head, hop in
            head.path.elementsEqual("/known".utf8) ? Response(status: 200 + hop.count) : nil
        } handler: { _, _ in
            .noContent
        }
        func status(_ path: String, _ lines: String...) async -> String? {
            let client = Wire(to: listener.port)
            let text = ["GET \(path) HTTP/1.1", "host: h"] + lines + ["", ""]
            await client.send(text.joined(separator: "\r\n"))
            return await client.head().map { String($0.prefix(12)) }
        }
        let (key, hop, client) = (
            "node-key: \(sharedKey.revealed)", "node-hop: 2 players", "node-client: ::1"
        )
        #expect(await status("/known", key, hop, client) == "HTTP/1.1 202")
        #expect(await status("/other", key, hop, client) == "HTTP/1.1 204")
        #expect(
            await status("/known", "node-key: \(sharedKey.revealed)0", hop, client)
                == "HTTP/1.1 401")
        #expect(await status("/known", key, key, hop, client) == "HTTP/1.1 401")
        #expect(await status("/known", hop, client) == "HTTP/1.1 401")
        #expect(await status("/known", key, "node-hop: 4 players", client) == "HTTP/1.1 400")
        #expect(await status("/known", key, client) == "HTTP/1.1 400")
        #expect(await status("/known", key, hop, "node-client: me") == "HTTP/1.1 400")
        await listener.stop(graceSeconds: 5)
    }

    @Test("a node with another key is not reached, and a player's 401 is a response")
    func otherKey() async throws {
        let handler: NodeListener.Handler = { _, _ in Response(status: 401) }
        try await linked(handler) { nodes in
            let response1 = try await nodes.forward(get)
            #expect(response1.status == 401)
            let other = try NodeKey(Secret(String(repeating: "k", count: 32)))
            try await forwarding {
                $0.key = other
            } _: { forwarder in
                let fault = await fault {
                    try await forwarder.forward(get, to: nodes.address, hop: Hop(at: .players))
                }
                #expect(fault?.isNotReached == true)
            }
            #expect(nodes.listener.refusalCount == 1)
        }
    }

    @Test("a key is 32 to 256 visible characters")
    func keys() {
        for good in [32, 256] { #expect(isKey(String(repeating: "k", count: good))) }
        for bad in [0, 31, 257] { #expect(!isKey(String(repeating: "k", count: bad))) }
        #expect(!isKey(String(repeating: "k", count: 40) + "\n"))
        #expect(!isKey(String(repeating: "ü", count: 40)))
    }

    private func isKey(_ text: String) -> Bool { (try? NodeKey(Secret(text))) != nil }

    @Test("plain HTTP stays on the machine")
    func plain() async throws {
        let key = try NodeKey(sharedKey)
        for host in ["0.0.0.0", "192.0.2.1", "::", "2001:db8::1"] {
            var settings = NodeListener.settings
            settings.host = host
            #expect(throws: NodeLinkError.needsTLS(host: host)) {
                try NodeListener(settings, key: key) { _, _ in .noContent }
            }
        }
        for host in ["127.0.0.1", "127.8.8.8", "::1", "localhost"] {
            #expect(throws: Never.self) {
                try NodeListener.requireProtection(host: host, tls: nil)
            }
        }
        let far = try #require(NodeAddress("192.0.2.1:9001"))
        try await forwarding { forwarder in
            let fault = await fault {
                try await forwarder.forward(get, to: far, hop: Hop(at: .players))
            }
            #expect(fault?.isNotReached == true)
        }
    }

    @Test(
        "addresses are a host and a port",
        arguments: [
            "127.0.0.1:9001", "[::1]:1", "node-1.internal:65535", "localhost:80",
        ])
    func addresses(text: String) { #expect(NodeAddress(text)?.description == text) }

    @Test(
        "anything else is no address",
        arguments: [
            "", ":1", "host", "host:", "host:0", "host:65536", "host:-1", "::1:80", "[]:80",
            "[host]:80", "a/b:80", "user@host:80", "a b:80", "[::1:80", "http://host:80",
        ])
    func noAddresses(text: String) { #expect(NodeAddress(text) == nil) }
}
