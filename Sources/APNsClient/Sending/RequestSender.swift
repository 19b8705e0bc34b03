internal import HTTP2
internal import Isolation

/// Sends requests of any kind to one APNs host with the current provider token. Repeats them where
/// that is safe, uses a new token when APNs refuses the old one, and holds them back while the host
/// fails.
///
/// It is separate, because pushes and broadcasts share it.
final class RequestSender: Sendable {
    typealias Issued = ProviderTokens.Issued

    /// One request in flight, with what it was sent with and its state.
    struct InFlightRequest: Sendable {
        let batch: RequestBatch
        /// Its place among the requests submitted together.
        let place: Int
        let delivery: Delivery

        func complete(_ result: RequestResult) { batch.requests.complete(place, result) }
    }

    private let transport: any PushTransport
    private let tokens: ProviderTokens
    private let dependencies: APNsClient.Dependencies
    private let state = Locked(SenderState())

    init(
        transport: any PushTransport, tokens: ProviderTokens,
        dependencies: APNsClient.Dependencies
    ) {
        self.transport = transport
        self.tokens = tokens
        self.dependencies = dependencies
    }

    /// Sends requests together.
    ///
    /// - Parameters:
    ///   - requests: The requests, in the order in which to send them.
    ///   - problem: Returns the refusal that a request would certainly get; such a request is not
    ///     sent.
    ///   - completion: Called exactly once for each request, with its index, on the transport's
    ///     thread, or on the caller's if the request is not sent. It must not block.
    func send<Request: ProviderRequest>(
        _ requests: [Request], refusing problem: (Request) -> APNsClient.Refusal?,
        completion: @escaping @Sendable (Int, RequestResult) -> Void
    ) {
        let moment = dependencies.moment
        let issued: Issued
        do {
            issued = try tokens.token(at: moment)
        } catch {
            for place in requests.indices { completion(place, .failure(.notSent("\(error)"))) }
            return
        }
        let renewals = prepareConnections(for: issued)
        var admission = state.withLock { $0.gate.admit(requests.count, at: moment.steady) }
        let admitted = admission.count
        var places: [Int] = []
        places.reserveCapacity(admission.count)
        for place in requests.indices {
            // In place: a copy would retain and release all of the request's parts.
            if let refusal = requests.withUnsafeBufferPointer({ problem($0[place]) }) {
                completion(place, .failure(.refused(refusal)))
            } else if admission.take() {
                places.append(place)
            } else {
                completion(place, .failure(heldBack(by: admission)))
            }
        }
        if places.isEmpty, admitted > 0 {
            state.withLock { $0.gate.sentNothing(at: moment.steady) }
        }
        guard !places.isEmpty else { return }
        transport.send(
            RequestBatch(
                RequestBatch.Requests(
                    requests, submittedAt: moment.steady, completion: completion),
                at: places, with: issued, renewals: renewals, sender: self))
    }

    /// Stops accepting requests, waits up to the grace period for those in flight, and closes.
    /// Requests that wait for a repetition are settled at once, because it might come too late.
    func shutdown(graceMilliseconds: Int) async {
        for flight in state.withLock({ $0.close() }) { finish(flight, .failure(Self.tooLate)) }
        await transport.shutdown(graceMilliseconds: graceMilliseconds)
        await tokens.finishSaving()
    }

    /// How long the host is to be left alone, in milliseconds; 0: a probe may go. `nil`: it takes
    /// requests.
    var hostPauseMilliseconds: Int64? {
        let now = dependencies.steady()
        return state.withLock { $0.gate.pause(at: now) }
    }

    /// The counts since the start.
    var counts: APNsClient.Counts {
        var counts = state.withLock { $0.counts }
        counts.tokensSigned = tokens.signed
        counts.goAways = transport.goAways
        counts.keyPlace = tokens.placeInUse + 1
        return counts
    }

    /// Gives waiting requests different delays, so that they do not return all at once.
    private func heldBack(by admission: HostGate.Admission) -> RequestFailure {
        state.withLock { $0.counts.heldBack += 1 }
        let spread = Double(HostGate.spreadMilliseconds) * dependencies.dice()
        return .heldBack(
            admission.why, retryAfterMilliseconds: admission.waitMilliseconds + Int64(spread))
    }
}

// MARK: - One request

extension RequestSender {
    /// Returns the token to send a request with that was submitted with this one.
    func token(insteadOf issued: Issued) -> ProviderToken { tokens.token(insteadOf: issued) }

