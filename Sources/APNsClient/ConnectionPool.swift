package import HTTP2

/// Several HTTP/2 connections to one APNs host, on one thread: opens, drains and replaces them,
/// and spreads requests over them.
package final class ConnectionPool: Sendable {
    package struct Settings: Sendable {
        package var host: String
        package var port: UInt16 = 443
        /// A PEM file of trusted roots; `nil`: the system's.
        package var trustedCAFile: String?
        package var connections = 2
        package var connectTimeoutMilliseconds = 10_000
        package var requestTimeoutMilliseconds = 30_000
        /// How long a connection may be quiet before a PING asks whether the peer lives.
        package var pingAfterIdleMilliseconds = 30_000
        package var pingTimeoutMilliseconds = 5_000
        /// Requests that wait for a stream; above it new ones fail at once as never sent.
        package var queueMax = 10_000

        package init(host: String) { self.host = host }
    }

    /// Connects lazily. Throws when the CA file cannot be used.
    package init(_ settings: Settings) throws(APNsConfigurationError) {}

    /// Sends in order where it can; every completion is called exactly once, on the pool's thread.
    package func send(_ exchanges: [HTTP2Exchange]) {}

    /// Drains the connections that exist and uses fresh ones from now on.
    package func renew() {}

    /// Takes no more, waits for what is in flight within the bound, closes.
    package func shutdown(graceMilliseconds: Int) async {}
}

/// Settings that cannot work; the message says what to do.
public enum APNsConfigurationError: Error, Hashable, Sendable {
    case unusable(String)
}
