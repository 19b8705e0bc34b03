internal import HTTP2

/// A place for one connection at a time.
struct ConnectionPoolSlot {
    /// The connection being opened or in use.
    var connection: ClientConnection?
    /// Whether a connect is planned.
    var plan = Plan.none
    /// The number of connects: each begins with another address of the host.
    var attempts = 0

    enum Plan {
        case none
        case timer(EventLoop.TimerID)
    }
}
