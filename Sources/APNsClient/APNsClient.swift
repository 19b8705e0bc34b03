internal import HTTP2
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
    private let transport: any PushTransport
    private let mint: ProviderTokenMint
    private let surroundings: Surroundings
    private let counted = Locked(Counts())
    private let phase = Locked(Phase.open)

    private enum Phase: Hashable {
        case open, closing
    }

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
            transport: ConnectionPool(configuration.poolSettings))
    }

    package init(
        _ configuration: Configuration, surroundings: Surroundings,
        transport: any PushTransport
    ) throws(APNsConfigurationError) {
        try configuration.validate()
        mint = try ProviderTokenMint(
            keyID: configuration.keyID, teamID: configuration.teamID,
            pem: configuration.privateKeyPEM)
        self.transport = transport
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
        let issued: ProviderTokenMint.Issued
        let moment = surroundings.moment
        do {
            issued = try mint.token(at: moment)
        } catch {
            for index in requests.indices { completion(index, .notSent("\(error)")) }
            return
        }
        var exchanges: [HTTP2Exchange] = []
        exchanges.reserveCapacity(requests.count)
        for (index, request) in requests.enumerated() {
            do {
                try request.validate()
                let flight = Flight(
                    request: request, issued: issued, handedInAt: moment.steady
                ) { completion(index, $0) }
                exchanges.append(exchange(for: flight))
            } catch {
                completion(index, .refused(error.refusal))
            }
        }
        transport.send(exchanges)
    }

    /// Takes no more, waits for what is in flight within the bound, closes.
    public func shutdown(graceMilliseconds: Int) async {
        phase.withLock { $0 = .closing }
        await transport.shutdown(graceMilliseconds: graceMilliseconds)
    }

    /// What was counted since the client began.
    public var counts: Counts {
        var counts = counted.withLock { $0 }
        counts.tokensSigned = mint.count
        return counts
    }

    /// A provider token as the next push would carry it: for a command that is shown to a person.
    package func providerToken() throws(APNsConfigurationError) -> ProviderToken {
        try mint.token(at: surroundings.moment).token
    }
}

// MARK: One push on its way

extension APNsClient {
    /// A push, the token that it carries, and where it stands.
    private struct Flight: Sendable {
        let request: PushRequest
        var issued: ProviderTokenMint.Issued
        /// On the steady clock, in milliseconds.
        let handedInAt: Int64
        var delivery = Delivery()
        let completion: @Sendable (Outcome) -> Void

        init(
            request: PushRequest, issued: ProviderTokenMint.Issued, handedInAt: Int64,
            completion: @escaping @Sendable (Outcome) -> Void
        ) {
            self.request = request
            self.issued = issued
            self.handedInAt = handedInAt
            self.completion = completion
        }
    }

    private func exchange(for flight: Flight) -> HTTP2Exchange {
        HTTP2Exchange(
            request: flight.request.http2Request(providerToken: flight.issued.token)
        ) { [self] result in
            var flight = flight
            let action: Delivery.Action
            switch result {
            case .success(let answer):
                note(answer, to: flight.request)
                action = flight.delivery.answered(answer)
            case .failure(let failure):
                action = flight.delivery.failed(
                    failure, afterMilliseconds: surroundings.steady() - flight.handedInAt,
                    dice: surroundings.dice())
            }
            act(action, on: flight)
        }
    }

    private func act(_ action: Delivery.Action, on flight: Flight) {
        switch action {
        case .finish(let outcome):
            if case .refused(let refusal) = outcome, refusal.action == .stopMinting {
                mint.stop(at: surroundings.moment)
            }
            flight.completion(outcome)
        case .sendAgain(let delay):
            sendAgain(
                flight, afterMilliseconds: delay, otherwise: .notSent("the client is shutting down")
            )
        case .sendOnFreshConnection(let refusal):
            transport.renew()
            sendAgain(flight, otherwise: .refused(refusal))
        case .sendWithNewToken(let refusal):
            sendWithNewToken(flight, otherwise: refusal)
        }
    }

    private func sendAgain(
        _ flight: Flight, afterMilliseconds delay: Int = 0, otherwise outcome: Outcome
    ) {
        guard phase.withLock({ $0 }) == .open else {
            flight.completion(outcome)
            return
        }
        counted.withLock { $0.repeated += 1 }
        guard delay > 0 else {
            transport.send([exchange(for: flight)])
            return
        }
        surroundings.wait(delay) { [self] in transport.send([exchange(for: flight)]) }
    }

    private func sendWithNewToken(_ flight: Flight, otherwise refusal: Refusal) {
        var flight = flight
        do {
            let replacement = try mint.replacement(
                forGeneration: flight.issued.generation, at: surroundings.moment)
            guard let replacement else {
                flight.completion(.refused(refusal))
                return
            }
            flight.issued = replacement.issued
            switch replacement.connections {
            case .toBeRenewed: transport.renew()
            case .renewed: break
            }
            sendAgain(flight, otherwise: .refused(refusal))
        } catch {
            flight.completion(.notSent("\(error)"))
        }
    }

    private func note(_ answer: HTTP2Response, to request: PushRequest) {
        guard let id = answer.header("apns-id"), id != request.id, id.lowercased() != request.id
        else { return }
        counted.withLock { $0.strangeIDs += 1 }
    }
}

extension APNsClient.Configuration {
    fileprivate var poolSettings: ConnectionPool.Settings {
        var settings = ConnectionPool.Settings(host: host)
        settings.port = port
        settings.proxy = proxy?.proxy
        settings.trustedCAFile = trustedCAFile
        settings.connections = connections
        settings.connectTimeoutMilliseconds = connectTimeoutMilliseconds
        settings.requestTimeoutMilliseconds = requestTimeoutMilliseconds
        settings.queueWaitMaxMilliseconds = queueWaitMilliseconds
        settings.queueMax = queueMax
        return settings
    }
}
