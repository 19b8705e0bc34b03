import OptionParsing
import APNsClient
import APNsSimulator
import Foundation
import HTTPServer
import PartyStore
import PushPolicy
import Secrets
import Testing

@testable import RangersServer

/// PR16: unsafe or wrong settings are refused, with a sentence that names the flag.
@Suite("Settings of the server")
struct ServerConfigurationTests: SettingsSuite {
    @Test("a second provider key needs its id, and is of the same team")
    func secondKey() throws {
        try withFolder { folder in
            var flags = flags(folder)
            flags["apns-key-next"] = folder + "/apns.p8"
            #expect(refusal(flags).contains("--apns-key-next-id"))
            flags["apns-key-next-id"] = "FGHIJ67890"
            guard case .keys(let keys) = try configuration(flags).apns.identity else {
                Issue.record("the settings name keys")
                return
            }
            #expect(keys.map(\.id) == ["ABCDE12345", "FGHIJ67890"])
            #expect(keys.map(\.teamID) == ["TEAM123456", "TEAM123456"])
            flags["apns-key-next"] = nil
            #expect(refusal(flags).contains("--apns-key-next"))
        }
    }

    @Test(
        "channels are in the environment of APNs; with a simulator it is the sandbox",
        arguments: [
            ("api.push.apple.com", nil, PushEnvironment.production),
            ("api.sandbox.push.apple.com", nil, .sandbox), ("localhost", nil, .sandbox),
            ("api.push.apple.com", "api.sandbox.push.apple.com", .production),
            ("localhost", "localhost", .production),
        ])
    func channels(host: String, sandbox: String?, environment: PushEnvironment) throws {
        try withFolder { folder in
            var flags = flags(folder)
            flags["apns-host"] = host
            flags["apns-sandbox-host"] = sandbox
            let settings = try configuration(flags).settings
            #expect(settings.channelEnvironment == environment)
        }
    }

    @Test("with two hosts the server takes both environments, and has one set of provider tokens")
    func twoHosts() throws {
        try withFolder { folder in
            var flags = flags(folder)
            flags["apns-key"] = try SimulatorCredentials(
                directory: folder + "/credentials", now: 1_700_000_000
            ).providerKeyFile
            flags["apns-host"] = "api.push.apple.com"
            flags["apns-port"] = "2197"
            let single = try configuration(flags)
            #expect(single.settings.shards.pushEnvironment == .production)
            let alone = try APNsClient(single.apns)
            let none = try single.sandboxSender(alone)
            #expect(none == nil)
            flags["apns-sandbox-host"] = "api.sandbox.push.apple.com"
            let both = try configuration(flags)
            #expect(both.settings.shards.pushEnvironment == nil)
            #expect(both.apns.host == "api.push.apple.com")
            #expect(both.sandbox?.host == "api.sandbox.push.apple.com")
            #expect(both.sandbox?.port == 2197)
            let main = try APNsClient(both.apns)
            let sandbox = try #require(try both.sandboxSender(main))
            #expect(sandbox.providerTokens === main.providerTokens)
            flags["apns-sandbox-port"] = "443"
            let port = try configuration(flags).sandbox?.port
            #expect(port == 443)
        }
    }

    @Test("hosts that are not one of production and one of the sandbox are refused")
    func wrongHosts() throws {
        try withFolder { folder in
            let apple = "api.sandbox.push.apple.com"
            var flags = flags(folder)
            flags["apns-sandbox-port"] = "443"
            #expect(refusal(flags).hasPrefix("--apns-sandbox-port "))
            flags["apns-sandbox-host"] = "api.push.apple.com"
            #expect(refusal(flags).hasPrefix("--apns-sandbox-host "))
            flags["apns-sandbox-host"] = apple
            flags["apns-host"] = apple
            #expect(refusal(flags).hasPrefix("--apns-host "))
        }
    }

    @Test("the settings of the manual start a server")
    func good() throws {
        try withFolder { folder in
            let configuration = try configuration(flags(folder))
            #expect(configuration.settings.adminKey.revealed == goodKey)
            #expect(configuration.settings.millisecondsPerSecond == 1000)
            #expect(configuration.settings.shards.pushEnvironment == .sandbox)
            #expect(configuration.settings.shards.startLimits == .standard)
            #expect(configuration.settings.http.host == "127.0.0.1")
            #expect(configuration.apns.port == 443)
        }
    }

    @Test(
        "PR16: an admin key that others can read is refused",
        arguments: [0o644, 0o640, 0o604, 0o660, 0o601])
    func readableKey(mode: Int) throws {
        try withFolder(mode: mode) { folder in
            let sentence = refusal(flags(folder))
            #expect(sentence.contains("--admin-key-file"))
            #expect(sentence.contains("chmod 600"))
            #expect(!sentence.contains(goodKey))
        }
    }

