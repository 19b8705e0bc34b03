import ConsolePages
import HTTPServer
import Secrets
import Testing

@testable import RangersServer

@Suite("E2: the pages of the console and of the browser phone", .timeLimit(.minutes(1)))
struct PageTests {
    private static let strict =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'; trusted-types 'none'"

    private static func types(of path: String) -> String? {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "json": "application/json"
        case "svg": "image/svg+xml"
        default: nil
        }
    }

    @Test("each file is served with its type, its tag and all headers, to anybody")
    func files() async throws {
        let server = try await TestServer()
        #expect(ConsolePages.files.count > 3)
        for file in ConsolePages.files {
            let answer = await server.send(.get, "/" + file.path)
            #expect(answer.status == 200 && answer.text == file.text, "\(file.path)")
            let expected = [
                "content-type": Self.types(of: file.path), "content-security-policy": Self.strict,
                "etag": "\"\(Digest.hex(Digest.sha256(file.text.utf8)))\"",
                "cache-control": "no-cache", "referrer-policy": "no-referrer",
                "cross-origin-opener-policy": "same-origin",
                "cross-origin-resource-policy": "same-origin",
                "permissions-policy": "camera=(), microphone=(), geolocation=()",
                "x-content-type-options": "nosniff",
            ]
            for (name, value) in expected {
                #expect(answer.headers[name] == value, "\(file.path): \(name)")
            }
            #expect(answer.headers.count == expected.count, "\(answer.headers.keys)")
        }
        await server.server.drain()
    }

    @Test("a folder is its index, and the path without a slash leads there, whatever is before it")
    func folders() async throws {
        let server = try await TestServer()
        for folder in ["console", "play"] {
            let page = await server.send(.get, "/\(folder)/")
            #expect(page.status == 200)
            #expect(page.text == (await server.send(.get, "/\(folder)/index.html")).text)
            let bare = await server.send(.get, "/\(folder)")
            #expect(bare.status == 308)
            #expect(bare.headers["location"] == "\(folder)/")
        }
        for path in ["/", "/style/", "/style", "/console//", "/console/../v1", "/%63onsole/"] {
            #expect(await server.send(.get, path).status == 404, "\(path)")
        }
        let post = await server.send(.post, "/console/")
        #expect(post.status == 405 && post.headers["allow"] == "GET, HEAD")
        await server.server.drain()
    }

    @Test("a browser that has a file gets a 304, and another file's tag brings the file")
    func unchanged() async throws {
        let server = try await TestServer()
        func status(_ tag: String?) async -> Int {
            let headers = tag.map { ["if-none-match": $0] } ?? [:]
            let request = Request(method: .get, path: "/console/", headers: headers)
            return await server.server.respond(to: request).status
        }
        let tag = await server.send(.get, "/console/").headers["etag"]
        let other = await server.send(.get, "/icon.svg").headers["etag"]
        #expect(await status(tag) == 304)
        #expect(await status(tag.map { "W/\($0)" }) == 304)
        #expect(await status(other) == 200)
        #expect(await status(nil) == 200)
        await server.server.drain()
    }

    @Test("PR16: with two listeners, each has its own page and what both share")
    func listeners() async throws {
        var admin = HTTPServer.Settings()
        admin.port = 0
        let server = try await TestServer(adminHTTP: admin)
        for (path, ofPlayers, ofGameMasters) in [
            ("/console/", 404, 200), ("/console", 404, 308), ("/play/", 200, 404),
            ("/style/tokens.css", 200, 200), ("/icon.svg", 200, 200),
        ] {
            let request = Request(method: .get, path: path)
            #expect(await server.server.respond(to: request).status == ofPlayers, "\(path)")
            let admin = await server.server.respond(toGameMaster: request).status
            #expect(admin == ofGameMasters, "\(path)")
        }
        await server.server.drain()
    }

    @Test("a client over its rate gets no page either")
    func limited() async throws {
        var rates = TestServer.patientRates
        rates[.requestsOfAddress] = try #require(Rate("1/m:10"))
        let server = try await TestServer(rates: rates)
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { await server.send(.get, "/console/").status } }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [200: 10, 429: 190])
        await server.server.drain()
    }
}
