internal import HTTP2
internal import Isolation

/// Sends requests to one APNs host, whatever they are about: with the provider token of the
/// moment, again where that can do no harm, with a new token where APNs refuses the old one, and
/// not at all while the host fails at everything.
///
/// It is a step of its own, because pushes and broadcasts share it. Generic over the request, so
/// that a batch of pushes costs no dynamic dispatch.
final class RequestSender: Sendable {
    typealias Issued = ProviderTokens.Issued

    /// What every request of a batch shares.
    struct Batch<Request: ProviderRequest>: Sendable {
        let completion: @Sendable (Int, Request, RequestResult) -> Void
        /// On the steady clock, in milliseconds.
        let handedInAt: Int64
    }

    /// A request, the token that it carries, and where it stands.
    struct Flight<Request: ProviderRequest>: Sendable {
        let request: Request
        /// Its place in the batch.
        let index: Int
        let batch: Batch<Request>
        var issued: Issued
        /// How often connections had been renewed when it left.
        var renewals: Int
        var delivery = Delivery()

        func complete(_ result: RequestResult) { batch.completion(index, request, result) }
    }

    private let transport: any PushTransport
    private let tokens: ProviderTokens
    private let surroundings: APNsClient.Surroundings
    private let state = Locked(SenderState())

    init(
        transport: any PushTransport, tokens: ProviderTokens,
        surroundings: APNsClient.Surroundings
    ) {
        self.transport = transport
        self.tokens = tokens
        self.surroundings = surroundings
    }

    /// Sends requests together.
    ///
    /// - Parameters:
    ///   - requests: In the order in which they should leave.
    ///   - problem: The refusal that a request would certainly get: then it does not leave.
    ///   - completion: Called exactly once for each, with its index; it must not block. It comes
    ///     on the transport's thread, or on the caller's for what does not leave.
    func send<Request: ProviderRequest>(
        _ requests: [Request], refusing problem: (Request) -> APNsClient.Refusal?,
        completion: @escaping @Sendable (Int, Request, RequestResult) -> Void
    ) {
        let moment = surroundings.moment
        let batch = Batch(completion: completion, handedInAt: moment.steady)
        let issued: Issued
        do {
            issued = try tokens.token(at: moment)
        } catch {
            for (index, request) in requests.enumerated() {
                completion(index, request, .failure(.notSent("\(error)")))
            }
            return
        }
        let renewals = prepareConnections(for: issued)
        var admission = state.withLock { $0.gate.admit(requests.count, at: moment.steady) }
        let admitted = admission.count
        var exchanges: [HTTP2Exchange] = []
        exchanges.reserveCapacity(admission.count)
        for (index, request) in requests.enumerated() {
            if let refusal = problem(request) {
                completion(index, request, .failure(.refused(refusal)))
            } else if admission.take() {
                let flight = Flight(
                    request: request, index: index, batch: batch, issued: issued,
                    renewals: renewals)
                exchanges.append(exchange(for: flight))
            } else {
                completion(index, request, .failure(heldBack(by: admission)))
            }
        }
        if exchanges.isEmpty, admitted > 0 {
            state.withLock { $0.gate.sentNothing(at: moment.steady) }
        }
        transport.send(exchanges)
    }

    /// Takes no more, waits for what is in flight within the bound, closes.
    func shutdown(graceMilliseconds: Int) async {
        state.withLock { $0.phase = .closing }
        await transport.shutdown(graceMilliseconds: graceMilliseconds)
        await tokens.finishSaving()
    }

    /// What was counted since the beginning.
    var counts: APNsClient.Counts {
        var counts = state.withLock { $0.counts }
        counts.tokensSigned = tokens.signed
        counts.keyPlace = tokens.placeInUse + 1
        return counts
    }

