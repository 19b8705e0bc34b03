/// A scripted fault: its effect, the pushes it affects, and how often.
///
/// ```swift
/// simulator.add(Fault(.refuse(.serviceUnavailable), times: 3))
/// simulator.add(Fault(.goAway(reason: "Shutdown"), every: 5_000))
/// simulator.add(Fault(.dropConnection(.accepted), for: .share(0.01)))
/// ```
package struct Fault: Sendable {
    /// What APNs did with the push before the fault.
    package enum Handling: String, CaseIterable, Hashable, Sendable {
        /// Nothing: repeating the push does not duplicate it.
        case untouched
        /// The push was handled normally, and perhaps accepted; only the response is lost.
        case accepted
    }

    package enum Effect: Hashable, Sendable {
        /// A refusal, Apple's or any other, with the `timestamp` of a 410.
        case refuse(RefusalReason, timestamp: Int64? = nil)
        /// An arbitrary response.
        case answer(status: Int, body: [UInt8])
        /// The normal response, delayed.
        case delay(milliseconds: Int)
        /// The normal response after a random delay, so that responses arrive out of order.
        case shuffle(milliseconds: ClosedRange<Int>)
        /// RST_STREAM; 7 is REFUSED_STREAM, which promises that nothing was done.
        case resetStream(errorCode: UInt32, Handling = .untouched)
        case dropConnection(Handling)
        /// The normal response, then GOAWAY with `{"reason": …}`.
        case goAway(reason: String)
        /// The normal response, then two GOAWAYs as in RFC 9113 section 6.8.
        case goAwayTwice(reason: String, pauseMilliseconds: Int)
        /// GOAWAY that leaves this push and later ones unprocessed.
        case goAwayUnprocessed(reason: String)
        /// No response.
        case ignore(Handling)
        /// The connection is neither read nor written from now on; TCP stays open.
        case silence(Handling)
        /// The same for so long, like a suspended server. Then come the normal response, and those
        /// to all requests sent meanwhile.
        case rest(milliseconds: Int)
        /// The normal response, then another stream limit.
        case limitStreams(UInt32)
        /// A response that no client should trust.
        case garbage(InvalidResponse, Handling = .untouched)
        /// The normal response with trailers.
        case trailers
        /// The normal response with this many extra bytes of headers.
        case hugeHeaders(bytes: Int)
    }

    package enum Scope: Hashable, Sendable {
        case all
        /// Pushes to this device token.
        case token(String)
        /// Requests about this channel, by its id.
        case channel(String)
        /// This share of all requests, 0…1, chosen at random.
        case share(Double)
    }

    package let effect: Effect
    package let scope: Scope
    /// The pushes in scope that pass before it begins.
    package let skipping: Int
    /// After that, it affects every n-th push.
    package let every: Int
    /// The number of times it takes effect; `nil`: unlimited.
    package let times: Int?

    package init(
        _ effect: Effect, for scope: Scope = .all, skipping: Int = 0, every: Int = 1,
        times: Int? = nil
    ) {
        precondition(skipping >= 0 && every >= 1, "skipping \(skipping), every \(every)")
        self.effect = effect
        self.scope = scope
        self.skipping = skipping
        self.every = every
        self.times = times
    }
}

/// The same where `Fault` is that of a simulation.
package typealias APNsFault = Fault

extension Fault.Effect: CustomStringConvertible {
    /// A description for a push's record.
    package var description: String {
        switch self {
        case .refuse(let reason, _): "\(reason.status) \(reason.rawValue)"
        case .answer(let status, _): "status \(status)"
        case .delay(let milliseconds): "delay \(milliseconds) ms"
        case .resetStream(let code, _): "reset stream \(code)"
        case .dropConnection: "drop connection"
        case .goAway(let reason): "goaway \(reason)"
        case .goAwayUnprocessed(let reason): "goaway \(reason), unprocessed"
        case .ignore: "ignore"
        case .shuffle(let range): "delay \(range.lowerBound) to \(range.upperBound) ms"
        case .goAwayTwice(let reason, _): "goaway \(reason), twice"
        case .silence: "silence"
        case .rest(let milliseconds): "silence of \(milliseconds) ms"
        case .limitStreams(let count): "limit of \(count) streams"
        case .garbage(let garbage, _): "garbage \(garbage.rawValue)"
        case .trailers: "trailers"
        case .hugeHeaders(let bytes): "\(bytes) bytes of headers"
        }
    }
}
