internal import Isolation

/// A client for one APNs host. Sends pushes over several HTTP/2 connections with one provider
/// token, and reports the outcome of every push.
///
/// ```swift
/// struct ContentState: Codable, Sendable {
///     var currentHealthLevel: Double
///     var eventDescription: String
/// }
///
/// let client = try APNsClient(
///     APNsClient.Configuration(
///         host: "api.sandbox.push.apple.com", keyID: "ABC123DEFG", teamID: "DEF123GHIJ",
///         privateKeyPEM: PrivateKeyPEM(file: "AuthKey_ABC123DEFG.p8")))
/// let state = ContentState(currentHealthLevel: 0.9, eventDescription: "Found a sword!")
/// let payload = try LiveActivityPayload.update(
///     at: Int64(Date().timeIntervalSince1970), state: state
/// ).encoded()
/// let outcome = await client.send(
///     .liveActivity(
///         payload, to: DeviceToken(hex: tokenFromTheApp),
///         bundleID: "com.example.apple-samplecode.Emoji-Rangers", priority: .low))
/// print(outcome)
/// await client.shutdown(graceMilliseconds: 5_000)
/// ```
public final class APNsClient: Sendable {
    /// Signs this client's provider tokens; other clients may share it.
    public let providerTokens: ProviderTokens
    private let sender: RequestSender
    private let dependencies: Dependencies
    private let quarantine = Locked(TokenQuarantine())

    /// Creates a client on the machine's clocks. Connects on the first push.
    public convenience init(_ configuration: Configuration) throws(APNsConfigurationError) {
        try self.init(configuration, dependencies: .system)
    }

    /// Creates a client on a given clock, which serves as the wall clock and the steady clock.
    ///
    /// - Parameters:
    ///   - configuration: The host, the credentials and the limits.
    ///   - now: Milliseconds since 1970.
    /// - Throws: When a setting cannot work, with what to do about it.
    public convenience init(
        _ configuration: Configuration, now: @escaping @Sendable () -> Int64
    ) throws(APNsConfigurationError) {
        var dependencies = Dependencies.system
        dependencies.wall = now
        dependencies.steady = now
        try self.init(configuration, dependencies: dependencies)
    }

    package convenience init(
        _ configuration: Configuration, dependencies: Dependencies
    ) throws(APNsConfigurationError) {
        try configuration.validate()
        try self.init(
            configuration, dependencies: dependencies,
            transport: ConnectionPool(ConnectionPool.Settings(configuration)))
    }

    package init(
        _ configuration: Configuration, dependencies: Dependencies,
        transport: any PushTransport
    ) throws(APNsConfigurationError) {
        try configuration.validate()
        providerTokens = try configuration.identity.tokens()
        sender = RequestSender(
            transport: transport, tokens: providerTokens, dependencies: dependencies)
        self.dependencies = dependencies
    }

    /// Sends one push and returns its outcome. Sending cannot be cancelled.
    public func send(_ request: PushRequest) async -> Outcome {
        await withCheckedContinuation { continuation in
            send(request) { continuation.resume(returning: $0) }
        }
    }

    /// Sends one push. Calls `completion` exactly once, on one of the library's threads, or on the
    /// caller's if the push is not sent; it must not block.
    public func send(
        _ request: PushRequest, completion: @escaping @Sendable (Outcome) -> Void
    ) {
        send([request]) { _, outcome in completion(outcome) }
    }

    /// Sends several pushes, which costs the least per push.
    ///
    /// - Parameters:
    ///   - requests: The pushes, in the order in which to send them.
    ///   - completion: Called exactly once for each push, with its index, on one of the library's
    ///     threads, or on the caller's if the push is not sent. It must not block.
    public func send(
        _ requests: [PushRequest], completion: @escaping @Sendable (Int, Outcome) -> Void
    ) {
        let now = dependencies.steady()
        let knowsBadTokens = quarantine.withLock { !$0.isEmpty }
        sender.send(requests) { request in
            Self.problem(of: request) ?? (knowsBadTokens ? self.refusal(of: request, at: now) : nil)
        } completion: { [self] index, result in
            if case .failure(.refused(let refusal)) = result, refusal.action == .dropToken {
                note(refusal, of: requests[index], submittedAt: now)
            }
            completion(index, Outcome(result))
        }
    }

    /// Stops accepting pushes, waits up to the grace period for those in flight, and closes.
    public func shutdown(graceMilliseconds: Int) async {
        await sender.shutdown(graceMilliseconds: graceMilliseconds)
    }

    /// The counts since the client's start, and its current state.
    public var counts: Counts {
        var counts = sender.counts
        (counts.tokensQuarantined, counts.quarantineRefusals) = quarantine.withLock {
            ($0.count, $0.refusals)
        }
        return counts
    }

    /// How long the host is to be left alone, in milliseconds; 0: one push may probe. `nil`: the
    /// host takes pushes.
    package var hostPauseMilliseconds: Int64? { sender.hostPauseMilliseconds }

    /// Keeps provider tokens across restarts; see ``ProviderTokens/keep(in:)``.
    public func keepProviderTokens(in storage: any ProviderTokenStorage) async {
        await providerTokens.keep(in: storage, at: dependencies.moment)
    }

    /// Shares provider tokens with other programs; see ``ProviderTokens/refresh(_:)``.
    public func refreshProviderTokens(_ signing: ProviderTokens.Signing) async {
        await providerTokens.refresh(signing, at: dependencies.moment)
    }

    /// Returns a provider token as the next push would carry it, for a command shown to a person.
    package func providerToken() throws(APNsConfigurationError) -> ProviderToken {
        try providerTokens.token(at: dependencies.moment).token
    }

    /// Returns the refusal that APNs would certainly return.
    private static func problem(of request: PushRequest) -> Refusal? {
        do {
            try request.validate()
            return nil
        } catch {
            return error.refusal
        }
    }
}

// MARK: - Quarantine

extension APNsClient {
    /// Lifts the quarantine of a token that APNs refused as bad. Call it whenever a token is
    /// registered, even if unchanged.
    public func liftQuarantine(of token: DeviceToken) {
        let now = dependencies.steady()
        quarantine.withLock { $0.liftQuarantine(of: token, at: now) }
    }

    private func refusal(of request: PushRequest, at now: Int64) -> Refusal? {
        quarantine.withLock { $0.refusal(of: request.token, topic: request.topic, at: now) }
    }

    private func note(_ refusal: Refusal, of request: PushRequest, submittedAt: Int64) {
        let now = dependencies.steady()
        quarantine.withLock {
            $0.record(
                request.token, refusal, topic: request.topic, submittedAt: submittedAt, at: now)
        }
    }
}
