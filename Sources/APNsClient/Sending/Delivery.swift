package import HTTP2

/// The attempts of one request: decides what to do after each response or failure. Pure; random
/// numbers are a parameter.
///
/// It repeats only requests that cannot have been delivered: those that were not sent, that the
/// peer did not process, or that were refused because of the provider token or the connection.
/// After an unknown outcome the caller decides: an update may be repeated, an alert would sound
/// twice. The first action that sends nothing is the last.
package struct Delivery: Sendable {
    /// The next step.
    package enum Action: Hashable, Sendable {
        /// APNs did as requested; its response.
        case succeed(HTTP2Response)
        /// Repeat the same request.
        case sendAgain(afterMilliseconds: Int)
        /// Repeat with another provider token, on a connection that has not carried the old one. If
        /// no token is available, the refusal stands.
        case sendWithNewToken(otherwise: APNsClient.Refusal)
        /// Repeat on a fresh connection. If no time is left, the refusal stands.
        case sendOnFreshConnection(otherwise: APNsClient.Refusal)
        /// End without success.
        case fail(RequestFailure)
    }

    /// The limit of attempts that cannot have arrived, the first one included.
    package static let attemptLimit = 4
    /// The connections retry on their own while a push waits. Failures after a longer wait are
    /// reported, because newer content may be due.
    package static let patienceMilliseconds: Int64 = 5_000
    /// A request that found the queue full waits between this time and twice as long.
    private static let fullQueueMilliseconds = 1_000.0
    /// The first repetition is immediate, the second waits this long, and each later one twice as
    /// long.
    package static let backoffMilliseconds = 200
    /// 200 for pushes and reads, 201 and 204 for created and deleted channels.
    private static let successes = 200..<300

    /// Repetitions that are allowed once for each push.
    private struct Tried: OptionSet {
        let rawValue: Int
        static let newToken = Tried(rawValue: 1)
        static let freshConnection = Tried(rawValue: 2)
    }

    /// The number of the current attempt.
    private var attempt = 1
    private var tried: Tried = []

    package init() {}

    /// Returns whether APNs did as requested, so that nothing is left to decide.
    static func isSuccess(_ response: HTTP2Response) -> Bool {
        successes.contains(response.status)
    }

    /// Returns the next step after a response.
    package mutating func received(_ response: HTTP2Response) -> Action {
        if Self.isSuccess(response) { return .succeed(response) }
        let refusal = RefusalBody(body: response.body).refusal(status: response.status)
        switch refusal.action {
        case .renewProviderToken where !tried.contains(.newToken),
            .changeProviderKey where !tried.contains(.newToken),
            .fixSettings where refusal.mayBlameKey && !tried.contains(.newToken):
            tried.insert(.newToken)
            return .sendWithNewToken(otherwise: refusal)
        case .newConnection where !tried.contains(.freshConnection):
            tried.insert(.freshConnection)
            return .sendOnFreshConnection(otherwise: refusal)
        case .dropToken, .deadLetter, .fixSettings, .renewProviderToken, .changeProviderKey,
            .newConnection, .backOffDevice, .stopMinting, .backOffHost, .retryLater:
            return .fail(.refused(refusal))
        }
    }

    /// Returns the next step after a request ended without a response.
    ///
    /// - Parameters:
    ///   - failure: What is known of its outcome.
    ///   - elapsed: Milliseconds since the push was submitted.
    ///   - dice: 0..<1, for the jitter of the wait.
    /// - Returns: The next step.
    package mutating func failed(
        _ failure: HTTP2Failure, afterMilliseconds elapsed: Int64, dice: Double
    ) -> Action {
        let isOver = attempt >= Self.attemptLimit || elapsed >= Self.patienceMilliseconds
        switch failure {
        case .unknown(let detail):
            return .fail(.unknown(detail))
        case .notTaken(let detail):
            return .fail(.notTaken(detail))
        case .queueFull(let detail):
            let wait = Self.fullQueueMilliseconds * (1 + min(max(dice, 0), 1))
            return .fail(.heldBack(detail, retryAfterMilliseconds: Int64(wait)))
        case .neverSent(let detail) where isOver, .refused(let detail) where isOver:
            return .fail(.notSent("\(detail) (attempt \(attempt))"))
        case .neverSent, .refused:
            defer { attempt += 1 }
            return .sendAgain(afterMilliseconds: Self.delay(afterAttempt: attempt, dice: dice))
        }
    }

    /// Returns a delay of which half is fixed and half random, so that pushes that failed together
    /// spread out.
    private static func delay(afterAttempt attempt: Int, dice: Double) -> Int {
        guard attempt > 1 else { return 0 }
        let whole = backoffMilliseconds << (attempt - 2)
        return whole / 2 + Int(Double(whole) / 2 * min(max(dice, 0), 1))
    }
}