    @Test("a newline after the admin key is none of it")
    func newline() throws {
        try withFolder(adminKey: goodKey + "\n") { folder in
            let key = try configuration(flags(folder)).settings.adminKey
            #expect(key.revealed == goodKey)
        }
    }

    @Test(
        "a missing setting is named with its flag and its variable",
        arguments: [
            "data", "admin-key-file", "apns-key", "apns-key-id", "apns-team-id", "bundle-id",
        ])
    func missing(name: String) throws {
        try withFolder { folder in
            var flags = flags(folder)
            flags[name] = nil
            let sentence = refusal(flags)
            #expect(sentence.hasPrefix("--\(name) is missing"))
            let variable = "RANGERS_" + name.uppercased().replacing("-", with: "_")
            #expect(sentence.contains(variable))
        }
    }

    @Test(
        "a wrong setting is named with what it must be",
        arguments: [
            ("speed", "0.1"), ("speed", "fast"), ("speed", "100000"), ("speed", "nan"),
            ("speed", "-1"), ("log-level", "loud"), ("log-level", "INFO"), ("apns-port", "0"),
            ("apns-port", "65536"), ("apns-port", "x"), ("listen", "8080"), ("listen", ":8080"),
            ("starts-an-hour", "-1"), ("starts-a-day", "101"), ("starts-a-day", "x"),
            ("adventure-seed", "-1"), ("adventure-seed", "x"),
            ("bundle-id", "com.example.app.push-type.liveactivity"),
            ("share-of-56", "0"), ("share-of-48", "65537"), ("share-of-24", "many"),
            ("unused-account-days", "0"), ("first-heroes", "0"), ("first-heroes", "101"),
            ("limit", "player-requests=10"), ("limit", "everything=1/s"), ("limit", "10/s"),
            ("behind-proxy", "proxy"),
            ("trusted-clients", "10.0.0.0/33"),
            ("admin-key-file", "/nowhere/admin.key"), ("apns-key", "/nowhere/apns.p8"),
        ])
    func wrong(name: String, value: String) throws {
        try withFolder { folder in
            let sentence = refusal(flags(folder).merging([name: value]) { $1 })
            #expect(sentence.hasPrefix("--\(name) is '\(value)', but must be "))
            #expect(sentence.hasSuffix("."))
        }
    }

    @Test(
        "of an option that is repeated, the wrong value is named",
        arguments: [
            ("limit", "player-requests=20/s:1", "adventures"),
            ("trusted-clients", "10.0.0.0/8", "10.0.0.0/33"),
        ])
    func wrongOneOfSeveral(option: String, right: String, wrong: String) throws {
        try withFolder { folder in
            let sentence = refusal(
                flags(folder), followedBy: ["--\(option)", right, "--\(option)", wrong])
            #expect(sentence.hasPrefix("--\(option) is '\(wrong)', but must be "))
        }
    }

    @Test(
        "PR16: an address that others can reach needs a proxy with TLS",
        arguments: ["0.0.0.0:8080", "[::]:8080", "192.0.2.1:80", "[2001:db8::1]:80"],
        ["listen", "admin-listen"])
    func publicAddress(address: String, option: String) throws {
        try withFolder { folder in
            var flags = flags(folder).merging([option: address]) { $1 }
            let sentence = refusal(flags)
            #expect(sentence.hasPrefix("--\(option) is '\(address)', but must be "))
            #expect(sentence.contains("--behind-proxy"))
            flags["behind-proxy"] = "10.0.0.7"
            let proxies = try configuration(flags).settings.http.proxies
            #expect(proxies.count == 1)
        }
    }

    @Test("a loopback address needs no proxy, and game masters have a listener if it is set")
    func listeners() throws {
        try withFolder { folder in
            var flags = flags(folder)
            #expect(try configuration(flags).settings.adminHTTP == nil)
            for address in ["127.0.0.1:81", "127.1.2.3:81", "[::1]:81"] {
                flags["listen"] = address
                flags["admin-listen"] = address
                let settings = try configuration(flags).settings
                #expect(settings.http.port == 81)
                #expect(settings.adminHTTP?.port == 81)
            }
        }
    }

    @Test(
        "PR16: the system's certificates verify Apple's hosts, and no others",
        arguments: [
            ("apns-host", "api.push.apple.com"), ("apns-host", "API.Sandbox.push.apple.com."),
            ("apns-sandbox-host", "api.sandbox.push.apple.com"),
            ("apns-management-host", "api-manage-broadcast.push.apple.com"),
            ("apns-broadcast-host", "api-broadcast.push.apple.com"),
        ])
    func certificates(option: String, host: String) throws {
        try withFolder { folder in
            var flags = flags(folder)
            flags["apns-host"] = "127.0.0.1"
            flags["channels"] = "on"
            flags["apns-ca"] = folder + "/ca.pem"
            #expect(try configuration(flags).apns.trustedCAFile == folder + "/ca.pem")
            flags[option] = host
            let sentence = refusal(flags)
            #expect(sentence.contains("--apns-ca"), "\(sentence)")
            flags["apns-ca"] = nil
            if option != "apns-sandbox-host" { _ = try configuration(flags) }
        }
    }

