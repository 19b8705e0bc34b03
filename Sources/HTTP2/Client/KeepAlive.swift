/// Decides when to send a PING to a silent peer, and when to give up. Pure.
package struct KeepAlive: Sendable {
    package enum Action: Hashable, Sendable {
        case nothing
        case sendPing
        case declareDead
    }

    /// What the peer still has to send.
    package enum Expectation: Hashable, Sendable {
        case nothing
        /// Requests are in flight.
        case responses
    }

    private enum State {
        case listening
        case pinged(at: Int64)
    }

    private let idleMilliseconds: Int64
    private let timeoutMilliseconds: Int64
    private var state = State.listening
    private var lastHeard: Int64

    package init(idleMilliseconds: Int, timeoutMilliseconds: Int, now: Int64) {
        self.idleMilliseconds = Int64(idleMilliseconds)
        self.timeoutMilliseconds = Int64(timeoutMilliseconds)
        lastHeard = now
    }

    /// Records received bytes: any byte proves life, not only a PING's response.
    package mutating func record(at now: Int64) {
        lastHeard = now
        state = .listening
    }

    /// Returns the next action. With requests in flight, silence is suspicious as soon as a PING's
    /// response would be late.
    package mutating func tick(at now: Int64, expecting: Expectation) -> Action {
        switch state {
        case .pinged(let since) where now - since >= timeoutMilliseconds:
            return .declareDead
        case .pinged:
            return .nothing
        case .listening:
            let patience =
                switch expecting {
                case .nothing: idleMilliseconds
                case .responses: min(idleMilliseconds, timeoutMilliseconds)
                }
            guard now - lastHeard >= patience else { return .nothing }
            state = .pinged(at: now)
            return .sendPing
        }
    }
}
