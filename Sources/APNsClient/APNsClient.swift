internal import Isolation

/// Sends pushes to one APNs host: several HTTP/2 connections, one provider token, every push
/// answered with what is known of its fate.
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
    /// The one place where this client's provider tokens are signed; other clients may share it.
    public let providerTokens: ProviderTokens
    private let sender: RequestSender
    private let surroundings: Surroundings
    private let quarantine = Locked(TokenQuarantine())

    /// A client by the machine's clocks. It connects when the first push comes.
    public convenience init(_ configuration: Configuration) throws(APNsConfigurationError) {
        try self.init(configuration, surroundings: .system)
    }

    /// A client by a clock of the caller's, which is taken for both the wall and the steady one.
    ///
    /// - Parameters:
    ///   - configuration: Which APNs, as whom, and how.
    ///   - now: Milliseconds since 1970.
    /// - Throws: When a setting cannot work, with what to do about it.
    public convenience init(
        _ configuration: Configuration, now: @escaping @Sendable () -> Int64
    ) throws(APNsConfigurationError) {
        var surroundings = Surroundings.system
        surroundings.wall = now
        surroundings.steady = now
        try self.init(configuration, surroundings: surroundings)
    }

    package convenience init(
        _ configuration: Configuration, surroundings: Surroundings
    ) throws(APNsConfigurationError) {
        try configuration.validate()
        try self.init(
            configuration, surroundings: surroundings,
            transport: ConnectionPool(ConnectionPool.Settings(configuration)))
    }

    package init(
        _ configuration: Configuration, surroundings: Surroundings,
        transport: any PushTransport
    ) throws(APNsConfigurationError) {
        try configuration.validate()
        providerTokens = try configuration.identity.tokens()
        sender = RequestSender(
            transport: transport, tokens: providerTokens, surroundings: surroundings)
        self.surroundings = surroundings
    }

    /// Sends one push and waits for what becomes of it. It cannot be cancelled: what has left has
    /// left.
    public func send(_ request: PushRequest) async -> Outcome {
        await withCheckedContinuation { continuation in
            send(request) { continuation.resume(returning: $0) }
        }
    }

    /// Sends one push; `completion` is called exactly once and must not block: on one of the
    /// library's threads, or on the caller's where the push does not leave.
    public func send(
        _ request: PushRequest, completion: @escaping @Sendable (Outcome) -> Void
    ) {
        send([request]) { _, outcome in completion(outcome) }
    }

    /// Sends pushes together: the cheapest way.
    ///
    /// - Parameters:
    ///   - requests: The pushes, in the order in which they should leave.
    ///   - completion: Called exactly once for each, with its index; it must not block. It comes
    ///     on one of the library's threads, or on the caller's for what does not leave.
    public func send(
        _ requests: [PushRequest], completion: @escaping @Sendable (Int, Outcome) -> Void
    ) {
        let now = surroundings.steady()
        let knowsBadTokens = quarantine.withLock { !$0.isEmpty }
        sender.send(requests) { request in
            Self.problem(of: request) ?? (knowsBadTokens ? self.refusal(of: request, at: now) : nil)
        } completion: { [self] index, result in
            if case .failure(.refused(let refusal)) = result, refusal.action == .dropToken {
                note(refusal, of: requests[index], handedInAt: now)
            }
            completion(index, Outcome(result))
        }
    }

    /// Takes no more, waits for what is in flight within the bound, closes.
    public func shutdown(graceMilliseconds: Int) async {
        await sender.shutdown(graceMilliseconds: graceMilliseconds)
    }

    /// What was counted since the client began, and how things stand.
    public var counts: Counts {
        var counts = sender.counts
        (counts.tokensQuarantined, counts.quarantineRefusals) = quarantine.withLock {
            ($0.count, $0.refusals)
        }
        return counts
    }

    /// Keeps provider tokens over restarts: see ``ProviderTokens/keep(in:)``.
    public func keepProviderTokens(in storage: any ProviderTokenStorage) async {
        await providerTokens.keep(in: storage, at: surroundings.moment)
    }

    /// A provider token as the next push would carry it: for a command that is shown to a person.
    package func providerToken() throws(APNsConfigurationError) -> ProviderToken {
        try providerTokens.token(at: surroundings.moment).token
    }

    /// The answer that APNs would certainly give.
    private static func problem(of request: PushRequest) -> Refusal? {
        do {
            try request.validate()
            return nil
        } catch {
            return error.refusal
        }
    }
}

// MARK: - Bad tokens

extension APNsClient {
    /// Lets pushes to a device through again whose token APNs has called bad: call it whenever a
    /// token is registered, be it the same as before.
    public func forgive(_ token: DeviceToken) {
        let now = surroundings.steady()
        quarantine.withLock { $0.forgive(token, at: now) }
    }

    private func refusal(of request: PushRequest, at now: Int64) -> Refusal? {
        quarantine.withLock { $0.refusal(of: request.token, topic: request.topic, at: now) }
    }

    private func note(_ refusal: Refusal, of request: PushRequest, handedInAt: Int64) {
        let now = surroundings.steady()
        quarantine.withLock {
            $0.heard(
                request.token, refusal, topic: request.topic, handedInAt: handedInAt, at: now)
        }
    }
}
