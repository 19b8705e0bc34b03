package import APNsClient
package import APNsSimulator
package import HTTP2
internal import HTTP2Server
internal import Isolation

/// The simulated APNs without sockets and under a clock of its own: it answers at once, and notes
/// what Apple would see.
package final class VirtualAPNs: PushTransport {
    /// One request as it came.
    package struct Sight: Sendable {
        package let at: Int64
        package let id: String
        /// The provider token's `iat`, seconds since 1970.
        package let tokenIssuedAt: Int64?
        /// What the sender was told; `nil`: nothing, or that nothing was done.
        package let status: Int?
    }

    /// Whether anybody answers a connect.
    package enum Reach: Sendable {
        case open, nobody
    }

    private struct State {
        var apns: SimulatedAPNs
        var connections: VirtualConnections
        var now: Int64
        var reach = VirtualConnections.Reach.open
        var sights: [Sight] = []
        /// `iat` by header: a signature is read once.
        var issuedAt: [String: Int64] = [:]
    }

    private let state: Locked<State>
    private let key: ES256PublicKey

    /// Begins at `start`, in milliseconds since 1970.
    package init(
        _ settings: APNsSimulator.Settings, key: ES256PublicKey, seed: UInt64, start: Int64
    ) {
        self.key = key
        state = Locked(
            State(
                apns: SimulatedAPNs(settings), connections: VirtualConnections(seed: seed),
                now: start))
    }

    // MARK: - For the test

    package var now: Int64 { state.withLock { $0.now } }
    package var sights: [Sight] { state.withLock { $0.sights } }
    /// When each slot has connected.
    package var connects: [[Int64]] { state.withLock { $0.connections.connects } }
    package var counters: Counters { state.withLock { $0.apns.counters } }

    package func advance(by milliseconds: Int64) { state.withLock { $0.now += milliseconds } }

    /// From now on this fault is in force and no other.
    package func play(_ fault: APNsFault?, _ reach: Reach = .open) {
        state.withLock { state in
            state.apns.script.removeAll()
            if let fault { state.apns.script.add(fault) }
            state.reach = reach == .open ? .open : .nobody
        }
    }

    // MARK: - For the client

    package var goAways: [String: Int] { [:] }

    package func send(_ batch: any HTTP2Batch) {
        for index in 0..<batch.count {
            let request = batch.request(index)
            // Outside of the lock: what is told may send again at once.
            switch state.withLock({ receive(request, in: &$0) }) {
            case .success(let response): batch.completed(index, with: response)
            case .failure(let failure): batch.failed(index, as: failure)
            }
        }
    }

    package func renew() { state.withLock { $0.connections.endAll(at: $0.now) } }

    package func shutdown(graceMilliseconds: Int) async { renew() }

    private func receive(
        _ request: HTTP2Request, in state: inout State
    ) -> Result<HTTP2Response, HTTP2Failure> {
        let reception = state.connections.receive(
            request, by: &state.apns, at: state.now, state.reach)
        guard let reception else { return .failure(.neverSent("no connection")) }
        let end: Result<HTTP2Response, HTTP2Failure> =
            switch reception.ending {
            case .response(let response, _): .success(response)
            case .failure(let failure): .failure(failure)
            case .silence: .failure(.unknown("no answer"))
            }
        var status: Int?
        if case .success(let response) = end { status = response.status }
        state.sights.append(
            Sight(
                at: state.now, id: reception.record.apnsID,
                tokenIssuedAt: issuedAt(request.header("authorization"), in: &state),
                status: status))
        return end
    }

    private func issuedAt(_ authorization: String?, in state: inout State) -> Int64? {
        guard let authorization else { return nil }
        if let known = state.issuedAt[authorization] { return known }
        let claims = try? key.verify(authorization.dropFirst("bearer ".count))
        state.issuedAt[authorization] = claims?.issuedAt
        return claims?.issuedAt
    }
}

/// Tokens that outlive their client.
package actor StoredTokens: ProviderTokenStorage {
    private var tokens: [String: StoredProviderToken] = [:]
    private let time: @Sendable () -> Int64

    package init(time: @escaping @Sendable () -> Int64) { self.time = time }

    package nonisolated var now: Int64 { time() }

    package func load() -> [StoredProviderToken] { Array(tokens.values) }

    package func save(_ token: StoredProviderToken) { tokens[token.keyID] = token }
}
