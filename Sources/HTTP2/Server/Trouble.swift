extension HTTP2Server {
    /// What only a server in trouble, or a simulator of one, does with a request.
    package enum Trouble: Sendable {
        /// The answer, then two GOAWAYs as RFC 9113 section 6.8 has them: the first names the
        /// highest stream there can be, the second, after the pause, the last one in fact.
        case goAwayTwice(HTTP2Response, debugData: [UInt8], pauseMilliseconds: Int)
        /// The answer, then another SETTINGS_MAX_CONCURRENT_STREAMS.
        case limitStreams(HTTP2Response, to: UInt32)
        /// The answer with a header block behind its body.
        case trail(HTTP2Response, [HTTP2Header])
        /// Bytes that are no HTTP/2 frames, then the connection ends.
        case babble([UInt8])
        /// The connection is neither read nor written any more, while TCP stays.
        case fallSilent
        /// The same for so long, as of a server that was stopped: then come the answer, and those
        /// to all that was sent meanwhile.
        case rest(HTTP2Response, milliseconds: Int)
    }
}