    @Test(
        "PR16: a data file that others can read is refused, and so is its log",
        arguments: [0o644, 0o640, 0o604], ["", "-wal", "-shm"])
    func readableData(mode: Int, suffix: String) throws {
        try withFolder { folder in
            let file = folder + "/data.db"
            for other in ["", suffix] {
                try Data().write(to: URL(fileURLWithPath: file + other))
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600], ofItemAtPath: file + other)
            }
            _ = try configuration(flags(folder))
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: file + suffix)
            let sentence = refusal(flags(folder))
            #expect(sentence.hasPrefix("--data"))
            #expect(sentence.contains("'chmod 600' on \(file)\(suffix),"))
        }
    }

    @Test("PR16: a database takes the place of the file, and its address has no password")
    func database() throws {
        try withFolder { folder in
            var flags = flags(folder)
            flags["store"] = "postgresql://rangers@db/game"
            #expect(refusal(flags).contains("--store says where the game is kept"))
            flags["data"] = nil
            guard case .database(let address) = try configuration(flags).place else {
                Issue.record("the game is kept in a file")
                return
            }
            #expect(address.description == "postgresql://rangers@db/game")
            flags["store"] = "postgresql://rangers:s3cret@db/game"
            let sentence = refusal(flags)
            #expect(sentence.hasPrefix("--store is a hidden value, but must be a URI without"))
            #expect(!sentence.contains("s3cret"))
            flags["store"] = nil
            #expect(refusal(flags).contains("--data"))
        }
    }

    @Test(
        "connections and streams leave files for all else",
        arguments: [
            (1_048_576, 1000, 5000), (6512, 1000, 5000), (4096, 597, 2987), (1024, 85, 427),
            (64, 16, 16), (0, 16, 0),
        ])
    func files(limit: Int, connections: Int, streams: Int) {
        let fitted = OpenFileLimit.fitted(HTTPServer.Settings(), in: limit)
        #expect(fitted.connectionsMax == connections)
        #expect(fitted.streamsMax == streams)
    }

    @Test("the shares of networks, and what unused accounts have, are settings")
    func shares() throws {
        try withFolder { folder in
            let standard = try configuration(flags(folder)).settings
            let factors = standard.rates.factors
            #expect(factors.ipv6Of56 == 4 && factors.ipv6Of48 == 16 && factors.ipv4Of24 == 16)
            #expect(standard.unusedAccountDays == 30 && standard.firstHeroesMax == 3)
            let flags = flags(folder).merging([
                "share-of-56": "2", "share-of-48": "8", "share-of-24": "32",
                "unused-account-days": "7", "first-heroes": "1",
            ]) { $1 }
            let settings = try configuration(flags).settings
            #expect(settings.rates.factors.ipv6Of56 == 2)
            #expect(settings.rates.factors.ipv6Of48 == 8)
            #expect(settings.rates.factors.ipv4Of24 == 32)
            #expect(settings.unusedAccountDays == 7 && settings.firstHeroesMax == 1)
        }
    }

    @Test("each rate is a setting, and has its standard value without it")
    func rates() throws {
        try withFolder { folder in
            let standard = try configuration(flags(folder)).settings.rates
            #expect(Limit.allCases.allSatisfy { standard[$0] == Rate($0.standard) })
            for limit in Limit.allCases {
                let flags = flags(folder).merging(["limit": "\(limit.name)=7/h:3"]) { $1 }
                let rates = try configuration(flags).settings.rates
                #expect(rates[limit] == Rate("7/h:3"), "\(limit.name)")
                let others = Limit.allCases.count { rates[$0] == Rate($0.standard) }
                #expect(others == Limit.allCases.count - 1)
            }
        }
    }

    @Test("PR16: an APNs key that everybody can read is refused")
    func readableAPNsKey() throws {
        try withFolder { folder in
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: folder + "/apns.p8")
            let sentence = refusal(flags(folder))
            #expect(sentence.contains("--apns-key"))
            #expect(sentence.contains("chmod 600"))
        }
    }

    @Test(
        "a speed is kept in game milliseconds a second",
        arguments: [("0.5", Int64(500)), ("1", 1000), ("60", 60_000), ("10000", 10_000_000)])
    func speeds(text: String, milliseconds: Int64) throws {
        try withFolder { folder in
            let configuration = try configuration(flags(folder).merging(["speed": text]) { $1 })
            #expect(configuration.settings.millisecondsPerSecond == milliseconds)
        }
    }
}
