import HTTPServer
import PartyStore
import Playtest
import Programs
import Testing

@testable import RangersServer

/// PR20: Debian's nginx in front of two nodes, with the file that `rangers doctor --nginx` prints.
@Suite("Nodes behind nginx", .timeLimit(.minutes(3)), .serialized)
struct NodeProxyTests {
    /// A player with a party at the first node, and what nginx needs.
    private struct Scene {
        let nodes: TwoNodes
        let panda: TestPlayer
        let party: String
        let folder: TestbedFolder
        let proxy: NginxProxy

        static func make(
            rates: RateSettings = TestServer.patientRates
        ) async throws -> Scene {
            let nodes = try await TwoNodes.make(rates: rates)
            let panda = try await TestPlayer.make("Panda", at: nodes.one)
            let party = try await panda.found().id
            let folder = try TestbedFolder(nil)
            let places = ["one", "two"].map {
                NodePlace(name: $0, address: "\($0).example:8080")
            }
            var file = NginxFile(of: places).text
            // Each worker gives its requests to the nodes in turn.
            file.replace("worker_processes auto;", with: "worker_processes 1;")
            for (name, server) in [("one", nodes.one), ("two", nodes.two)] {
                let address = "127.0.0.1:\(server.server.port)"
                file.replace("server \(name).example:8080;", with: "server \(address);")
            }
            let proxy = try NginxProxy(file, in: folder)
            try await proxy.start()
            return Scene(nodes: nodes, panda: panda, party: party, folder: folder, proxy: proxy)
        }

        /// Sends a request through nginx; returns its status and headers, with names in lower case.
        func send(
            _ method: String, _ path: String, _ body: String? = nil,
            _ headers: [String: String] = [:]
        ) async throws -> (status: String, headers: [String: String]) {
            var headers = headers
            headers["Authorization"] = "Bearer \(panda.token)"
            headers["Content-Type"] = "application/json"
            var arguments = ["-s", "-i", "-X", method]
            for (name, value) in headers { arguments += ["-H", "\(name): \(value)"] }
            if let body { arguments += ["-d", body] }
            let printed = try await Program("/usr/bin/curl", arguments + [proxy.url + path])
                .printed()
            let lines = printed.text.split(separator: "\r\n").prefix { !$0.hasPrefix("{") }
            let words = lines.first?.split(separator: " ") ?? []
            let fields = lines.dropFirst().compactMap { line -> (String, String)? in
                let parts = line.split(separator: ":", maxSplits: 1)
                // Two responses may have two seconds.
                guard parts.count == 2, parts[0].lowercased() != "date" else { return nil }
                return (parts[0].lowercased(), String(parts[1].dropFirst()))
            }
            return (
                words.count > 1 ? String(words[1]) : printed.text,
                Dictionary(fields) { "\($0), \($1)" }
            )
        }

        /// Sends it twice: nginx gives each node one of two requests.
        func sendTwice(
            _ method: String, _ path: String, _ body: String? = nil
        ) async throws -> [String] {
            [try await send(method, path, body).status, try await send(method, path, body).status]
        }

        func end() async throws {
            await proxy.stop()
            folder.removeIfTemporary()
            try await nodes.end()
        }
    }

    @Test("reads and changes of every method reach the party's owner, whichever node is first")
    func methods() async throws {
        let scene = try await Scene.make()
        let path = "/v1/parties/\(scene.party)"
        let activity =
            #"{"hero":"\#(scene.panda.hero)","pushToken":"aa01","environment":"sandbox","#
            + #""frequentPushesEnabled":true,"language":"en","osVersion":"18.1"}"#
        #expect(try await scene.sendTwice("GET", path) == ["200", "200"])
        let put = try await scene.sendTwice("PUT", "/v1/activities/one", activity)
        #expect(put == ["204", "204"])
        let post = try await scene.sendTwice("POST", path + "/adventure")
        #expect(post == ["201", "409"])
        let delete = try await scene.sendTwice("DELETE", "/v1/activities/one")
        #expect(delete == ["204", "404"])
        // Any node knows that a Live Activity is gone.
        #expect(TwoNodes.redirected(by: scene.nodes.two) == 3)
        #expect(TwoNodes.redirected(by: scene.nodes.one) == 0)
        try await scene.end()
    }

    @Test("of the first node's response a client sees nothing")
    func hidden() async throws {
        let scene = try await Scene.make()
        let path = "/v1/parties/\(scene.party)"
        var seen: [[String: String]] = []
        for _ in 1...2 { seen.append(try await scene.send("GET", path).headers) }
        #expect(seen[0] == seen[1])
        #expect(seen[0]["content-type"] == "application/json")
        let tag = try #require(seen[0]["etag"])
        seen = []
        for _ in 1...2 {
            let answer = try await scene.send("GET", path, nil, ["If-None-Match": tag])
            #expect(answer.status == "304")
            seen.append(answer.headers)
        }
        #expect(seen[0] == seen[1])
        #expect(seen[0].keys.allSatisfy { !["retry-after", "x-accel-redirect"].contains($0) })
        try await scene.end()
    }

    @Test("PR22: a header from outside does nothing: its client's requests are counted")
    func forged() async throws {
        let scene = try await Scene.make(
            rates: RateLimitTests.rates([.requestsOfPlayer: "1/h:12"]))
        var statuses: [String: Int] = [:]
        for _ in 1...40 {
            let answer = try await scene.send(
                "GET", "/v1/parties/\(scene.party)", nil, ["Rangers-Redirected": "1"])
            statuses[answer.status, default: 0] += 1
        }
        // The first node has counted the player's hero and party before.
        let made = 2
        #expect(statuses == ["200": 2 * 12 - made, "429": 40 - 2 * 12 + made])
        try await scene.end()
    }

    @Test("an event stream comes from the owner as it happens, and ends when the party moves")
    func stream() async throws {
        let scene = try await Scene.make()
        for _ in 1...2 {
            let client = StreamClient(to: scene.proxy.port)
            #expect(await client.open(scene.party, as: scene.panda) == 200)
            #expect(await client.headers["content-type"] == "text/event-stream")
            #expect(await client.next()?.value["id"].string == scene.party)
        }
        let client = StreamClient(to: scene.proxy.port)
        #expect(await client.open(scene.party, as: scene.panda) == 200)
        #expect(await client.next()?.value["id"].string == scene.party)
        try await scene.nodes.moveToTwo(scene.party)
        let rest = await client.messages { _ in false }
        #expect(rest.last?.name == "closed")
        let again = StreamClient(to: scene.proxy.port)
        #expect(await again.open(scene.party, as: scene.panda) == 200)
        #expect(await again.next()?.value["id"].string == scene.party)
        try await scene.end()
    }
}
