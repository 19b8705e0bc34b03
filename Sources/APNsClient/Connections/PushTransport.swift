package import HTTP2

/// The transport of a client's requests: the pool, or a test's script.
package protocol PushTransport: Sendable {
    /// Sends in order where possible; completes every request exactly once.
    func send(_ batch: any HTTP2Batch)
    /// Connections ended by GOAWAY, by Apple's reason.
    var goAways: [String: Int] { get }
    /// Drains the current connections and uses fresh ones from now on.
    func renew()
    /// Stops accepting requests, waits up to the grace period for those in flight, and closes.
    func shutdown(graceMilliseconds: Int) async
}

extension ConnectionPool: PushTransport {}
