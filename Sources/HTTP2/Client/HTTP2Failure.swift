/// Why a request has no response, by what is known of its outcome.
package enum HTTP2Failure: Error, Hashable, Sendable {
    /// Its HEADERS were not sent: safe to repeat.
    case neverSent(String)
    /// This side did not accept it, so it was not sent; an immediate retry would fail alike.
    case notTaken(String)
    /// Too many requests are waiting on this side, so it was not sent: safe to repeat later.
    case queueFull(String)
    /// The peer reported that it did nothing (REFUSED_STREAM, above GOAWAY's last id): safe to
    /// repeat.
    case refused(String)
    /// The peer may have acted on it.
    case unknown(String)
}
