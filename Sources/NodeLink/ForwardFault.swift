package import HTTPServer

/// Why there is no response from another node. The texts are for logs.
package enum ForwardFault: Error, Hashable, Sendable {
    /// The other node did not get the request, or refused it before its handler: it can be sent
    /// again, there or elsewhere.
    case notReached(String)
    /// The request was sent, and there is no complete response: whether it was performed is
    /// unknown. A forwarder never sends it again, except a GET, which changes nothing.
    case unknownOutcome(String)
    /// Too many requests or streams are under way; nothing was sent, or a stream was refused.
    case overloaded
    /// `Hop.countMax` nodes have forwarded it already: what it concerns is moving.
    case tooManyHops
}

extension ForwardFault {
    /// Whether the other node is at fault, or the way to it.
    package var isOfOtherNode: Bool {
        switch self {
        case .notReached, .unknownOutcome: true
        case .overloaded, .tooManyHops: false
        }
    }

    /// The response to the client: a 503 with `Retry-After`.
    package var problem: Problem {
        switch self {
        case .notReached, .tooManyHops:
            .unavailable("The server that owns this data cannot be reached: try again soon.")
        case .unknownOutcome:
            .unavailable(
                """
                The server that owns this data did not respond. The request may have succeeded: \
                try again with the same Idempotency-Key, or read the state first.
                """)
        case .overloaded:
            .unavailable("Too many requests are waiting for another server: try again soon.")
        }
    }
}

extension ForwardFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notReached(let why): "not reached: \(why)"
        case .unknownOutcome(let why): "no complete response: \(why)"
        case .overloaded: "too many forwarded requests or streams"
        case .tooManyHops: "\(Hop.countMax) nodes have forwarded this request"
        }
    }
}
