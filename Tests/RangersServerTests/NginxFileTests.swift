import Foundation
import PartyStore
import Playtest
import Testing

@testable import RangersServer

/// What `rangers doctor --nginx` prints.
@Suite("The configuration of nginx for several servers", .timeLimit(.minutes(2)))
struct NginxFileTests {
    private static let ready =
        (try? OperationFilesTests.text("Resources/Operations/nginx.conf")) ?? ""

    /// The lines of a file that the ready one does not have.
    private static func newLines(_ file: NginxFile) -> [String] {
        let known = Set(ready.split(separator: "\n"))
        return file.text.split(separator: "\n").filter { !known.contains($0) }
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test("one server's is the ready file with its address")
    func one() {
        let own = NodePlace(name: "", address: "127.0.0.1:8080")
        #expect(NginxFile(of: [own]).text == Self.ready)
        let other = NginxFile(of: [NodePlace(name: "", address: "10.0.0.1:80")]).text
        #expect(other == Self.ready.replacing("127.0.0.1:8080", with: "10.0.0.1:80"))
    }

    @Test("several have a location each, in the order of their addresses; the newest name counts")
    func several() {
        let two = NodePlace(name: "Panda", address: "10.0.0.2:8080")
        let file = NginxFile(of: [
            NodePlace(name: "old", address: "10.0.0.1:8080"), two,
            NodePlace(name: "Spouty", address: "10.0.0.1:8080"),
        ])
        #expect(
            Self.newLines(file) == [
                "upstream rangers { server 10.0.0.1:8080; server 10.0.0.2:8080; keepalive 64; }",
                "upstream server_1 { server 10.0.0.1:8080; keepalive 64; }",
                "upstream server_2 { server 10.0.0.2:8080; keepalive 64; }",
                "# Where a request is played again that another server has sent on.",
                "# Spouty",
                "location @10.0.0.1:8080 { set $redirected 1; proxy_pass http://server_1; }",
                "# Panda",
                "location @10.0.0.2:8080 { set $redirected 1; proxy_pass http://server_2; }",
            ])
    }

    @Test("game masters' listeners have locations too, and only game masters get there")
    func masters() throws {
        let file = NginxFile(of: [
            NodePlace(name: "a", address: "a:1", adminAddress: "a:2"),
            NodePlace(name: "b", address: "b:1", adminAddress: ""),
        ])
        let lines = Self.newLines(file)
        #expect(lines.contains("upstream game_masters { server a:2; keepalive 64; }"))
        #expect(lines.contains("upstream server_1_admin { server a:2; keepalive 64; }"))
        let admin = "location @a:2 { set $redirected 1; proxy_pass http://server_1_admin; }"
        #expect(lines.contains(admin))
        #expect(lines.count { $0 == "proxy_pass http://game_masters;" } == 2)
        let players = file.text.split(separator: "location /v1/ {")
        #expect(players.count == 2 && !players[1].contains("http://game_masters"))
    }

    @Test("every location that clients reach takes the header of a redirect from them")
    func cleared() throws {
        let places = ["a", "b"].map { NodePlace(name: $0, address: "\($0):1") }
        let text = NginxFile(of: places).text
        // A location with a header of its own would not have those of its server.
        let server = try #require(text.split(separator: "    server {\n").last)
        let (before, locations) = (
            server.prefix { $0 != "#" }, server.split(separator: "location ").dropFirst()
        )
        #expect(!before.isEmpty)
        #expect(server.contains("proxy_set_header Rangers-Redirected $redirected;"))
        #expect(server.contains("set $redirected \"\";"))
        #expect(locations.count > 6)
        #expect(locations.allSatisfy { !$0.contains("proxy_set_header") })
        let redirecting = locations.filter { $0.contains("$redirected") }
        #expect(redirecting.count == 2)
        #expect(redirecting.allSatisfy { $0.hasPrefix("@") })
    }

    @Test("nginx accepts addresses of IPv6")
    func accepted() async throws {
        let places = ["[::1]:1", "127.0.0.1:1", "localhost:1"].map {
            NodePlace(name: "Panda 🐼 {", address: $0, adminAddress: $0 + "0")
        }
        let folder = try TestbedFolder(nil)
        defer { folder.removeIfTemporary() }
        let proxy = try NginxProxy(NginxFile(of: places).text, in: folder)
        try await proxy.start()
        await proxy.stop()
    }
}
