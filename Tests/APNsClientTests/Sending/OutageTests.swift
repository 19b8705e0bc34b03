internal import HTTP2
internal import Isolation
internal import Testing

@testable internal import APNsClient

/// What a pool with one slot does while connects are refused, without sockets and without time:
/// requests wait in its queue as long as they would there, and a connect happens when the slot's
/// manners allow it and something waits. Its dice always roll the longest pause.
private final class RefusedPool: PushTransport {
    private struct Waiting {
        let batch: any HTTP2Batch
        let index: Int
        let until: Int64
    }

    private struct State {
        var waiting: [Waiting] = []
        var backoff: ReconnectBackoff
        /// When the slot may connect; rolled when the last connect ended.
        var nextConnect = Int64.min
        var isConnected = false
        var connects = 0
    }

    private let settings: ConnectionPool.Settings
    private let clock: TestClock
    private let state: Locked<State>

    init(_ settings: ConnectionPool.Settings, clock: TestClock) {
        self.settings = settings
        self.clock = clock
        state = Locked(State(backoff: ReconnectBackoff(settings.reconnect)))
    }

    var goAways: [String: Int] { [:] }
    var connects: Int { state.withLock { $0.connects } }

    func send(_ batch: any HTTP2Batch) {
        let until = clock.now + Int64(settings.queueWaitMaxMilliseconds)
        state.withLock { state in
            state.waiting += (0..<batch.count).map {
                Waiting(batch: batch, index: $0, until: until)
            }
        }
    }

    /// Does what is due; `isReachable` tells what a connect meets.
    func turn(isReachable: Bool) {
        let now = clock.now
        let (answered, overdue) = state.withLock { state -> ([Waiting], [Waiting]) in
            if !state.isConnected, !state.waiting.isEmpty, state.nextConnect <= now {
                connect(&state, isReachable: isReachable, at: now)
            }
            defer { state.waiting.removeAll { state.isConnected || $0.until <= now } }
            return state.isConnected
                ? (state.waiting, []) : ([], state.waiting.filter { $0.until <= now })
        }
        for request in answered {
            request.batch.completed(request.index, with: HTTP2Response(status: 200))
        }
        for request in overdue {
            request.batch.failed(request.index, as: .neverSent("connection refused"))
        }
    }

    private func connect(_ state: inout State, isReachable: Bool, at now: Int64) {
        state.connects += 1
        state.backoff.connects(at: now)
        state.isConnected = isReachable
        guard !isReachable else { return }
        state.backoff.ended(at: now, usefulness: .failed)
        // Half of the longest pause is rolled.
        let longest = UInt64(settings.reconnect.maxMilliseconds / 2)
        state.nextConnect = state.backoff.nextConnect(dice: longest)
    }

    func renew() {}
    func shutdown(graceMilliseconds: Int) async {}
}

/// Ten cards, and a sender that takes the client's advice, over an outage.
private final class Outage: Sendable {
    private enum Card: Hashable {
        case due(at: Int64)
        case inFlight
        case current
    }

    /// How often the sender and the pool look.
    private static let step: Int64 = 250
    /// What the sender waits after a push that did not leave.
    private static let notSentPause: Int64 = 1_000
    private let clock = TestClock()
    private let pool: RefusedPool
    private let client: APNsClient
    private let start: Int64
    private let cards: Locked<[Card]>

    /// `spread` is what the client's dice always show: it moves its tries against the connects.
    init(_ settings: ConnectionPool.Settings, spread: Double) throws {
        start = clock.now
        pool = RefusedPool(settings, clock: clock)
        cards = Locked(Array(repeating: .due(at: start), count: 10))
        var dependencies = clock.dependencies
        dependencies.dice = { spread }
        client = try APNsClient(
            APNsClient.Configuration(
                host: "localhost", keyID: Sample.keyID, teamID: Sample.teamID,
                privateKeyPEM: ES256PrivateKey.generate()),
            dependencies: dependencies, transport: pool)
    }

    /// How long after the outage's end the last card was current.
    func recovery(afterMilliseconds length: Int64) -> Int64 {
        while clock.now < start + length { step(isReachable: false) }
        while cards.withLock({ $0.contains { $0 != .current } }) { step(isReachable: true) }
        return clock.now - start - length
    }

    private func step(isReachable: Bool) {
        let now = clock.now
        let due = cards.withLock { cards in
            let due = cards.indices.filter {
                if case .due(let time) = cards[$0] { time <= now } else { false }
            }
            for index in due { cards[index] = .inFlight }
            return due
        }
        for index in due {
            client.send(Sample.request(token: DeviceToken(hex: "0\(index)"))) { [self] outcome in
                let card = next(after: outcome)
                cards.withLock { $0[index] = card }
            }
        }
        pool.turn(isReachable: isReachable)
        clock.advance(milliseconds: Self.step)
    }

    private func next(after outcome: APNsClient.Outcome) -> Card {
        switch outcome {
        case .accepted: .current
        case .heldBack(_, let wait): .due(at: clock.now + wait)
        case .refused, .notSent, .unknown: .due(at: clock.now + Self.notSentPause)
        }
    }
}

@Suite("PR6: an outage that refuses connections", .timeLimit(.minutes(2)))
struct OutageTests {
    /// The longest recovery of outages that end at every second of the longest pause.
    private func longestRecovery(
        _ configure: (inout ConnectionPool.Settings) -> Void = { _ in }
    ) throws -> Int64 {
        var settings = ConnectionPool.Settings.toLoopback
        configure(&settings)
        var longest: Int64 = 0
        for second in 0...(settings.reconnect.maxMilliseconds / 1_000) {
            for spread in [0, 0.3, 0.6, 0.999] {
                let outage = try Outage(settings, spread: spread)
                longest = max(
                    longest, outage.recovery(afterMilliseconds: 4 * 60_000 + second * 1_000))
            }
        }
        return longest
    }

    @Test("whenever it ends, and however the dice fall, all cards are current within a minute")
    func current() throws {
        let longest = try longestRecovery()
        // The rest of the minute is for a connect that takes all its time and fails.
        let connect = ConnectionPool.Settings.toLoopback.connectTimeoutMilliseconds
        #expect(longest <= 60_000 - Int64(connect))
        #expect(longest > 30_000, "the longest pause was met")
    }

    @Test("control: with pauses of a minute between connects they would not be")
    func control() throws {
        let longest = try longestRecovery { $0.reconnect.maxMilliseconds = 60_000 }
        #expect(longest > 60_000)
    }
}
