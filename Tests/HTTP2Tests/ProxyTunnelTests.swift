import Testing

@testable import HTTP2

@Suite("The talk with an HTTP proxy")
struct ProxyTunnelTests {
    private static func tunnel(authorization: String? = nil) -> ProxyTunnel {
        ProxyTunnel(
            through: HTTPProxy(host: "proxy", port: 3128, authorization: authorization),
            to: "api.push.apple.com", port: 443)
    }

    /// What the tunnel says after an answer that comes in one piece.
    private static func step(after answer: String) -> ProxyTunnel.Step {
        var tunnel = tunnel()
        return Array(answer.utf8).withUnsafeBytes { tunnel.received($0) }
    }

    @Test("It asks for the server by name, so that the proxy looks it up")
    func request() {
        #expect(
            String(decoding: Self.tunnel().request, as: UTF8.self) == """
                CONNECT api.push.apple.com:443 HTTP/1.1\r
                Host: api.push.apple.com:443\r
                \r

                """)
    }

    @Test("Credentials go to the proxy alone")
    func authorization() {
        let text = String(decoding: Self.tunnel(authorization: "Basic eA==").request, as: UTF8.self)
        #expect(text.contains("\r\nProxy-Authorization: Basic eA==\r\n"))
    }

    @Test("An IPv6 address is written in brackets")
    func address() {
        let tunnel = ProxyTunnel(through: HTTPProxy(host: "p", port: 1), to: "::1", port: 2197)
        #expect(
            String(decoding: tunnel.request, as: UTF8.self).hasPrefix("CONNECT [::1]:2197 HTTP"))
    }

    @Test(
        "Each answer of a proxy has one meaning",
        arguments: [
            ("HTTP/1.1 200 Connection established\r\n\r\n", ProxyTunnel.Step.open),
            ("HTTP/1.0 200 OK\r\nVia: x\r\n\r\n", .open),
            ("HTTP/1.1 204\r\n\r\n", .open),
            ("HTTP/1.1 200 OK\r\n", .wait),
            ("", .wait),
            (
                "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
                .refused(
                    "the proxy refused the tunnel: HTTP/1.1 407 Proxy Authentication Required")
            ),
            (
                "HTTP/1.1 302 Found\r\nLocation: http://login/\r\n\r\n",
                .refused("the proxy refused the tunnel: HTTP/1.1 302 Found")
            ),
            (
                "HTTP/1.1 502 Bad\u{1b}[31m\r\n\r\n",
                .refused("the proxy refused the tunnel: HTTP/1.1 502 Bad[31m")
            ),
            ("HTTP/1.1 200 OK\r\n\r\nhello", .refused("the proxy sent bytes into the tunnel")),
            ("SSH-2.0\r\n\r\n", .refused("the proxy does not speak HTTP: SSH-2.0")),
            ("\r\n\r\n", .refused("the proxy does not speak HTTP: ")),
        ])
    func answers(_ answer: String, _ meaning: ProxyTunnel.Step) {
        #expect(Self.step(after: answer) == meaning)
    }

    @Test("An answer may come byte by byte")
    func piecewise() {
        var tunnel = Self.tunnel()
        let answer = Array("HTTP/1.1 200 OK\r\nServer: slow\r\n\r\n".utf8)
        var steps: [ProxyTunnel.Step] = []
        for byte in answer { steps.append([byte].withUnsafeBytes { tunnel.received($0) }) }
        #expect(steps.dropLast().allSatisfy { $0 == .wait })
        #expect(steps.last == .open)
    }

    @Test("An answer without an end is refused at a bound")
    func endless() {
        #expect(
            Self.step(after: String(repeating: "x", count: 20_000))
                == .refused("the proxy's response does not end"))
    }
}
