import HTTP2Server
import HTTPServer
import Isolation
import NodeLink
import Secrets
import Testing

/// Nodes that speak TLS.
@Suite(.timeLimit(.minutes(2))) struct TLSTests {
    private let authority: CertificateAuthority
    private let stranger: CertificateAuthority

    init() throws {
        authority = try CertificateAuthority(
            commonName: "Nodes", validFrom: 0, validDays: 36_500)
        stranger = try CertificateAuthority(
            commonName: "Strangers", validFrom: 0, validDays: 36_500)
    }

    private func encrypted(
        for hosts: [String], trusting trusted: CertificateAuthority,
        _ handler: @escaping NodeListener.Handler, _ body: (Linked) async throws -> Void
    ) async throws {
        let identity = try authority.issue(hosts: hosts, validFrom: 0, validDays: 36_500)
        let tls = HTTPServer.TLS(
            certificateChain: identity.certificatePEM,
            privateKey: Secret(identity.privateKeyPEM))
        try await linked(
            listener: { $0.tls = tls }, forwarder: { $0.authority = trusted.certificatePEM },
            handler, body)
    }

    @Test("requests of all sizes and streams pass, and connections are kept")
    func good() async throws {
        let handler: NodeListener.Handler = { request, _ in
            if request.path == "/stream" {
                let isSent = Locked(false)
                let stream = ResponseStream {
                    isSent.withLock { isSent -> ResponseStream.Step in
                        if isSent { return .end }
                        isSent = true
                        return .bytes(Array("event".utf8))
                    }
                } closed: {
                }
                return Response(headers: [], stream: stream)
            }
            // Off the thread of the server, which suspends the connection.
            await Task.yield()
            return Response(status: 200, body: request.body)
        }
        try await encrypted(for: ["127.0.0.1"], trusting: authority, handler) { nodes in
            for count in [0, 1, 16_384, 100_000, 1 << 20] {
                let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
                let response = try await nodes.forward(
                    Request(method: .put, path: "/?a=b", headers: ["x": "y"], body: body))
                #expect(response.body == body)
            }
            let client = Wire(to: nodes.front.port)
            await client.send("GET /stream HTTP/1.1\r\nhost: h\r\n\r\n")
            _ = await client.head()
            #expect(await client.chunk() == Array("event".utf8))
            #expect(await client.chunk() == [])
        }
    }

    @Test("100 requests at once pass")
    func many() async throws {
        let handler: NodeListener.Handler = { request, _ in
            await Task.yield()
            return .text(request.path)
        }
        try await encrypted(for: ["127.0.0.1"], trusting: authority, handler) { nodes in
            let count = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let request = Request(method: .get, path: "/\(number)")
                        return try await nodes.forward(request).body == Array("/\(number)".utf8)
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(count == 100)
        }
    }

    @Test("a certificate of another authority, or for another host, is not reached")
    func refused() async throws {
        let get = Request(method: .post, path: "/")
        let calls = Locked(0)
        let handler: NodeListener.Handler = { _, _ in
            calls.withLock { $0 += 1 }
            return .noContent
        }
        try await encrypted(for: ["127.0.0.1"], trusting: stranger, handler) { nodes in
            let fault = await fault {
                try await nodes.forward(get)
            }
            #expect(fault?.isNotReached == true)
        }
        try await encrypted(for: ["node.example"], trusting: authority, handler) { nodes in
            let fault = await fault {
                try await nodes.forward(get)
            }
            #expect(fault?.isNotReached == true)
        }
        #expect(calls.withLock { $0 } == 0)
    }

    @Test("plain HTTP and a head that the library refuses only close the connection")
    func plainText() async throws {
        try await encrypted(for: ["127.0.0.1"], trusting: authority, { _, _ in .noContent }) {
            nodes in
            let client = Wire(to: nodes.listener.port)
            await client.send("GET / HTTP/1.1\r\nhost: h\r\n\r\n")
            #expect(await client.head() == nil)
            let response1 = try await nodes.forward(Request(method: .get, path: "/"))
            #expect(response1.status == 204)
        }
    }

    @Test("a listener with a key that is not the certificate's does not start")
    func mismatch() throws {
        let one = try authority.issue(hosts: ["127.0.0.1"], validFrom: 0, validDays: 1)
        let two = try authority.issue(hosts: ["127.0.0.1"], validFrom: 0, validDays: 1)
        for key in [two.privateKeyPEM, "", "no PEM"] {
            var settings = NodeListener.settings
            settings.tls = .init(
                certificateChain: one.certificatePEM, privateKey: Secret(key))
            #expect(throws: NodeLinkError.self) {
                try NodeListener(settings, key: NodeKey(sharedKey)) { _, _ in .noContent }
            }
        }
    }
}
