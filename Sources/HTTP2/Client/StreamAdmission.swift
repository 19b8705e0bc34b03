/// How many requests a connection may have in flight. Pure.
///
/// Nothing before the peer's first SETTINGS; then never more than the peer allows; and, where the
/// start is careful, one alone until the peer has accepted a request.
package struct StreamAdmission: Sendable {
    /// What a fresh connection may do.
    package enum Start: Sendable {
        /// One request until the first 2xx answer, whatever SETTINGS say.
        case oneUntilAccepted
        /// As many as SETTINGS say, at once.
        case peerLimit
    }

    private enum State {
        case waitingForSettings
        case proving(limit: Int)
        case open(limit: Int)
    }

    /// A peer that names no limit gets no more than this.
    static let unlimitedMax = 1_000

    private let start: Start
    private var state = State.waitingForSettings
    /// After REFUSED_STREAM nothing starts until then: trying at once would meet the same peer.
    private var pausedUntil = Int64.min

    package init(_ start: Start) {
        self.start = start
    }

    /// SETTINGS came, the first or later ones.
    package mutating func peerAllows(_ streams: UInt32) {
        // 2^32 - 1 means that no limit was named.
        let limit = streams == .max ? Self.unlimitedMax : Int(streams)
        switch (state, start) {
        case (.waitingForSettings, .oneUntilAccepted), (.proving, _): state = .proving(limit: limit)
        case (.waitingForSettings, .peerLimit), (.open, _): state = .open(limit: limit)
        }
    }

    /// An answer came.
    package mutating func answered(status: Int) {
        guard case .proving(let limit) = state, (200..<300).contains(status) else { return }
        state = .open(limit: limit)
    }

    /// The peer refused a stream without ending the connection.
    package mutating func streamWasRefused(at now: Int64, pauseMilliseconds: Int64) {
        pausedUntil = now + pauseMilliseconds
    }

    /// How many more may start now.
    package func room(inFlight: Int, at now: Int64) -> Int {
        guard now >= pausedUntil else { return 0 }
        switch state {
        case .waitingForSettings: return 0
        case .proving(let limit): return max(0, min(limit, 1) - inFlight)
        case .open(let limit): return max(0, limit - inFlight)
        }
    }
}
