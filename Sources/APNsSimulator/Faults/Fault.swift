/// A scripted fault: what happens, to which pushes, and how often.
///
/// ```swift
/// simulator.add(Fault(.refuse(.serviceUnavailable), times: 3))
/// simulator.add(Fault(.goAway(reason: "Shutdown"), every: 5_000))
/// simulator.add(Fault(.dropConnection(.accepted), for: .share(0.01)))
/// ```
package struct Fault: Sendable {
    /// What Apple's side did with the push before the fault.
    package enum Fate: String, CaseIterable, Hashable, Sendable {
        /// Nothing: sending it again doubles nothing.
        case untouched
        /// The push was judged as usual, and perhaps accepted; only the answer is lost.
        case accepted
    }

    package enum Effect: Hashable, Sendable {
        /// One of Apple's answers; `timestamp` as a 410 carries it.
        case refuse(RefusalReason, timestamp: Int64? = nil)
        /// Any answer whatever.
        case answer(status: Int, body: [UInt8])
        /// The usual answer, later.
        case delay(milliseconds: Int)
        /// The usual answer, late by the dice: answers come out of order.
        case shuffle(milliseconds: ClosedRange<Int>)
        /// RST_STREAM; 7 is REFUSED_STREAM, which promises that nothing was done.
        case resetStream(errorCode: UInt32, Fate = .untouched)
        case dropConnection(Fate)
        /// The usual answer, then GOAWAY with `{"reason": …}`.
        case goAway(reason: String)
        /// The usual answer, then two GOAWAYs as RFC 9113 section 6.8 has them.
        case goAwayTwice(reason: String, pauseMilliseconds: Int)
        /// GOAWAY that leaves this push, and what came after it, unprocessed.
        case goAwayUnprocessed(reason: String)
        /// No answer, ever.
        case ignore(Fate)
        /// The connection is neither read nor written from now on; TCP stays.
        case silence(Fate)
        /// The same for so long, as of a server that was stopped: then come the usual answer, and
        /// those to all that was sent meanwhile.
        case rest(milliseconds: Int)
        /// The usual answer, then another limit of streams.
        case limitStreams(UInt32)
        /// An answer that no client should trust.
        case garbage(Garbage, Fate = .untouched)
        /// The usual answer with a header block behind it.
        case trailers
        /// The usual answer with so many bytes of headers more.
        case hugeHeaders(bytes: Int)

        /// 421: this connection is not the one to ask (RFC 9110 section 15.5.20).
        package static let misdirected = Effect.answer(status: 421, body: [])
    }

    package enum Scope: Hashable, Sendable {
        case all
        /// Pushes to this device token.
        case token(String)
        /// Requests about this channel, by its id.
        case channel(String)
        /// So many of all, 0…1, by the simulator's dice.
        case share(Double)
    }

    package let effect: Effect
    package let scope: Scope
    /// So many pushes of the scope pass before it begins.
    package let skipping: Int
    /// Then it meets each n-th one.
    package let every: Int
    /// It ends after so many times; `nil`: never.
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

extension Fault.Effect: CustomStringConvertible {
    /// For the record of a push.
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
