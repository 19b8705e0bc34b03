import Foundation
import HTTPServer
import NodeLink
import OptionParsing
import Secrets
import Testing

@testable import RangersServer

/// PR16, PR20: settings of servers that share a database.
@Suite("Settings of servers over one database")
struct NodeOptionsTests {
    private static func settings(_ flags: [String: String]) throws -> NodeSettings? {
        try NodeFiles.settings(flags)
    }

    /// The sentence with which these settings are refused.
    private static func refusal(_ flags: [String: String]) -> String {
        let error = #expect(throws: OptionsError.self) { try settings(flags) }
        return error?.description ?? ""
    }

    @Test("a server with a file is no node, one with a database may be alone")
    func alone() throws {
        #expect(try Self.settings(["data": "rangers.db"]) == nil)
        let alone = try #require(try Self.settings(["store": "postgresql://db/game"]))
        #expect(alone.link == nil)
        #expect(!alone.name.isEmpty)
    }

    @Test("a loopback address needs a key only; its name is the machine's, or a given one")
    func plain() throws {
        let files = try NodeFiles()
        for host in ["127.0.0.1", "[::1]", "localhost"] {
            let flags = files.plain.merging(["nodes-listen": "\(host):9001"]) { $1 }
            let link = try #require(try Self.settings(flags)?.link)
            #expect(link.http.port == 9001)
            #expect(link.http.tls == nil)
            #expect(link.authority == nil)
            #expect(link.address == nil)
        }
        let named = files.plain.merging(["node-name": "Panda 🐼"]) { $1 }
        #expect(try Self.settings(named)?.name == "Panda 🐼")
    }

    @Test("a server on a network has TLS, and the address where others reach it")
    func encrypted() throws {
        let files = try NodeFiles()
        let link = try #require(try Self.settings(files.encrypted)?.link)
        #expect(link.http.host == "0.0.0.0")
        #expect(link.address == NodeAddress("node-1.internal:9443"))
        #expect(try link.http.tls?.certificateChain == files.text("certificate"))
        #expect(try link.http.tls?.privateKey.revealed == files.text("private"))
        #expect(try link.authority == files.text("authority"))
        // Nodes on one machine may use TLS too.
        let near = files.encrypted.merging(["nodes-listen": "127.0.0.1:1"]) { $1 }
        #expect(try Self.settings(near)?.link?.http.tls != nil)
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
        "without a listener its options are refused",
        arguments: [
            "nodes-address", "nodes-key-file", "nodes-certificate", "nodes-private-key",
            "nodes-authority",
        ])
    func listenerMissing(name: String) throws {
        let files = try NodeFiles()
        var flags = files.encrypted.filter { ["store", name].contains($0.key) }
        #expect(Self.refusal(flags).hasSuffix("but must be given with --nodes-listen."))
        flags["node-name"] = "alone"
        flags[name] = nil
        #expect(try Self.settings(flags)?.name == "alone")
    }

    @Test(
        "an option that others need is named when it is missing",
        arguments: ["nodes-key-file", "nodes-certificate", "nodes-private-key", "nodes-authority"])
    func missing(name: String) throws {
        let files = try NodeFiles()
        for value in [nil, ""] {
            var flags = files.encrypted
            flags[name] = value
            #expect(Self.refusal(flags).hasPrefix("--\(name) is missing ("))
        }
    }

    @Test("PR16: off the loopback address there is no plain HTTP")
    func unprotected() throws {
        let files = try NodeFiles()
        let needed = "--nodes-certificate, --nodes-private-key and --nodes-authority."
        for host in ["0.0.0.0", "[::]", "192.0.2.1", "node-1.internal"] {
            let flags = files.plain.merging(["nodes-listen": "\(host):9001"]) { $1 }
            let sentence = Self.refusal(flags)
            #expect(sentence.hasPrefix("--nodes-listen is '\(host):9001', but must be a loopback"))
            #expect(sentence.hasSuffix(needed))
        }
        let flags = files.plain.merging(["nodes-address": "node-1.internal:9001"]) { $1 }
        let sentence = Self.refusal(flags)
        #expect(sentence.hasPrefix("--nodes-address is 'node-1.internal:9001', but must be a loop"))
        #expect(sentence.hasSuffix(needed))
        let authority = files.plain.merging(["nodes-authority": files.path("authority")]) { $1 }
        #expect(Self.refusal(authority).hasSuffix("but must be given with --nodes-certificate."))
    }

