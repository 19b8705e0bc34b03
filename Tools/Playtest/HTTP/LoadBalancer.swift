internal import Isolation

/// What stands before several servers: it gives each request to one of them at random, and leaves
/// out one that refuses connections or does not answer for a while.
package final class LoadBalancer: Sendable {
    /// What the servers have answered.
    package struct Tally: Hashable, Sendable {
        /// Every answer but 5xx.
        package internal(set) var answered = 0
        /// 503 with `Retry-After`.
        package internal(set) var later = 0
        /// Other 5xx, and requests without an answer.
        package internal(set) var failed = 0
        /// The newest of these.
        var failures: [Failure] = []
    }

    struct Failure: Hashable, Sendable {
        let words: String
        let hasAnswer: Bool
        /// As of `Now`, in milliseconds.
        let sentAt: Int64
    }

    private struct State {
        var restsUntil: [ContinuousClock.Instant?]
        var tally = Tally()
    }

    private static let rest = Duration.seconds(1)
    /// Longer than between two checks of a server's health.
    private static let illness = Duration.seconds(60)

    private let origins: [String]
    private let state: Locked<State>

    /// - Parameter origins: As in "http://127.0.0.1:8080", without a slash at the end.
    package init(_ origins: [String]) {
        self.origins = origins
        state = Locked(State(restsUntil: origins.map { _ in nil }))
    }

    package var tally: Tally { state.withLock { $0.tally } }

    var count: Int { origins.count }

    /// Returns a server's number and origin: one that rests only if all do.
    func choose() -> (number: Int, origin: String) {
        guard origins.count > 1 else { return (0, origins[0]) }
        let now = ContinuousClock.now
        let number = state.withLock { state in
            let awake = state.restsUntil.indices.filter { index in
                state.restsUntil[index].map { $0 <= now } ?? true
            }
            return awake.randomElement() ?? Int.random(in: state.restsUntil.indices)
        }
        return (number, origins[number])
    }

    /// Leaves a server out for a while.
    func rest(_ number: Int) {
        state.withLock { $0.restsUntil[number] = .now.advanced(by: Self.rest) }
    }

    /// Leaves a server out until its health is better, or no longer.
    package func note(_ number: Int, isHealthy: Bool) {
        state.withLock { state in
            state.restsUntil[number] = isHealthy ? nil : .now.advanced(by: Self.illness)
        }
    }

    func note(_ response: HTTPClient.Response, to request: String, sentAt: Int64) {
        state.withLock { state in
            switch response.status {
            case 503 where response.headers["retry-after"] != nil: state.tally.later += 1
            case 500...:
                state.tally.fail(
                    Failure(
                        words: "\(request) returned \(response.status)", hasAnswer: true,
                        sentAt: sentAt))
            default: state.tally.answered += 1
            }
        }
    }

    func note(_ error: HTTPClientError, to request: String, sentAt: Int64) {
        let failure = Failure(words: "\(request): \(error)", hasAnswer: false, sentAt: sentAt)
        state.withLock { $0.tally.fail(failure) }
    }
}

extension LoadBalancer.Tally {
    private static let failuresMax = 200

    /// Returns the newest failures of requests that were sent since then, in words.
    func failures(ofRequestsSince time: Int64, answered: Bool = false) -> [String] {
        failures.filter { $0.sentAt >= time && ($0.hasAnswer || !answered) }.map(\.words)
    }

    fileprivate mutating func fail(_ failure: LoadBalancer.Failure) {
        failed += 1
        // Requests without an answer, of which there can be many, push out none that has one.
        let alike = failures.indices.filter { failures[$0].hasAnswer == failure.hasAnswer }
        if let oldest = alike.first, alike.count >= Self.failuresMax { failures.remove(at: oldest) }
        failures.append(failure)
    }
}
