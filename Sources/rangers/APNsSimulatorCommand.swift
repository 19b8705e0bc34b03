internal import APNsClient
internal import APNsSimulator
internal import Foundation
internal import RangersServer

/// `rangers apns-simulator`: Apple's side alone, with a line of JSON for each push.
enum APNsSimulatorCommand {
    static let command = Command(
        "apns-simulator", "Play Apple's side on this machine", run: run)

    private static let options = Options(
        command: "rangers apns-simulator",
        summary: """
            Plays Apple's side over HTTP/2 and TLS with a CA and a provider key of its own, and \
            prints one line of JSON for each push. Never reachable by real devices.
            """,
        [
            Option(
                "listen", "HOST:PORT", "Where to be APNs; port 0 picks a free one",
                default: "127.0.0.1:8443", variable: "RANGERS_SIMULATOR_LISTEN"),
            Option(
                "data", "DIR", "Where CA and keys are kept, and made the first time",
                default: "./apns-simulator", variable: "RANGERS_SIMULATOR_DATA"),
            Option(
                "bundle-id", "ID", "The app that may be pushed to",
                default: "com.example.apple-samplecode.Emoji-Rangers"),
            Option(
                "apns-key-id", "ID", "The provider key's id",
                default: SimulatorCredentials.keyIDDefault),
            Option(
                "apns-team-id", "ID", "The team's id", default: SimulatorCredentials.teamIDDefault),
            Option("environment", "sandbox|production", "Which APNs to be", default: "sandbox"),
            .toggle("strict-tokens", "Refuse device tokens that were not named by --token"),
            Option(
                "token", "HEX", "A device token that exists", kind: .list, visibility: .secret),
            Option("token-file", "FILE", "More of them, one a line"),
            Option(
                "first-streams", "NUMBER",
                "Streams of a connection until its first good push; Apple allows 1",
                default: "1"),
            .toggle("quiet", "Print no line a push: for measuring"),
        ])

    private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let setup = try SimulatorSetup(values)
            let stop = StopSignals()
            do {
                let (simulator, credentials) = try setup.start()
                Terminal.complain(setup.greeting(simulator, credentials))
                await stop.wait()
                await simulator.stop(graceMilliseconds: 2_000)
                Terminal.complain(farewell(simulator.counters))
                return 0
            } catch {
                Terminal.complain("rangers apns-simulator: \(error)")
                return 1
            }
        }
    }

    private static func farewell(_ counters: Counters) -> String {
        let refused = counters.refused.sorted { $0.key < $1.key }
            .map { "\($0.key) \($0.value)" }
        return """
            requests \(counters.requests), accepted \(counters.accepted), \
            with warnings \(counters.warned), repeated apns-ids \(counters.doubledIDs), \
            refused: \(refused.isEmpty ? "none" : refused.joined(separator: ", "))
            """
    }
}

/// What the flags of `rangers apns-simulator` ask for.
private struct SimulatorSetup {
    private let host: String
    private let port: UInt16
    private let directory: String
    private let bundleID: String
    private let keyID: String
    private let teamID: String
    private let environment: APNsEnvironment
    private let policy: TokenRegistry.Policy
    private let tokens: [String]
    private let firstStreams: UInt32
    private let output: Output

    private enum Output: Hashable {
        case lines, nothing
    }

    init(_ values: OptionValues) throws(OptionsError) {
        (host, port) = try values.address("listen")
        directory = try values.required("data")
        bundleID = try values.required("bundle-id")
        guard !bundleID.contains(".push-type.") else {
            throw values.invalid("bundle-id", expected: "the app's bundle id without a suffix")
        }
        keyID = try Self.identifier("apns-key-id", values)
        teamID = try Self.identifier("apns-team-id", values)
        environment = try values.choice("environment", of: APNsEnvironment.self) ?? .sandbox
        tokens = try Self.tokens(values)
        firstStreams = UInt32(try values.integer("first-streams", in: 1...1_000) ?? 1)
        output = values.isOn("quiet") ? .nothing : .lines
        policy = values.isOn("strict-tokens") ? .registeredOnly : .any
        guard policy == .any || !tokens.isEmpty else {
            throw .missing(
                flag: "--token", variable: "RANGERS_TOKEN",
                purpose: "with --strict-tokens no other device token is accepted")
        }
    }