    /// Handles a request that ended without a response.
    func afterFailure(
        _ failure: HTTP2Failure, submittedAt: Int64, _ delivery: inout Delivery
    ) -> Delivery.Action {
        delivery.failed(
            failure, afterMilliseconds: dependencies.steady() - submittedAt,
            dice: dependencies.dice())
    }

    func act(_ action: Delivery.Action, on flight: InFlightRequest) {
        switch action {
        case .succeed(let response):
            finish(flight, .success(response))
        case .fail(let failure):
            if case .refused(let refusal) = failure { heed(refusal, of: flight) }
            finish(flight, .failure(failure))
        case .sendAgain(let delay) where delay > 0:
            sendAgain(flight, afterMilliseconds: delay)
        case .sendAgain:
            sendAgain(flight, otherwise: Self.tooLate)
        case .sendOnFreshConnection(let refusal):
            renewConnections(unlessRenewedSince: flight.batch.renewals)
            sendAgain(flight, otherwise: .refused(refusal))
        case .sendWithNewToken(let refusal):
            sendWithNewToken(flight, otherwise: refusal)
        }
    }

    /// Tells the provider tokens what a refusal that stands means for them.
    private func heed(_ refusal: APNsClient.Refusal, of flight: InFlightRequest) {
        if refusal.action == .stopMinting {
            tokens.stopMinting(at: dependencies.moment)
        } else if refusal.mayBlameKey {
            tokens.endTrial(
                ofGeneration: flight.batch.issued.generation, at: dependencies.moment)
        }
    }

    /// The common case, without a state to decide about.
    func succeed(_ requests: RequestBatch.Requests, at place: Int, with response: HTTP2Response) {
        let now = dependencies.steady()
        state.withLock { $0.gate.recordSuccess(at: now) }
        requests.complete(place, .success(response))
    }

    private func finish(_ flight: InFlightRequest, _ result: RequestResult) {
        let (now, dice) = (dependencies.steady(), dependencies.dice())
        state.withLock { $0.gate.record(result, at: now, dice: dice) }
        flight.complete(result)
    }

    private static let tooLate = RequestFailure.notSent("the client is shutting down")

    private func sendAgain(_ flight: InFlightRequest, afterMilliseconds delay: Int) {
        guard let number = state.withLock({ $0.keep(flight) }) else {
            finish(flight, .failure(Self.tooLate))
            return
        }
        dependencies.wait(delay) { [self] in
            // The shutdown may have settled it.
            guard let flight = state.withLock({ $0.takeWaiting(number) }) else { return }
            sendAgain(flight, otherwise: Self.tooLate)
        }
    }

    private func sendAgain(
        _ flight: InFlightRequest, with issued: Issued? = nil, otherwise failure: RequestFailure
    ) {
        let renewals = state.withLock { $0.repeats() }
        guard let renewals else {
            finish(flight, .failure(failure))
            return
        }
        transport.send(
            RequestBatch(
                flight.batch.requests, at: [flight.place], with: issued ?? flight.batch.issued,
                renewals: renewals, delivery: flight.delivery, sender: self))
    }

    private func sendWithNewToken(_ flight: InFlightRequest, otherwise refusal: APNsClient.Refusal)
    {
        do {
            let replacement = try tokens.replacement(
                forGeneration: flight.batch.issued.generation,
                because: KeyRotation.Complaint(refusal),
                at: dependencies.moment)
            guard let replacement else {
                finish(flight, .failure(.refused(refusal)))
                return
            }
            prepareConnections(for: replacement)
            sendAgain(flight, with: replacement, otherwise: .refused(refusal))
        } catch {
            finish(flight, .failure(.notSent("\(error)")))
        }
    }

    /// Records a response with another request's id.
    func countStrangeID() {
        state.withLock { $0.counts.strangeIDs += 1 }
    }
}

// MARK: - Connections

extension RequestSender {
    /// Renews the connections if they serve another key or have carried a refused token. Returns
    /// the number of renewals so far.
    @discardableResult
    private func prepareConnections(for issued: Issued) -> Int {
        let (mustRenew, renewals) = state.withLock { state in
            let mustRenew = state.connections.needRenewal(for: issued)
            return (mustRenew, state.connections.renewals)
        }
        if mustRenew { transport.renew() }
        return renewals
    }

    /// Renews once for all requests refused on the same connections.
    private func renewConnections(unlessRenewedSince renewals: Int) {
        let mustRenew = state.withLock { $0.connections.needRenewal(since: renewals) }
        if mustRenew { transport.renew() }
    }
}
