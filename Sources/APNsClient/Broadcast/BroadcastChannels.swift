internal import HTTP2
internal import Isolation

/// An app's broadcast channels (iOS 18): creates, reads, lists and deletes them on the management
/// host, and publishes to them.
///
/// Give it and the `APNsClient` of the same team one `ProviderTokens`, since Apple counts a team's
/// tokens together.
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
    /// The app's, without a suffix.
    public let bundleID: String
    private let management: RequestSender
    private let publishing: RequestSender
    private let alternative: RequestSender?
    private let route: Locked<BroadcastRoute>
    private let endings = Locked<[Host: [Ending: Int]]>([:])

    /// Channels by the machine's clocks. It connects when the first order comes.
    ///
    /// - Parameters:
    ///   - bundleID: The app's, without a suffix.
    ///   - hosts: Apple's, or a simulator's.
    ///   - configuration: As whom and how. Its own host, port and number of connections are not
    ///     used: one connection to each of the hosts is enough.
    /// - Throws: When a setting cannot work, with what to do about it.
    public convenience init(
        bundleID: String, hosts: BroadcastHosts, _ configuration: APNsClient.Configuration
    ) throws(APNsConfigurationError) {
        try self.init(
            bundleID: bundleID, hosts: hosts, configuration, surroundings: .system
        ) { settings throws(APNsConfigurationError) in try ConnectionPool(settings) }
    }

    /// Channels by a clock of the caller's, in milliseconds since 1970, which is taken for both the
    /// wall and the steady one.
    public convenience init(
        bundleID: String, hosts: BroadcastHosts, _ configuration: APNsClient.Configuration,
        now: @escaping @Sendable () -> Int64
    ) throws(APNsConfigurationError) {
        var surroundings = APNsClient.Surroundings.system
        surroundings.wall = now
        surroundings.steady = now
        try self.init(
            bundleID: bundleID, hosts: hosts, configuration, surroundings: surroundings
        ) { settings throws(APNsConfigurationError) in try ConnectionPool(settings) }
    }

    package init(
        bundleID: String, hosts: BroadcastHosts, _ configuration: APNsClient.Configuration,
        surroundings: APNsClient.Surroundings,
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
                surroundings: surroundings)
        }
        self.bundleID = bundleID
        management = try sender(to: hosts.management)
        publishing = try sender(to: hosts.publishing)
        alternative = try hosts.alternative.map(sender)
        route = Locked(BroadcastRoute(hosts))
    }

    // MARK: Managing

    /// Creates a channel; its policy is for good.
    public func create(_ policy: ChannelPolicy) async -> ChannelOutcome<BroadcastChannel> {
        await order(.create(policy)) { answer in
            ChannelAnswer.created(answer).map { BroadcastChannel(id: $0, policy: policy) }
        }
    }

    /// Reads what a channel keeps; one that is gone is refused with `ChannelNotRegistered`.
    public func read(_ id: ChannelID) async -> ChannelOutcome<BroadcastChannel> {
        await order(.read(id)) { answer in
            ChannelAnswer.policy(answer).map { BroadcastChannel(id: id, policy: $0) }
        }
    }

    /// Deletes a channel for good.
    public func delete(_ id: ChannelID) async -> ChannelOutcome<ChannelID> {
        await order(.delete(id)) { _ in id }
    }

    /// Counts the app's channels, to find those that nobody knows.
    public func census() async -> ChannelOutcome<ChannelCensus> {
        await order(.list) { answer in
            ChannelAnswer.list(answer).map { ChannelCensus(listed: $0) }
        }
    }

    /// Takes no more, waits for what is in flight within the bound, closes.
    public func shutdown(graceMilliseconds: Int) async {
        // Together: one grace is what the caller has for all hosts.
        async let managing: Void = management.shutdown(graceMilliseconds: graceMilliseconds)
        async let publishing: Void = publishing.shutdown(graceMilliseconds: graceMilliseconds)
        async let trying: Void? = alternative?.shutdown(graceMilliseconds: graceMilliseconds)
        _ = await (managing, publishing, trying)
    }

    private func order<Value>(
        _ operation: ChannelOrder.Operation, reading value: (HTTP2Answer) -> Value?
    ) async -> ChannelOutcome<Value> {
        let order = ChannelOrder(operation, bundleID: bundleID)
        if let refusal = order.problem { return .refused(refusal) }
        switch await result(of: order, at: .management) {
        case .success(let answer):
            guard let value = value(answer) else {
                return .unknown("APNs answered \(answer.status) without what it should say")
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

    /// Publishes one broadcast, at the second host where the first one takes no broadcasts or
    /// cannot be reached. A fate that is unknown is the caller's to judge: an update may be
    /// repeated, an alert would sound twice.
    public func publish(_ request: BroadcastRequest) async -> APNsClient.Outcome {
        // A refusal of our own says nothing about a host.
        if let refusal = request.problem { return .refused(refusal) }
        var host = route.withLock { $0.host }
        let first = await result(of: request, at: host.name)
        switch hear(first, from: host, attempt: 1) {
        case .finish: return APNsClient.Outcome(first)
        case .sendTo(let other): host = other
        }
        let second = await result(of: request, at: host.name)
        _ = hear(second, from: host, attempt: 2)
        // Where the other one takes none, the first one's word counts: it may come back.
        let counts = BroadcastSign(second) == .takesNone ? first : second
        return APNsClient.Outcome(counts)
    }

    private func hear(
        _ result: RequestResult, from host: BroadcastRoute.Host, attempt: Int
    ) -> BroadcastRoute.Action {
        route.withLock { $0.heard(BroadcastSign(result), from: host, attempt: attempt) }
    }

    // MARK: The hosts

    /// What was counted since the beginning, of each host that there is.
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

    /// Sends what has been found good, and counts how it ends.
    private func result(of request: some ProviderRequest, at host: Host) async -> RequestResult {
        guard let sender = sender(host) else { return .failure(.notSent("there is no such host")) }
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
