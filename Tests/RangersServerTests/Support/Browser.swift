import HTTPServer
import RangersServer
import Testing

/// A browser that shows the console: it keeps the cookie, and says with each request which page
/// sends it.
struct Browser: Sendable {
    let server: TestServer
    var cookie: String?
    var host = "127.0.0.1:8080"
    var address = ClientAddress.loopback

    init(_ server: TestServer, cookie: String? = nil) {
        self.server = server
        self.cookie = cookie
    }

    /// Returns the browser after signing in with this body.
    func signedIn(_ body: String) async throws -> Browser {
        let answer = await send(.post, "/v1/admin/session", body)
        try #require(answer.status == 204, "\(answer.text)")
        var browser = self
        let header = try #require(answer.headers["set-cookie"])
        browser.cookie = String(header.prefix { $0 != ";" })
        return browser
    }

    func signedIn(with key: String = TestServer.adminKey) async throws -> Browser {
        try await signedIn(#"{"key":"\#(key)"}"#)
    }

    /// Sends a request as the console's page does; `headers` replace its own, and an empty one
    /// removes it.
    func send(
        _ method: Method, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
    ) async -> TestServer.Answer {
        var all = ["host": host, "sec-fetch-site": "same-origin"]
        if method != .get { all["content-type"] = "application/json" }
        if let cookie { all["cookie"] = cookie }
        for (name, value) in headers { all[name] = value.isEmpty ? nil : value }
        return await server.send(
            Request(
                method: method, path: path, headers: all, body: Array((body ?? "").utf8),
                from: address))
    }

    /// The status of a read.
    func status(_ path: String = "/v1/admin/session") async -> Int { await send(.get, path).status }
}
