extension HTTP2Server {
    /// How to receive new connections. A simulator changes it at run time, to play a host that is
    /// slow, silent or misidentified.
    package struct Reception: Hashable, Sendable {
        package var opening = Opening.usual
        /// The identity; `nil`: from the settings.
        package var identity: ServerIdentity?
        /// `nil`: from the settings.
        package var initialWindowSize: UInt32?
        package var replenishing = Replenishing.atOnce
        /// `nil`: from the settings.
        package var maxConcurrentStreams: UInt32?

        package init() {}
    }

    /// What happens between TCP and the first request.
    package enum Opening: Hashable, Sendable {
        case usual
        /// TLS begins after this delay.
        case late(milliseconds: Int)
        /// TCP is accepted, and nothing follows.
        case silent
        /// TLS succeeds, then these bytes are sent instead of HTTP/2.
        case invalidBytes([UInt8])
    }

    /// When a client's flow-control window is replenished.
    package enum Replenishing: Hashable, Sendable {
        /// As nghttp2 does, in steps of half a window.
        case atOnce
        /// This long after the bytes arrived.
        case after(milliseconds: Int)
        /// Never: an exhausted window stays so.
        case never
    }
}
