import OptionParsing
import PartyStore
import Testing

@testable import RangersServer

/// PR20: settings of servers that share a database.
@Suite("Settings of servers over one database")
struct NodeOptionsTests {
    private static let database = ["store": "postgresql://db/game"]

    private static func place(_ flags: [String: String]) throws -> NodePlace? {
        let arguments = flags.sorted { $0.key < $1.key }.map { "--\($0.key)=\($0.value)" }
        return try NodeOptions(ServerConfiguration.options.parse(arguments, environment: [:]))
            .place()
    }

    private static func shared(_ flags: [String: String]) throws -> NodePlace {
        try #require(try place(database.merging(flags) { $1 }))
    }

    /// The sentence with which these settings are refused.
    private static func refusal(_ flags: [String: String]) -> String {
        let error = #expect(throws: OptionsError.self) { try place(flags) }
        return error?.description ?? ""
    }

    @Test("a server with a file is no node, one with a database may be alone")
    func alone() throws {
        #expect(try Self.place(["data": "rangers.db"]) == nil)
        let alone = try Self.shared([:])
        #expect(alone == NodePlace(name: alone.name, address: ""))
        #expect(!alone.name.isEmpty)
    }

    @Test(
        "the proxy reaches a server where it listens, unless every machine has that address",
        arguments: [
            ("10.0.0.1:8080", "10.0.0.1:8080"), ("[fd00::1]:8080", "[fd00::1]:8080"),
            ("server-1.internal:80", "server-1.internal:80"), ("127.0.0.1:8080", ""),
            ("[::1]:8080", ""), ("localhost:8080", ""), ("0.0.0.0:8080", ""), ("[::]:8080", ""),
            ("10.0.0.1:0", ""),
        ])
    func listening(listen: String, address: String) throws {
        let place = try Self.shared(["listen": listen])
        #expect(place.address == address)
        #expect(place.adminAddress == address)
        let given = try Self.shared(["listen": listen, "node-address": "127.0.0.1:1"])
        #expect(given.address == "127.0.0.1:1")
    }

    @Test("game masters' own listener has an address of its own")
    func masters() throws {
        let flags = ["listen": "10.0.0.1:8080", "admin-listen": "10.0.0.1:8081"]
        let place = try Self.shared(flags)
        #expect(place.address == "10.0.0.1:8080")
        #expect(place.adminAddress == "10.0.0.1:8081")
        let near = flags.merging(["admin-listen": "127.0.0.1:8081"]) { $1 }
        #expect(try Self.shared(near).adminAddress == "")
        let given = near.merging(["node-admin-address": "10.0.0.1:9"]) { $1 }
        #expect(try Self.shared(given).adminAddress == "10.0.0.1:9")
        let alone = Self.database.merging(["node-admin-address": "10.0.0.1:9"]) { $1 }
        #expect(Self.refusal(alone).hasSuffix("but must be given with --admin-listen."))
    }

    @Test("others know its name and its public URL")
    func known() throws {
        let place = try Self.shared([
            "node-name": "Panda 🐼", "public-url": "https://one.example/rangers",
        ])
        #expect(place.name == "Panda 🐼")
        #expect(place.publicURL == "https://one.example/rangers/")
    }

    @Test(
        "with a data file every option of nodes is refused",
        arguments: NodeOptions.all.map(\.name))
    func file(name: String) throws {
        let sentence = Self.refusal(["data": "rangers.db", name: "127.0.0.1:9001"])
        #expect(sentence.hasPrefix("--\(name) is '127.0.0.1:9001', but must be left out"))
        #expect(sentence.contains("--store"))
    }

    @Test(
        "addresses and names of another form are refused",
        arguments: [
            ("node-address", "server-1.internal"), ("node-address", "server-1.internal:0"),
            ("node-address", "server-1.internal:x"), ("node-address", "https://server:8080"),
            ("node-address", ":8080"), ("node-address", "::1:8080"), ("node-address", ""),
            ("node-address", "a;b:1"), ("node-address", "a b:1"), ("node-address", "a{:1"),
            ("node-name", ""), ("node-name", "two\nlines"),
            ("node-name", String(repeating: "n", count: NodeOptions.nameBytesMax + 1)),
        ])
    func form(name: String, value: String) throws {
        let sentence = Self.refusal(Self.database.merging([name: value]) { $1 })
        #expect(sentence.hasPrefix("--\(name) is '\(value)', but must be "), "\(sentence)")
    }
}