    @Test("who listens at all addresses says at which one others reach it")
    func reachable() throws {
        let files = try NodeFiles()
        for host in ["0.0.0.0", "[::]"] {
            var flags = files.encrypted.merging(["nodes-listen": "\(host):9443"]) { $1 }
            flags["nodes-address"] = nil
            let sentence = Self.refusal(flags)
            #expect(sentence.hasPrefix("--nodes-listen is '\(host):9443', but must be an address"))
            #expect(sentence.contains("--nodes-address"))
        }
    }

    @Test(
        "addresses and names of another form are refused",
        arguments: [
            ("nodes-listen", "9001"), ("nodes-listen", ":9001"), ("nodes-listen", "::1:9001"),
            ("nodes-listen", "127.0.0.1"), ("nodes-listen", "127.0.0.1:65536"),
            ("nodes-address", "node-1.internal"), ("nodes-address", "node-1.internal:0"),
            ("nodes-address", "node-1.internal:x"), ("nodes-address", "https://node:9443"),
            ("nodes-address", ":9443"), ("nodes-address", "::1:9443"), ("nodes-address", ""),
            ("node-name", ""), ("node-name", "two\nlines"),
            ("node-name", String(repeating: "n", count: NodeOptions.nameBytesMax + 1)),
        ])
    func form(name: String, value: String) throws {
        let files = try NodeFiles()
        let sentence = Self.refusal(files.encrypted.merging([name: value]) { $1 })
        #expect(sentence.hasPrefix("--\(name) is '\(value)', but must be "), "\(sentence)")
    }

    @Test(
        "PR16: a key that can be guessed, or that no header carries, is refused",
        arguments: [
            "", String(NodeFiles.key.dropLast()), String(repeating: "a", count: 64),
            "a key with spaces in it, which is long enough",
            String(repeating: NodeFiles.key, count: 9),
        ])
    func weak(key: String) throws {
        let files = try NodeFiles()
        try files.write("key", key)
        let sentence = Self.refusal(files.plain)
        #expect(sentence.hasPrefix("--nodes-key-file is '\(files.path("key"))', but must be "))
        #expect(sentence.contains("32 "))
        #expect(sentence.contains("openssl rand -hex 32"))
        #expect(key.isEmpty || !sentence.contains(key))
    }

    @Test(
        "PR16: secrets that others can read are refused", arguments: [0o644, 0o640, 0o604, 0o660])
    func readable(mode: Int) throws {
        for (option, name) in [("nodes-key-file", "key"), ("nodes-private-key", "private")] {
            let files = try NodeFiles()
            try files.write(name, files.text(name), mode: mode)
            let sentence = Self.refusal(files.encrypted)
            #expect(sentence.hasPrefix("--\(option) is "))
            #expect(sentence.contains("chmod 600"))
        }
    }

    @Test("files that are missing, or have something else, are refused")
    func files() throws {
        let files = try NodeFiles()
        try files.write("other", "no PEM")
        let names = ["nodes-certificate", "nodes-private-key", "nodes-authority"]
        for name in names {
            for path in ["/nowhere/file", files.folder, files.path("other")] {
                let sentence = Self.refusal(files.encrypted.merging([name: path]) { $1 })
                #expect(sentence.hasPrefix("--\(name) is '\(path)', but must be a readable file"))
            }
        }
        // The two in each other's place.
        let swapped = [
            "nodes-certificate": files.path("private"),
            "nodes-private-key": files.path("certificate"),
        ]
        let certificate = Self.refusal(files.encrypted.merging(swapped) { $1 })
        #expect(certificate.hasPrefix("--nodes-certificate is "))
        let key = Self.refusal(files.plain.merging(["nodes-key-file": "/nowhere/key"]) { $1 })
        #expect(key.hasPrefix("--nodes-key-file is '/nowhere/key', but must be a readable file"))
    }
}
