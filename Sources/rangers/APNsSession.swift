internal import APNsClient
internal import FoundationEssentials
internal import OptionParsing
internal import RangersServer

/// The APNs host and the credentials of `rangers push` and `rangers channels`.
struct APNsSession {
    private let address: BroadcastHosts.Address
    private let caFile: String?
    private let proxy: APNsProxy?
    private let secrets: CurlCommand.Secrets
    /// `nil` when no key was given, which suffices to show a request.
    private let key: ProviderTokens.Key?

    /// One of Apple's hosts, each with its own options.
    enum Place: String {
        case pushes = "apns"
        case management = "apns-management"
    }

    init(_ values: OptionValues, _ place: Place) throws(OptionsError) {
        address = BroadcastHosts.Address(
            host: try values.required("\(place.rawValue)-host"),
            port: UInt16(try values.integer("\(place.rawValue)-port", in: 1...65_535) ?? 443))
        caFile = try APNsOptions(values).trustedCA(for: address.host)
        proxy = try APNsOptions(values).proxy()
        secrets = values.isOn("show-secrets") ? .shown : .asVariables
        let needsKey = !values.isOn("dry-run")
        guard needsKey || values.text("apns-key") != nil else {
            key = nil
            return
        }
        key = try APNsOptions(values).providerKey()
    }

    /// Returns a token signed just now.
    func providerToken() throws -> ProviderToken {
        let key = try usableKey()
        return try ProviderToken(
            keyID: key.id, teamID: key.teamID, issuedAt: Int64(Date().timeIntervalSince1970),
            key: ES256PrivateKey(key.pem))
    }

    /// Returns the request as sent over the wire, and the curl command that sends it.
    func show(_ parts: RequestParts) throws -> String {
        let token = key == nil ? nil : try providerToken()
        let curl = CurlCommand(host: address.host, port: address.port, trustedCAFile: caFile)
        let text = RequestText(curl).text(of: parts, token, secrets)
        return "\(text)\n\n\(curl.command(for: parts, token, secrets))"
    }

    // MARK: Sending, over connections of its own

    /// Sends a push.
    func send(_ request: PushRequest) async throws -> CommandResult {
        let client = try APNsClient(configuration())
        let outcome = await client.send(request)
        await client.shutdown(graceMilliseconds: Self.graceMilliseconds)
        return result(outcome, naming: "apns-id \(request.id)")
    }

    /// Publishes a broadcast; at Apple's second host if the first does not support broadcasts.
    func publish(_ request: BroadcastRequest) async throws -> CommandResult {
        let channels = try channels(bundleID: request.bundleID)
        let outcome = await channels.publish(request)
        await channels.shutdown(graceMilliseconds: Self.graceMilliseconds)
        return result(outcome, naming: "apns-request-id \(request.id)")
    }

    /// Carries out an operation on channels.
    func carryOut(_ order: ChannelOrder) async throws -> CommandResult {
        let channels = try channels(bundleID: order.bundleID)
        let result: CommandResult
        switch order.operation {
        case .create(let policy):
            result = self.result(await channels.create(policy)) { $0.id.base64 }
        case .read(let id):
            result = self.result(await channels.read(id)) { "policy \($0.policy.rawValue)" }
        case .delete(let id):
            result = self.result(await channels.delete(id)) { "\($0) is deleted" }
        case .list:
            result = self.result(await channels.list()) { list in
                list.listed.sorted().map(\.base64).joined(separator: "\n")
            }
        }
        await channels.shutdown(graceMilliseconds: Self.graceMilliseconds)
        return result
    }

    private func channels(bundleID: String) throws -> BroadcastChannels {
        var hosts = BroadcastHosts(management: address, publishing: address)
        for apple in [BroadcastHosts.sandbox, .production] where apple.publishing == address {
            hosts.alternative = apple.alternative
        }
        return try BroadcastChannels(bundleID: bundleID, hosts: hosts, configuration())
    }

    private func configuration() throws -> APNsClient.Configuration {
        var configuration = APNsClient.Configuration(
            host: address.host, identity: .keys([try usableKey()]))
        configuration.port = address.port
        configuration.trustedCAFile = caFile
        configuration.proxy = proxy
        configuration.connections = 1
        configuration.queueWaitMilliseconds = Self.patienceMilliseconds
        return configuration
    }

    private func usableKey() throws(APNsConfigurationError) -> ProviderTokens.Key {
        guard let key else { throw .unusable("there is no --apns-key") }
        return key
    }

    // MARK: Reporting

    private func result(_ outcome: APNsClient.Outcome, naming id: String) -> CommandResult {
        switch outcome {
        case .accepted(let uniqueID):
            let unique = uniqueID.map { "; apns-unique-id \($0)" } ?? ""
            return .done("200 accepted; \(id)\(unique)")
        case .refused(let refusal): return .failed("\(describe(refusal)); \(id)")
        case .notSent(let why), .heldBack(let why, _):
            return .failed("not sent: \(why); \(id)")
        case .unknown(let why): return .failed("sent, but APNs did not respond: \(why); \(id)")
        }
    }

    private func result<Value>(
        _ outcome: ChannelOutcome<Value>, _ words: (Value) -> String
    ) -> CommandResult {
        switch outcome {
        case .done(let value): .done(words(value))
        case .refused(let refusal): .failed(describe(refusal))
        case .notSent(let why), .heldBack(let why, _): .failed("not sent: \(why)")
        case .unknown(let why): .failed("sent, but APNs did not respond: \(why)")
        }
    }

    private func describe(_ refusal: APNsClient.Refusal) -> String {
        let since = refusal.timestamp.map { " since \($0) ms" } ?? ""
        return "\(refusal.status) \(refusal.reason)\(since)"
    }

    private static let graceMilliseconds = 1_000
    /// How long a request waits for a connection: an operator waits at the terminal.
    private static let patienceMilliseconds = 5_000
}
