import APNsClient
import HTTP2
import HTTP2Server
import Isolation

@testable import APNsSimulator

/// The simulated APNs without sockets and under a clock of its own: four connections that come and go,
/// with the manners of connecting again that real ones have. It notes what Apple would see.
final class VirtualAPNs: PushTransport {
    /// One request as it came.
    struct Sight: Sendable {
        let at: Int64
        let id: String
        /// The provider token's `iat`, seconds since 1970.
        let tokenIssuedAt: Int64?
        /// What the sender was told; `nil`: nothing, or that nothing was done.
        let status: Int?
    }

    /// Whether anybody answers a connect.
    enum Reach {
        case open, nobody
    }

    private struct Slot {
        var connection: Int?
        var usefulness = ReconnectBackoff.Usefulness.opened
        var backoff = ReconnectBackoff(ReconnectBackoff.Limits())
        var connects: [Int64] = []
    }

    private struct State {
        var apns: SimulatedAPNs
        var slots = [Slot](repeating: Slot(), count: 4)
        var dice: FaultDice
        var now = Scene.start
        var reach = Reach.open
        var turn = 0
        var connections = 0
        var sights: [Sight] = []
        /// `iat` by header: a signature is read once.
        var issuedAt: [String: Int64] = [:]
    }

    private let state: Locked<State>
    private let key: ES256PublicKey

    init(_ settings: APNsSimulator.Settings, key: ES256PublicKey, seed: UInt64) {
        self.key = key
        state = Locked(State(apns: SimulatedAPNs(settings), dice: FaultDice(seed: seed)))
    }

    // MARK: - For the test

    var now: Int64 { state.withLock { $0.now } }
    var sights: [Sight] { state.withLock { $0.sights } }
    /// When each slot has connected.
    var connects: [[Int64]] { state.withLock { $0.slots.map(\.connects) } }
    var counters: Counters { state.withLock { $0.apns.counters } }

    func advance(by milliseconds: Int64) { state.withLock { $0.now += milliseconds } }

    /// From now on this fault is in force and no other.
    func play(_ fault: Fault?, _ reach: Reach = .open) {
        state.withLock { state in
            state.apns.script.removeAll()
            if let fault { state.apns.script.add(fault) }
            state.reach = reach
        }
    }

    // MARK: - For the client

    var goAways: [String: Int] { [:] }

    func send(_ batch: any HTTP2Batch) {
        for index in 0..<batch.count {
            let request = batch.request(index)
            // Outside of the lock: what is told may send again at once.
            switch state.withLock({ receive(request, in: &$0) }) {
            case .success(let response): batch.completed(index, with: response)
            case .failure(let failure): batch.failed(index, as: failure)
            }
        }
    }

    func renew() {
        state.withLock { state in
            for index in state.slots.indices { end(index, in: &state) }
        }
    }

    func shutdown(graceMilliseconds: Int) async { renew() }

    private func receive(
        _ request: HTTP2Request, in state: inout State
    ) -> Result<HTTP2Response, HTTP2Failure> {
        guard let index = readySlot(in: &state), let connection = state.slots[index].connection
        else { return .failure(.neverSent("no connection")) }
        let reaction = state.apns.receive(request, on: connection, at: state.now)
        let end = settle(reaction.action, index, in: &state)
        var status: Int?
        if case .success(let response) = end { status = response.status }
        state.sights.append(
            Sight(
                at: state.now, id: reaction.record.apnsID,
                tokenIssuedAt: issuedAt(reaction.record.facts.authorization, in: &state),
                status: status))
        return end
    }

    /// The next connection; opens one where manners allow it.
    private func readySlot(in state: inout State) -> Int? {
        for _ in state.slots.indices {
            state.turn = (state.turn + 1) % state.slots.count
            let index = state.turn
            if state.slots[index].connection != nil { return index }
            let earliest = state.slots[index].backoff.nextConnect(dice: state.dice.next())
            guard earliest <= state.now else { continue }
            state.slots[index].backoff.connects(at: state.now)
            state.slots[index].connects.append(state.now)
            guard state.reach == .open else {
                state.slots[index].backoff.ended(at: state.now, usefulness: .failed)
                continue
            }
            state.connections += 1
            state.slots[index].connection = state.connections
            state.slots[index].usefulness = .opened
            return index
        }
        return nil
    }

    private func settle(
        _ action: HTTP2Server.Action, _ index: Int, in state: inout State
    ) -> Result<HTTP2Response, HTTP2Failure> {
        switch action {
        case .respond(let response, _):
            state.slots[index].usefulness = .responded
            return .success(response)
        case .goAway(let response, _):
            if response != nil { state.slots[index].usefulness = .responded }
            end(index, in: &state)
            return response.map { .success($0) } ?? .failure(.refused("GOAWAY"))
        case .resetStream: return .failure(.refused("the peer refused the stream"))
        case .ignore: return .failure(.unknown("no answer"))
        case .dropConnection, .fault:
            end(index, in: &state)
            return .failure(.unknown("the connection was lost"))
        }
    }

    private func end(_ index: Int, in state: inout State) {
        guard state.slots[index].connection != nil else { return }
        state.slots[index].connection = nil
        state.slots[index].backoff.ended(
            at: state.now, usefulness: state.slots[index].usefulness)
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
actor StoredTokens: ProviderTokenStorage {
    private var tokens: [String: StoredProviderToken] = [:]
    private let time: @Sendable () -> Int64

    init(time: @escaping @Sendable () -> Int64) { self.time = time }

    nonisolated var now: Int64 { time() }

    func load() -> [StoredProviderToken] { Array(tokens.values) }

    func save(_ token: StoredProviderToken) { tokens[token.keyID] = token }
}
