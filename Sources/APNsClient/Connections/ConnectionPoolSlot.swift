internal import HTTP2

/// A place for one connection at a time.
struct ConnectionPoolSlot {
    /// The connection that is opened or in use.
    var connection: ClientConnection?
    /// Is a connect already planned?
    var plan = Plan.none
    /// How many connects there were: each begins with another address of the host.
    var attempts = 0

    enum Plan {
        case none
        case timer(EventLoop.TimerID)
    }
}
