internal import Isolation

/// What the requests of a client were answered with.
package final class RequestTally: Sendable {
    /// So far.
    package struct Counts: Hashable, Sendable {
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

    private let state = Locked(Counts())

    package init() {}

    package var counts: Counts { state.withLock { $0 } }

    func note(_ response: HTTPClient.Response, to request: String, sentAt: Int64) {
        state.withLock { counts in
            switch response.status {
            case 503 where response.headers["retry-after"] != nil: counts.later += 1
            case 500...:
                counts.fail(
                    Failure(
                        words: "\(request) returned \(response.status)", hasAnswer: true,
                        sentAt: sentAt))
            default: counts.answered += 1
            }
        }
    }

    func note(_ error: HTTPClientError, to request: String, sentAt: Int64) {
        let failure = Failure(words: "\(request): \(error)", hasAnswer: false, sentAt: sentAt)
        state.withLock { $0.fail(failure) }
    }
}

extension RequestTally.Counts {
    private static let failuresMax = 200

    /// Returns the newest failures of requests that were sent since then, in words.
    func failures(ofRequestsSince time: Int64, answered: Bool = false) -> [String] {
        failures.filter { $0.sentAt >= time && ($0.hasAnswer || !answered) }.map(\.words)
    }

    fileprivate mutating func fail(_ failure: RequestTally.Failure) {
        failed += 1
        // Requests without an answer, of which there can be many, push out none that has one.
        let alike = failures.indices.filter { failures[$0].hasAnswer == failure.hasAnswer }
        if let oldest = alike.first, alike.count >= Self.failuresMax { failures.remove(at: oldest) }
        failures.append(failure)
    }
}
