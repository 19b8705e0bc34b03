/// Decides when to ask a silent peer whether it lives, and when to give it up. Pure.
package struct KeepAlive: Sendable {
    package enum Action: Hashable, Sendable {
        case nothing
        case sendPing
        case declareDead
    }

    /// What the peer owes.
    package enum Expectation: Hashable, Sendable {
        case nothing
        /// Requests are in flight.
        case answers
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

    /// Any byte proves life, the PING's answer or not.
    package mutating func heard(at now: Int64) {
        lastHeard = now
        state = .listening
    }

    /// With requests in flight, silence is suspicious as soon as a PING's answer would be late.
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
                case .answers: min(idleMilliseconds, timeoutMilliseconds)
                }
            guard now - lastHeard >= patience else { return .nothing }
            state = .pinged(at: now)
            return .sendPing
        }
    }
}
