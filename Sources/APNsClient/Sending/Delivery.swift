package import HTTP2

/// One request on its way: what to do after each answer or failure. Pure; the dice are a parameter.
///
/// Only what cannot have been delivered is sent again here: requests that did not leave, that the
/// peer refused to look at, or that were refused for the provider token or the connection's sake.
/// An unknown fate is the caller's to judge: an update may be repeated, an alert would sound twice.
/// It ends with the first action that is none of sending: nothing is heard of it afterwards.
package struct Delivery: Sendable {
    /// What to do now.
    package enum Action: Hashable, Sendable {
        /// APNs has done what it was asked, and this is its answer.
        case succeed(HTTP2Answer)
        /// The same request once more.
        case sendAgain(afterMilliseconds: Int)
        /// With another provider token, on a connection that has not seen the old one. Where there
        /// is none to try with, the refusal stands.
        case sendWithNewToken(otherwise: APNsClient.Refusal)
        /// On a fresh connection. Where there is no time left for it, the refusal stands.
        case sendOnFreshConnection(otherwise: APNsClient.Refusal)
        /// It ends without success.
        case fail(RequestFailure)
    }

    /// Sends that are repeated because nothing can have arrived, the first one included.
    package static let attemptLimit = 4
    /// The connections try again on their own while a push waits; what took them longer than this
    /// is reported, since newer content may be due meanwhile.
    package static let patienceMilliseconds: Int64 = 5_000
    /// The first repetition leaves at once, the second after this, each later one after twice.
    package static let backoffMilliseconds = 200
    /// 200 for pushes and readings, 201 and 204 for channels that were made and deleted.
    private static let successes = 200..<300

    /// What may be tried once in a push's life.
    private struct Tried: OptionSet {
        let rawValue: Int
        static let newToken = Tried(rawValue: 1)
        static let freshConnection = Tried(rawValue: 2)
    }

    /// The number of the present attempt.
    private var attempt = 1
    private var tried: Tried = []

    package init() {}

    /// Has APNs done what it was asked? Then there is nothing to decide.
    static func isSuccess(_ answer: HTTP2Answer) -> Bool {
        successes.contains(answer.status)
    }

    /// The peer has answered.
    package mutating func answered(_ answer: HTTP2Answer) -> Action {
        if Self.isSuccess(answer) { return .succeed(answer) }
        let refusal = APNsAnswer(body: answer.body).refusal(status: answer.status)
        switch refusal.action {
        case .renewProviderToken where !tried.contains(.newToken),
            .changeProviderKey where !tried.contains(.newToken):
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

    /// The request came to an end without an answer.
    ///
    /// - Parameters:
    ///   - failure: What is known of its fate.
    ///   - elapsed: Milliseconds since the push was handed in.
    ///   - dice: 0..<1, for the jitter of the wait.
    /// - Returns: What to do now.
    package mutating func failed(
        _ failure: HTTP2Failure, afterMilliseconds elapsed: Int64, dice: Double
    ) -> Action {
        let isOver = attempt >= Self.attemptLimit || elapsed >= Self.patienceMilliseconds
        switch failure {
        case .unknown(let detail):
            return .fail(.unknown(detail))
        case .notTaken(let detail):
            return .fail(.notTaken(detail))
        case .neverSent(let detail) where isOver, .refused(let detail) where isOver:
            return .fail(.notSent("\(detail) (attempt \(attempt))"))
        case .neverSent, .refused:
            defer { attempt += 1 }
            return .sendAgain(afterMilliseconds: Self.delay(afterAttempt: attempt, dice: dice))
        }
    }

    /// Half of it fixed, half by the dice: many pushes that failed together spread out.
    private static func delay(afterAttempt attempt: Int, dice: Double) -> Int {
        guard attempt > 1 else { return 0 }
        let whole = backoffMilliseconds << (attempt - 2)
        return whole / 2 + Int(Double(whole) / 2 * min(max(dice, 0), 1))
    }
}
