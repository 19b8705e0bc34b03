internal import HTTP2
internal import Isolation

/// An app's broadcast channels (iOS 18): creates, reads, lists and deletes them on the management
/// host, and publishes to them.
///
/// Share one `ProviderTokens` with the team's `APNsClient`, because Apple counts tokens per team.
///
/// ```swift
/// let channels = try BroadcastChannels(
///     bundleID: "com.example.apple-samplecode.Emoji-Rangers", hosts: .sandbox,
///     APNsClient.Configuration(host: "api.sandbox.push.apple.com", identity: .shared(tokens)))
/// if case .done(let channel) = await channels.create(.mostRecent) {
///     let request = try BroadcastRequest(
///         .update(at: now, state: boss), on: channel, bundleID: channels.bundleID,
///         priority: .high)
///     print(await channels.publish(request))
///     _ = await channels.delete(channel.id)
/// }
/// ```
public final class BroadcastChannels: Sendable {
    /// The app's bundle id, without a suffix.
    public let bundleID: String
    private let management: RequestSender
    private let publishing: RequestSender
    private let alternative: RequestSender?
    private let route: Locked<BroadcastRoute>
    private let endings = Locked<[Host: [Ending: Int]]>([:])

    /// Creates channels on the machine's clocks. Connects on the first request.
    ///
    /// - Parameters:
    ///   - bundleID: The app's bundle id, without a suffix.
    ///   - hosts: Apple's hosts, or a simulator's.
    ///   - configuration: The credentials and settings. Its host, port and number of connections
    ///     are ignored: each host gets one connection.
    /// - Throws: When a setting cannot work, with what to do about it.
    public convenience init(
        bundleID: String, hosts: BroadcastHosts, _ configuration: APNsClient.Configuration
    ) throws(APNsConfigurationError) {
        try self.init(
            bundleID: bundleID, hosts: hosts, configuration, dependencies: .system
        ) { settings throws(APNsConfigurationError) in try ConnectionPool(settings) }
    }

    /// Creates channels on a given clock, in milliseconds since 1970, which serves as the wall
    /// clock and the steady clock.
    public convenience init(
        bundleID: String, hosts: BroadcastHosts, _ configuration: APNsClient.Configuration,
        now: @escaping @Sendable () -> Int64
    ) throws(APNsConfigurationError) {
        var dependencies = APNsClient.Dependencies.system
        dependencies.wall = now
        dependencies.steady = now
        try self.init(
            bundleID: bundleID, hosts: hosts, configuration, dependencies: dependencies
        ) { settings throws(APNsConfigurationError) in try ConnectionPool(settings) }
    }

    package init(
        bundleID: String, hosts: BroadcastHosts, _ configuration: APNsClient.Configuration,
        dependencies: APNsClient.Dependencies,
        transport:
            @escaping (ConnectionPool.Settings) throws(APNsConfigurationError) -> any PushTransport
    ) throws(APNsConfigurationError) {
        guard BundleID.isWellFormed(bundleID) else {
            throw .unusable("\(BroadcastError.badBundleID(bundleID))")
        }
        let tokens = try configuration.identity.tokens()
        func sender(
            to address: BroadcastHosts.Address
        ) throws(APNsConfigurationError) -> RequestSender {
            var configuration = configuration
            configuration.host = address.host
            configuration.port = address.port
            configuration.connections = 1
            try configuration.validate()
            return RequestSender(
                transport: try transport(ConnectionPool.Settings(configuration)), tokens: tokens,
                dependencies: dependencies)
        }
        self.bundleID = bundleID
        management = try sender(to: hosts.management)
        publishing = try sender(to: hosts.publishing)
        alternative = try hosts.alternative.map(sender)
        route = Locked(BroadcastRoute(hosts))
    }

    // MARK: Managing

    /// Creates a channel with a permanent policy.
    public func create(_ policy: ChannelPolicy) async -> ChannelOutcome<BroadcastChannel> {
        await order(.create(policy)) { response in
            ChannelResponse.created(response).map { BroadcastChannel(id: $0, policy: policy) }
        }
    }

    /// Reads a channel's policy. APNs refuses a deleted channel with `ChannelNotRegistered`.
    public func read(_ id: ChannelID) async -> ChannelOutcome<BroadcastChannel> {
        await order(.read(id)) { response in
            ChannelResponse.policy(response).map { BroadcastChannel(id: id, policy: $0) }
        }
    }