    /// Those that wait hear of different times, so that they do not come back all at once.
    private func heldBack(by admission: HostGate.Admission) -> RequestFailure {
        state.withLock { $0.counts.heldBack += 1 }
        let spread = Double(HostGate.spreadMilliseconds) * surroundings.dice()
        return .heldBack(
            admission.why, retryAfterMilliseconds: admission.waitMilliseconds + Int64(spread))
    }
}

// MARK: - One request on its way

extension RequestSender {
    private func exchange<Request>(for flight: Flight<Request>) -> HTTP2Exchange {
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
                    failure, afterMilliseconds: surroundings.steady() - flight.batch.handedInAt,
                    dice: surroundings.dice())
            }
            act(action, on: flight)
        }
    }

    private func act<Request>(_ action: Delivery.Action, on flight: Flight<Request>) {
        switch action {
        case .succeed(let answer):
            finish(flight, .success(answer))
        case .fail(let failure):
            if case .refused(let refusal) = failure, refusal.action == .stopMinting {
                tokens.stopMinting(at: surroundings.moment)
            }
            finish(flight, .failure(failure))
        case .sendAgain(let delay):
            sendAgain(
                flight, afterMilliseconds: delay, otherwise: .notSent("the client is shutting down")
            )
        case .sendOnFreshConnection(let refusal):
            renewConnections(unlessRenewedSince: flight.renewals)
            sendAgain(flight, otherwise: .refused(refusal))
        case .sendWithNewToken(let refusal):
            sendWithNewToken(flight, otherwise: refusal)
        }
    }

    private func finish<Request>(_ flight: Flight<Request>, _ result: RequestResult) {
        let now = surroundings.steady()
        state.withLock { $0.gate.heard(result, at: now) }
        flight.complete(result)
    }

    private func sendAgain<Request>(
        _ flight: Flight<Request>, afterMilliseconds delay: Int = 0,
        otherwise failure: RequestFailure
    ) {
        let renewals = state.withLock { $0.repeats() }
        guard let renewals else {
            finish(flight, .failure(failure))
            return
        }
        var flight = flight
        flight.renewals = renewals
        let exchange = exchange(for: flight)
        guard delay > 0 else {
            transport.send([exchange])
            return
        }
        surroundings.wait(delay) { [self] in transport.send([exchange]) }
    }

    private func sendWithNewToken<Request>(
        _ flight: Flight<Request>, otherwise refusal: APNsClient.Refusal
    ) {
        var flight = flight
        do {
            let replacement = try tokens.replacement(
                forGeneration: flight.issued.generation,
                because: refusal.reason == "ExpiredProviderToken" ? .expired : .invalid,
                at: surroundings.moment)
            guard let replacement else {
                finish(flight, .failure(.refused(refusal)))
                return
            }
            flight.issued = replacement
            prepareConnections(for: replacement)
            sendAgain(flight, otherwise: .refused(refusal))
        } catch {
            finish(flight, .failure(.notSent("\(error)")))
        }
    }

    private func note<Request: ProviderRequest>(_ answer: HTTP2Response, to request: Request) {
        guard let id = answer.header(Request.idField), id != request.id,
            id.lowercased() != request.id
        else { return }
        state.withLock { $0.counts.strangeIDs += 1 }
    }
}

// MARK: - Connections

extension RequestSender {
    /// Renews the connections where the token's key is not theirs, or where they have carried a
    /// token that was refused; returns how often that was done.
    @discardableResult
    private func prepareConnections(for issued: Issued) -> Int {
        let (mustRenew, renewals) = state.withLock { state in
            let mustRenew = state.connections.needRenewal(for: issued)
            return (mustRenew, state.connections.renewals)
        }
        if mustRenew { transport.renew() }
        return renewals
    }

    /// Once for all that were refused on the same connections.
    private func renewConnections(unlessRenewedSince renewals: Int) {
        let mustRenew = state.withLock { $0.connections.needRenewal(since: renewals) }
        if mustRenew { transport.renew() }
    }
}