    /// It becomes part of a file's name.
    private static func identifier(
        _ name: String, _ values: OptionValues
    ) throws(OptionsError) -> String {
        let text = try values.required(name)
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                true
            default: false
            }
        }
        guard text.utf8.count == 10, isPlain else {
            throw values.invalid(name, expected: "ten capital letters and digits")
        }
        return text
    }

    private static func tokens(_ values: OptionValues) throws(OptionsError) -> [String] {
        var tokens = values.texts("token")
        if let file = values.text("token-file") {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                throw values.invalid("token-file", expected: "a file that can be read")
            }
            tokens += text.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        guard tokens.allSatisfy({ DeviceToken(hex: $0).isWellFormed }) else {
            throw values.invalid("token", expected: "hex, as the app reports it")
        }
        return tokens
    }

    func start() throws -> (APNsSimulator, SimulatorCredentials) {
        let isWildcard = ["0.0.0.0", "::"].contains(host)
        let credentials = try SimulatorCredentials(
            directory: directory, keyID: keyID, teamID: teamID,
            hosts: isWildcard ? [] : [host], now: Int64(Date().timeIntervalSince1970))
        var settings = credentials.settings(bundleID: bundleID)
        settings.host = host
        settings.port = port
        settings.environment = environment
        settings.tokenPolicy = policy
        settings.firstStreamsMax = firstStreams
        let printing: @Sendable (PushRecord) -> Void = { record in
            Terminal.print(String(decoding: record.json, as: UTF8.self) + "\n")
        }
        let simulator = try APNsSimulator(
            settings, now: { Int64(Date().timeIntervalSince1970 * 1_000) },
            onRecord: output == .lines ? printing : nil)
        for token in tokens { simulator.register(token) }
        return (simulator, credentials)
    }

    // MARK: Greeting

    func greeting(_ simulator: APNsSimulator, _ credentials: SimulatorCredentials) -> String {
        """
        APNs simulator (\(environment.rawValue)) for \(bundleID)
          address        https://\(urlHost):\(simulator.port)
          CA to trust    \(credentials.caFile)
          provider key   \(credentials.providerKeyFile)
          key id         \(keyID)
          team id        \(teamID)
          device tokens  \(policy == .any ? "any" : "\(tokens.count) named ones only")

        Try it:

        \(curlCommand(simulator, credentials))

        Ctrl-C stops it.
        """
    }

    /// The curl command of Apple's talk, ready to paste.
    private func curlCommand(
        _ simulator: APNsSimulator, _ credentials: SimulatorCredentials
    ) -> String {
        let rangers = CurlTwin.quoted(CommandLine.arguments.first ?? "rangers")
        let key = CurlTwin.quoted(credentials.providerKeyFile)
        let token = policy == .any ? String(repeating: "ab12", count: 16) : "$ACTIVITY_PUSH_TOKEN"
        return #"""
            AUTHENTICATION_TOKEN=$(\#(rangers) push --print-provider-token \
              --apns-key \#(key) --apns-key-id \#(keyID) --apns-team-id \#(teamID))
            curl --cacert \#(CurlTwin.quoted(credentials.caFile)) \
              --header "apns-topic: \#(bundleID).push-type.liveactivity" \
              --header "apns-push-type: liveactivity" \
              --header "apns-priority: 10" \
              --header "authorization: bearer $AUTHENTICATION_TOKEN" \
              --data '{
                "aps": {
                  "timestamp": '$(date +%s)',
                  "event": "update",
                  "content-state": {
                    "currentHealthLevel": 0.941,
                    "eventDescription": "Power Panda found a sword!"
                  }
                }
              }' \
              --include --http2 https://\#(urlHost):\#(simulator.port)/3/device/\#(token)
            """#
    }

    /// What a client on this machine types for the host.
    private var urlHost: String {
        switch host {
        case "0.0.0.0", "::": "localhost"
        default: host.contains(":") ? "[\(host)]" : host
        }
    }
}