    /// Deletes a channel permanently.
    public func delete(_ id: ChannelID) async -> ChannelOutcome<ChannelID> {
        await order(.delete(id)) { _ in id }
    }

    /// Lists the app's channels, to find the unknown ones.
    public func list() async -> ChannelOutcome<ChannelList> {
        await order(.list) { response in
            ChannelResponse.list(response).map { ChannelList(listed: $0) }
        }
    }

    /// Stops accepting requests, waits up to the grace period for those in flight, and closes.
    public func shutdown(graceMilliseconds: Int) async {
        // In parallel: the grace period covers all hosts.
        async let managing: Void = management.shutdown(graceMilliseconds: graceMilliseconds)
        async let publishing: Void = publishing.shutdown(graceMilliseconds: graceMilliseconds)
        async let trying: Void? = alternative?.shutdown(graceMilliseconds: graceMilliseconds)
        _ = await (managing, publishing, trying)
    }

    private func order<Value>(
        _ operation: ChannelOrder.Operation, reading value: (HTTP2Response) -> Value?
    ) async -> ChannelOutcome<Value> {
        let order = ChannelOrder(operation, bundleID: bundleID)
        if let refusal = order.problem { return .refused(refusal) }
        switch await result(of: order, at: .management) {
        case .success(let response):
            guard let value = value(response) else {
                return .unknown(
                    "APNs responded with \(response.status) without the documented content")
            }
            return .done(value)
        case .failure(.refused(let refusal)): return .refused(refusal)
        case .failure(.notSent(let why)), .failure(.notTaken(let why)): return .notSent(why)
        case .failure(.heldBack(let why, let wait)):
            return .heldBack(why, retryAfterMilliseconds: wait)
        case .failure(.unknown(let why)): return .unknown(why)
        }
    }

    // MARK: Publishing

    /// Publishes one broadcast, and falls back to the second host when the first takes no
    /// broadcasts or is unreachable. After an unknown outcome the caller decides: an update may be
    /// repeated, an alert would sound twice.
    public func publish(_ request: BroadcastRequest) async -> APNsClient.Outcome {
        // Our own refusal is no evidence about a host.
        if let refusal = request.problem { return .refused(refusal) }
        var host = route.withLock { $0.host }
        let first = await result(of: request, at: host.name)
        switch record(first, from: host, attempt: 1) {
        case .finish: return APNsClient.Outcome(first)
        case .sendTo(let other): host = other
        }
        let second = await result(of: request, at: host.name)
        _ = record(second, from: host, attempt: 2)
        // If the other host takes none either, the first host's outcome counts: it may recover.
        let counts = BroadcastSign(second) == .takesNone ? first : second
        return APNsClient.Outcome(counts)
    }

    private func record(
        _ result: RequestResult, from host: BroadcastRoute.Host, attempt: Int
    ) -> BroadcastRoute.Action {
        route.withLock { $0.record(BroadcastSign(result), from: host, attempt: attempt) }
    }

    // MARK: The hosts

    /// The counts of each configured host since the start.
    public var counts: [Host: Counts] {
        let endings = endings.withLock { $0 }
        var all: [Host: Counts] = [:]
        for host in Host.allCases {
            guard let sender = sender(host) else { continue }
            let counted = sender.counts
            var counts = Counts()
            counts.endings = endings[host] ?? [:]
            counts.hostState = counted.hostState
            counts.pauses = counted.pauses
            all[host] = counts
        }
        return all
    }

    /// Sends a valid request and counts its outcome.
    private func result(of request: some ProviderRequest, at host: Host) async -> RequestResult {
        guard let sender = sender(host) else { return .failure(.notSent("the host is unknown")) }
        let result = await sender.result(of: request)
        endings.withLock { $0[host, default: [:]][Ending(result), default: 0] += 1 }
        return result
    }

    private func sender(_ host: Host) -> RequestSender? {
        switch host {
        case .management: management
        case .publishing: publishing
        case .alternative: alternative
        }
    }
}

extension BroadcastRoute.Host {
    fileprivate var name: BroadcastChannels.Host {
        switch self {
        case .publishing: .publishing
        case .alternative: .alternative
        }
    }
}
