package import HTTP2

/// What carries a client's requests: the pool, or a test's script.
package protocol PushTransport: Sendable {
    /// Sends in order where it can; every completion is called exactly once.
    func send(_ exchanges: [HTTP2Exchange])
    /// Drains the connections that exist and uses fresh ones from now on.
    func renew()
    /// Takes no more, waits for what is in flight within the bound, closes.
    func shutdown(graceMilliseconds: Int) async
}

extension ConnectionPool: PushTransport {}
