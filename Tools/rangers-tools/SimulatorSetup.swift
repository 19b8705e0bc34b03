internal import APNsClient
internal import APNsSimulator
internal import Foundation
internal import OptionParsing
internal import RangersServer

/// The settings from the flags of `rangers-tools apns-simulator`.
struct SimulatorSetup {
    private let host: String
    private let port: UInt16
    private let management: Address?
    private let control: Address?
    private let directory: String
    private let bundleID: String
    private let keyID: String
    private let teamID: String
    private let environment: APNsEnvironment
    private let policy: TokenRegistry.Policy
    private let tokens: [String]
    private let firstStreams: UInt32
    private let output: Output
    private let mode: APNsSimulator.Mode

    private enum Output: Hashable {
        case lines, nothing
    }

    private typealias Address = (host: String, port: UInt16)

    init(_ values: OptionValues) throws(OptionsError) {
        (host, port) = try values.address("listen")
        management = try Self.address("management-listen", values)
        control = try Self.address("control-listen", values)
        directory = try values.required("data")
        bundleID = try APNsOptions(values).bundleID()
        keyID = try Self.identifier("apns-key-id", values)
        teamID = try Self.identifier("apns-team-id", values)
        environment = try values.choice("environment", of: APNsEnvironment.self) ?? .sandbox
        tokens = try Self.tokens(values)
        firstStreams = UInt32(try values.integer("first-streams", in: 1...1_000) ?? 1)
        output = values.isOn("quiet") ? .nothing : .lines
        mode = values.isOn("trusting") ? .trusting : .checking
        policy = values.isOn("strict-tokens") ? .registeredOnly : .any
        guard policy == .any || !tokens.isEmpty else {
            throw .missing(
                flag: "--token", variable: "RANGERS_TOKEN",
                purpose: "with --strict-tokens no other device token is accepted")
        }
    }

    /// Returns an address; `nil` when the flag was not given.
    private static func address(
        _ name: String, _ values: OptionValues
    ) throws(OptionsError) -> Address? {
        values.text(name) == nil ? nil : try values.address(name)
    }

    /// Returns an id that is safe as part of a file's name.
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

    func start() throws -> RunningSimulator {
        let hosts = [host, management?.host ?? host].filter { !["0.0.0.0", "::"].contains($0) }
        let credentials = try SimulatorCredentials(
            directory: directory, keyID: keyID, teamID: teamID, hosts: hosts,
            now: Int64(Date().timeIntervalSince1970))
        let recent = output == .lines ? RecentRecords() : nil
        let simulator = try simulator(credentials, recent)
        for token in tokens { simulator.register(token) }
        let interface = try control.map { address in
            try SimulatorControl(
                of: simulator, recent: recent, host: address.host, port: address.port)
        }
        return RunningSimulator(
            simulator: simulator, control: interface, credentials: credentials)
    }

    private func simulator(
        _ credentials: SimulatorCredentials, _ recent: RecentRecords?
    ) throws -> APNsSimulator {
        var settings = credentials.settings(
            bundleID: bundleID, schema: .adventure)
        settings.host = host
        settings.port = port
        settings.managementHost = management?.host
        settings.managementPort = management?.port
        settings.environment = environment
        settings.tokenPolicy = policy
        settings.firstStreamsMax = firstStreams
        settings.mode = mode
        return try APNsSimulator(
            settings, now: { Int64(Date().timeIntervalSince1970 * 1_000) },
            onRecord: recent.map(Self.listener))
    }

    private static func listener(_ recent: RecentRecords) -> @Sendable (PushRecord) -> Void {
        { record in
            recent.append(record)
            Terminal.print(String(decoding: record.json, as: UTF8.self) + "\n")
        }
    }

    // MARK: Greeting

    func greeting(_ running: RunningSimulator) -> String {
        let (simulator, credentials) = (running.simulator, running.credentials)
        return """
            APNs simulator (\(environment.rawValue)) for \(bundleID)
              address        \(url("https", host, simulator.port))
              channels       \(url("https", management?.host ?? host, simulator.managementPort))
              control        \(controlURL(running.control))
              CA to trust    \(credentials.caFile)
              provider key   \(credentials.providerKeyFile)
              key id         \(keyID)
              team id        \(teamID)
              device tokens  \(policy == .any ? "any" : "\(tokens.count) named ones only")
              pushes         \(mode == .checking ? "checked" : "accepted without any check")

            Try it:

            \(curlCommand(simulator, credentials))

            Ctrl-C stops it.
            """
    }

    /// Returns the curl command from Apple's talk, ready to paste.
    private func curlCommand(
        _ simulator: APNsSimulator, _ credentials: SimulatorCredentials
    ) -> String {
        let rangers = CurlCommand.quoted(Executables.rangers)
        let key = CurlCommand.quoted(credentials.providerKeyFile)
        let token = policy == .any ? String(repeating: "ab12", count: 16) : "$ACTIVITY_PUSH_TOKEN"
        return #"""
            AUTHENTICATION_TOKEN=$(\#(rangers) push --print-provider-token \
              --apns-key \#(key) --apns-key-id \#(keyID) --apns-team-id \#(teamID))
            curl --cacert \#(CurlCommand.quoted(credentials.caFile)) \
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
              --include --http2 \#(url("https", host, simulator.port))/3/device/\#(token)
            """#
    }

    private func controlURL(_ control: SimulatorControl?) -> String {
        guard let control, let address = self.control else { return "off: --control-listen" }
        return url("http", address.host, control.port)
    }

    /// Returns the URL for a client on this machine.
    private func url(_ scheme: String, _ host: String, _ port: UInt16) -> String {
        let name =
            switch host {
            case "0.0.0.0", "::": "localhost"
            default: host.contains(":") ? "[\(host)]" : host
            }
        return "\(scheme)://\(name):\(port)"
    }
}

/// A running simulator.
struct RunningSimulator {
    let simulator: APNsSimulator
    let control: SimulatorControl?
    let credentials: SimulatorCredentials

    func stop() async {
        await control?.stop(graceSeconds: 1)
        await simulator.stop(graceMilliseconds: 2_000)
    }
}
