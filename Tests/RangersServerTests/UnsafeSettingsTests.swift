import Foundation
import GameLogic
import HTTPServer
import Testing

@testable import RangersServer

/// PR16: keys that can be guessed and networks that are nobody's own are refused.
@Suite("Unsafe settings of the server")
struct UnsafeSettingsTests: SettingsSuite {
    @Test(
        "PR16: an admin key that can be guessed is refused",
        arguments: [
            "", "short", "12345678901234567890123", String(repeating: "a", count: 64),
            String(repeating: "abc", count: 20), "a key with spaces in it, long enough",
            "passwordpasswordpassword", "password-Password-PASSWORD", "secretsecretsecretsecret1!",
            "rangers.rangers.rangers.rangers.42", "hunter2hunter2hunter2hunter2",
            "schlüssel-mit-umlaut-0123456789",
        ])
    func weakKey(key: String) throws {
        try withFolder(adminKey: key) { folder in
            let sentence = refusal(flags(folder))
            #expect(sentence.contains("--admin-key-file"))
            #expect(sentence.contains("hard to guess"))
            #expect(key.isEmpty || !sentence.contains(key))
        }
    }

    @Test("a random key repeats so little that it is accepted, whatever its letters are")
    func randomKeys() {
        var random = SeededRandom(seed: 1)
        for letters in ["0123456789abcdef", "abcdefghijklmnopqrstuvwxyz234567"].map(Array.init) {
            for _ in 0..<1000 {
                let key = (0..<24).map { _ in letters[random.draw(in: 0...letters.count - 1)] }
                #expect(KeyFile.newCount(in: String(key)[...]) >= 16)
            }
        }
        #expect(KeyFile.newCount(in: "Secret-secret-secret-1") == 8)
    }

    @Test("PR16: a proxy, behind which everybody is, cannot be a trusted client")
    func trustedProxy() throws {
        try withFolder { folder in
            var flags = flags(folder)
            flags["behind-proxy"] = "10.0.0.7"
            flags["trusted-clients"] = "127.0.0.1"
            let settings = try configuration(flags).settings
            #expect(settings.http.proxies == [try #require(AddressRange("10.0.0.7"))])
            #expect(settings.rates.trustedClients == [try #require(AddressRange("127.0.0.1"))])
            for trusted in ["10.0.0.7", "10.0.0.0/8", "::ffff:10.0.0.7"] {
                flags["trusted-clients"] = trusted
                let sentence = refusal(flags)
                #expect(sentence.hasPrefix("--trusted-clients"))
                #expect(sentence.contains("--behind-proxy"))
            }
        }
    }

    @Test(
        "PR16: nobody believes, or exempts, a network wider than an operator's own",
        arguments: [
            "0.0.0.0/0", "10.0.0.0/7", "::/0", "2001::/31", "::/64", "::fffe:0:0/95",
        ], ["behind-proxy", "trusted-clients"])
    func wideNetwork(network: String, option: String) throws {
        try withFolder { folder in
            let sentence = refusal(flags(folder).merging([option: network]) { $1 })
            let start = "--\(option) is '\(network)', but must be a network of your own"
            #expect(sentence.hasPrefix(start))
        }
    }

    @Test(
        "networks of an operator are believed", arguments: ["10.0.0.0/8", "2001:db8::/32", "::1"])
    func ownNetwork(network: String) throws {
        try withFolder { folder in
            let range = try #require(AddressRange(network))
            let proxy = flags(folder).merging(["behind-proxy": network]) { $1 }
            #expect(try configuration(proxy).settings.http.proxies == [range])
            let trusted = flags(folder).merging(["trusted-clients": network]) { $1 }
            #expect(try configuration(trusted).settings.http.trustedClients == [range])
        }
    }

    @Test("PR14: a client has 256 connections, or as many as the option says")
    func addressConnections() throws {
        try withFolder { folder in
            var flags = flags(folder)
            #expect(try configuration(flags).settings.http.clientConnectionsMax == 256)
            flags["address-connections"] = "1000"
            flags["admin-listen"] = "127.0.0.1:0"
            let settings = try configuration(flags).settings
            #expect(settings.http.clientConnectionsMax == 1000)
            #expect(settings.adminHTTP?.clientConnectionsMax == 1000)
            flags["address-connections"] = "0"
            #expect(refusal(flags).hasPrefix("--address-connections is '0', but must be "))
        }
    }
}
