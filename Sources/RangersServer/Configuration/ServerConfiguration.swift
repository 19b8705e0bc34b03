internal import APNsClient
internal import Content
internal import HTTPServer
package import OptionParsing
package import PartyStore
internal import PushPolicy
internal import Secrets

/// The settings of `rangers serve`, read and checked. A missing or wrong one stops the start with a
/// message that says what to do.
package struct ServerConfiguration: Sendable {
    /// The speeds of adventures; slower ones would outlive their activities (N1).
    package static let speeds = 0.5...10_000.0

    /// More would make the guard useless: a device accepts about ten.
    static let startsAllowed: ClosedRange<Int64> = 0...100

    /// Where the game is kept.
    let place: GamePlace
    /// Whether a server that was removed from the others may join them again.
    package var isShared: Bool { settings.node != nil }
    /// What to do with a damaged write-ahead log.
    package let loss: LossPolicy
    /// The size of the file that is freed when the disk is full.
    package let ballastBytes: Int64
    package let logLevel: Log.Level
    /// Whether the end of standard input stops the server.
    package let stopsWithInput: Bool
    let settings: Server.Settings
    let apns: APNsClient.Configuration
    /// The host of the sandbox; `nil`: `apns` is the only host.
    let sandbox: APNsClient.Configuration?
    /// `nil`: the server has no channels.
    let channels: BroadcastHosts?
    let adventureSeed: UInt64?

    package static let options = Options(
        command: "rangers serve", summary: "Runs the server.",
        [
            Option(
                "listen", "HOST:PORT", "The address where clients reach the API",
                default: "127.0.0.1:8080"),
            Option(
                "admin-listen", "HOST:PORT",
                "A separate address for game masters and metrics, instead of --listen"),
            Option(
                "public-url", "URL",
                "Where browsers find the console, as in https://game.example/rangers; without it "
                    + "they use this machine's loopback address"),
            Option("data", "FILE", "The SQLite data file"),
            Option(
                "store", "URI",
                "A PostgreSQL database instead of --data, as in postgresql://rangers@db/rangers; "
                    + "the password comes from PGPASSFILE or PGPASSWORD",
                visibility: .secret),
            Option(
                "admin-key-file", "FILE",
                "The file with the owner's key, \(KeyFile.lengthMin) characters or more; "
                    + "readable by the server's user only (mode 0600)"),
            Option("apns-host", "HOST", "The APNs host", default: "api.sandbox.push.apple.com"),
            Option("apns-port", "PORT", "Its port; Apple's alternative is 2197", default: "443"),
            Option(
                "apns-sandbox-host", "HOST",
                "The host for sandbox activities, if --apns-host is for production"),
            Option(
                "apns-sandbox-port", "PORT", "Its port; by default that of --apns-host"),
            Option(
                "apns-connections", "NUMBER",
                "Connections that share the pushes, 1 to 256; more for more throughput",
                default: "2"),
        ] + APNsOptions.provider + [
            Option(
                "apns-key-next", "FILE.p8",
                "The team's second key, used when APNs refuses the first"),
            Option("apns-key-next-id", "ID", "The second key's ID, ten characters"),
            APNsOptions.bundleID,
            Option(
                "starts-an-hour", "NUMBER",
                "The maximum of Live Activities started by push on a device in an hour; 0: none",
                default: "3"),
            Option(
                "starts-a-day", "NUMBER",
                "The same limit for a day", default: "8"),
        ] + ChannelOptions.all + [
            Option(
                "shard-loops", "NUMBER",
                "Loops that share the parties, 1 to 64; one per spare core",
                default: "1"),
            Option(
                "journal-days", "NUMBER",
                "Days to keep individual events, commands and decisions, 1 to 3650",
                default: "30"),
            Option(
                "blocked-names", "FILE",
                "Names forbidden for new heroes, one per line; *part* forbids names containing it"),
            Option(
                "audit-days", "NUMBER", "Days to keep the calls of game masters, 1 to 3650",
                default: "180"),
            Option(
                "unused-account-days", "NUMBER",
                "Days to keep an account that was never in a party, 1 to 3650", default: "30"),
            Option(
                "first-heroes", "NUMBER",
                "The maximum of a player's heroes before the first adventure, 1 to 100",
                default: "3"),
            Option(
                "adventures", "FOLDER",
                "A folder of adventure packs to publish at startup, besides the built-in ones"),
            Option(
                "usual-adventure", "PACK", "The pack that an adventure plays if it names none",
                default: Server.Settings.standardPack),
            Option(
                "browser-phones", "on|off",
                "Browser phones at /play/: pages that receive pushes as phones do, for demos",
                default: "off"),
            Option("speed", "FACTOR", "How fast the adventures' clock runs", default: "1"),
            Option(
                "adventure-seed", "NUMBER",
                "A seed that makes adventures repeatable, for demos"),
            Option(
                "ballast-mib", "NUMBER",
                "MiB reserved, and freed when the disk is full, 0 to 65536; 0: none",
                default: "64"),
            .toggle(
                "accept-loss",
                "Start even if changes in a damaged write-ahead log are lost; for one start"),
            Option("log-level", "LEVEL", "debug, info, warning or error", default: "info"),
            .toggle(
                "stop-with-input",
                "Stop when standard input closes, for programs that run the server as a child"),
        ] + LimitOptions.all + NodeOptions.all)

    /// The options without a default.
    private static let needed = [
        "admin-key-file", "apns-key", "apns-key-id", "apns-team-id", "bundle-id",
    ]

    package init(_ values: OptionValues) throws(OptionsError) {
        let isInDatabase = try PlaceOptions.isDatabase(values)
        try values.requireAll((isInDatabase ? [] : ["data"]) + Self.needed)
        place = try isInDatabase ? PlaceOptions.place(values) : .file(PrivateFile.data(values))
        loss = values.isOn("accept-loss") ? .accepted : .refused
        ballastBytes = try values.integer("ballast-mib", in: 0...65_536).map { $0 << 20 } ?? 0
        let level = Log.Level.allCases.first { $0.name == values.text("log-level") }
        guard let level else {
            throw values.invalid("log-level", expected: "debug, info, warning or error")
        }
        logLevel = level
        stopsWithInput = values.isOn("stop-with-input")
        apns = try Self.readAPNs(values)
        sandbox = try Self.readSandbox(values, beside: apns)
        channels = try ChannelOptions(values).hosts(besides: apns)
        var settings = try Self.readSettings(values)
        settings.shards.pushEnvironment =
            sandbox == nil ? PushEnvironment(apnsHost: apns.host) : nil
        settings.channelEnvironment =
            sandbox == nil ? settings.shards.pushEnvironment ?? .sandbox : .production
        self.settings = settings
        let seeds: ClosedRange<Int64> = 0...Int64.max
        adventureSeed = try values.integer("adventure-seed", in: seeds).map { UInt64($0) }
    }

    private static func readSettings(
        _ values: OptionValues
    ) throws(OptionsError) -> Server.Settings {
        let key: KeyFile
        do {
            key = try KeyFile(file: try values.required("admin-key-file"))
        } catch let error as KeyFile.Unusable {
            throw values.invalid("admin-key-file", expected: error.expected)
        } catch let error as OptionsError {
            throw error
        } catch {
            throw values.invalid("admin-key-file", expected: "a readable file")
        }
        var settings = Server.Settings(
            adminKey: key.secret, bundleID: try APNsOptions(values).bundleID())
        let listeners = ListenOptions(values)
        settings.http = try listeners.http(at: "listen")
        settings.adminHTTP =
            values.text("admin-listen") == nil ? nil : try listeners.http(at: "admin-listen")
        settings.publicURL = try listeners.publicURL()
        settings.rates = try LimitOptions(values).rates()
        settings.node = try NodeOptions(values).place()
        let speed = try values.number("speed", in: speeds) ?? 1
        settings.millisecondsPerSecond = Int64((speed * 1000).rounded())
        settings.shards.startLimits = PushToStartGuard.Limits(
            anHour: Int(try values.integer("starts-an-hour", in: startsAllowed) ?? 0),
            aDay: Int(try values.integer("starts-a-day", in: startsAllowed) ?? 0))
        settings.orphanChannels = ChannelOptions(values).orphans
        settings.shards.loops = Int(try values.integer("shard-loops", in: 1...64) ?? 1)
        settings.blockedNamesFile = try Self.blockedNames(values)
        settings.packs += try Self.packs(values)
        settings.pagesMax =
            try values.choice("browser-phones", of: Switch.self) == .on ? PageStreams.pagesMax : 0
        settings.usualPack = values.text("usual-adventure") ?? Server.Settings.standardPack
        settings.journalDays = Int(try values.integer("journal-days", in: 1...3650) ?? 30)
        settings.auditDays = Int(try values.integer("audit-days", in: 1...3650) ?? 180)
        settings.unusedAccountDays = Int(
            try values.integer("unused-account-days", in: 1...3650) ?? 30)
        settings.firstHeroesMax = Int(
            try values.integer("first-heroes", in: 1...Int64(CreateHero.heroesMax)) ?? 3)
        return settings
    }

    private static func packs(_ values: OptionValues) throws(OptionsError) -> [PackDocument] {
        guard let folder = values.text("adventures") else { return [] }
        do throws(PackFolder.Fault) {
            return try PackFolder.read(folder)
        } catch {
            throw values.invalid("adventures", expected: error.description)
        }
    }

    /// Returns the file of the list, if there is one that can be used.
    private static func blockedNames(_ values: OptionValues) throws(OptionsError) -> String? {
        guard let path = values.text("blocked-names") else { return nil }
        do throws(NameListFault) {
            _ = try NameList.read(path)
        } catch {
            throw values.invalid("blocked-names", expected: "a list of names: \(error)")
        }
        return path
    }

    /// Returns channels at these hosts that share the pushes' provider tokens, because Apple counts
    /// them together.
    func channelService(
        at hosts: BroadcastHosts, _ sender: APNsClient
    ) throws -> BroadcastChannels {
        var shared = apns
        shared.identity = .shared(sender.providerTokens)
        return try BroadcastChannels(bundleID: settings.bundleID, hosts: hosts, shared)
    }

    /// Returns a sender to the sandbox that shares the provider tokens of production, because Apple
    /// counts new ones of a key together; `nil`: there is one host.
    func sandboxSender(_ main: APNsClient) throws(APNsConfigurationError) -> APNsClient? {
        guard var sandbox else { return nil }
        sandbox.identity = .shared(main.providerTokens)
        return try APNsClient(sandbox)
    }

    /// Returns the host of the sandbox, if there is one beside that of production.
    private static func readSandbox(
        _ values: OptionValues, beside apns: APNsClient.Configuration
    ) throws(OptionsError) -> APNsClient.Configuration? {
        guard let host = values.text("apns-sandbox-host"), !host.isEmpty else {
            guard values.text("apns-sandbox-port") == nil else {
                throw values.invalid(
                    "apns-sandbox-port", expected: "given with --apns-sandbox-host")
            }
            return nil
        }
        guard PushEnvironment(apnsHost: host) != .production else {
            throw values.invalid("apns-sandbox-host", expected: "the host of Apple's sandbox")
        }
        guard PushEnvironment(apnsHost: apns.host) != .sandbox else {
            throw values.invalid(
                "apns-host", expected: "the production host, with --apns-sandbox-host")
        }
        var sandbox = apns
        sandbox.host = host
        sandbox.trustedCAFile = try APNsOptions(values).trustedCA(for: host)
        if let port = try values.integer("apns-sandbox-port", in: 1...65_535) {
            sandbox.port = UInt16(port)
        }
        return sandbox
    }

    private static func readAPNs(
        _ values: OptionValues
    ) throws(OptionsError) -> APNsClient.Configuration {
        let options = APNsOptions(values)
        var keys = [try options.providerKey()]
        if values.text("apns-key-next") != nil || values.text("apns-key-next-id") != nil {
            keys.append(try options.providerKey(file: "apns-key-next", id: "apns-key-next-id"))
        }
        var apns = APNsClient.Configuration(
            host: try values.required("apns-host"), identity: .keys(keys))
        apns.port = UInt16(try values.integer("apns-port", in: 1...65_535) ?? 443)
        apns.connections = Int(try values.integer("apns-connections", in: 1...256) ?? 2)
        apns.proxy = try options.proxy()
        apns.trustedCAFile = try options.trustedCA(for: apns.host)
        return apns
    }
}

extension PushEnvironment {
    /// Returns the environment of one of Apple's hosts; `nil` for any other (a simulator takes
    /// both).
    init?(apnsHost: String) {
        switch apnsHost {
        case "api.push.apple.com": self = .production
        case "api.sandbox.push.apple.com", "api.development.push.apple.com": self = .sandbox
        default: return nil
        }
    }
}
