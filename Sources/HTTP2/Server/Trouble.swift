extension HTTP2Server {
    /// Faults that a failing server, or a simulator of one, produces for a request.
    package enum Trouble: Sendable {
        /// Responds, then sends two GOAWAYs as in RFC 9113 section 6.8: the first with the highest
        /// possible stream, the second, after the pause, with the actual last one.
        case goAwayTwice(HTTP2Response, debugData: [UInt8], pauseMilliseconds: Int)
        /// Responds, then changes SETTINGS_MAX_CONCURRENT_STREAMS.
        case limitStreams(HTTP2Response, to: UInt32)
        /// Responds with trailers.
        case trail(HTTP2Response, [HTTP2Header])
        /// Sends bytes that are not HTTP/2 frames, then ends the connection.
        case babble([UInt8])
        /// Stops reading and writing, while TCP stays open.
        case fallSilent
        /// Does the same for so long, like a suspended server. Then it responds to this request and
        /// to those sent meanwhile.
        case rest(HTTP2Response, milliseconds: Int)
    }
}
