/// Limits the requests that a connection may have in flight. Pure.
///
/// The limit is 0 before the peer's first SETTINGS, and never more than the peer allows. With a
/// careful start, it is 1 until the peer has accepted a request.
package struct StreamAdmission: Sendable {
    /// What a fresh connection may do.
    package enum Start: Sendable {
        /// One request until the first 2xx response, whatever SETTINGS allow.
        case oneUntilAccepted
        /// As many as SETTINGS allow, at once.
        case peerLimit
    }

    private enum State {
        case waitingForSettings
        case proving(limit: Int)
        case open(limit: Int)
    }

    /// The limit for a peer that specifies none.
    static let unlimitedMax = 1_000

    private let start: Start
    private var state = State.waitingForSettings
    /// Nothing starts until then after REFUSED_STREAM: an immediate retry would reach the same
    /// peer.
    private var pausedUntil = Int64.min

    package init(_ start: Start) {
        self.start = start
    }

    /// Records the peer's limit from the first or later SETTINGS.
    package mutating func peerAllows(_ streams: UInt32) {
        // 2^32 - 1 means no limit.
        let limit = streams == .max ? Self.unlimitedMax : Int(streams)
        switch (state, start) {
        case (.waitingForSettings, .oneUntilAccepted), (.proving, _): state = .proving(limit: limit)
        case (.waitingForSettings, .peerLimit), (.open, _): state = .open(limit: limit)
        }
    }

    /// Records a response.
    package mutating func responded(status: Int) {
        guard case .proving(let limit) = state, (200..<300).contains(status) else { return }
        state = .open(limit: limit)
    }

    /// Records that the peer refused a stream without ending the connection.
    package mutating func streamWasRefused(at now: Int64, pauseMilliseconds: Int64) {
        pausedUntil = now + pauseMilliseconds
    }

    /// Returns how many more requests may start now.
    package func room(inFlight: Int, at now: Int64) -> Int {
        guard now >= pausedUntil else { return 0 }
        switch state {
        case .waitingForSettings: return 0
        case .proving(let limit): return max(0, min(limit, 1) - inFlight)
        case .open(let limit): return max(0, limit - inFlight)
        }
    }
}
