package import HTTP2

/// Several HTTP/2 connections to one APNs host, on one thread. Opens, drains and replaces them, and
/// distributes requests among them.
///
/// A request that certainly had no effect (not sent, or refused) moves to another connection. It
/// fails only at its deadline or when no attempt is left.
package final class ConnectionPool: Sendable {
    /// A client's configuration without its identity, plus internal settings.
    package struct Settings: Sendable {
        package var host: String
        package var port: UInt16
        /// The HTTP proxy; `nil`: none.
        package var proxy: HTTPProxy?
        /// A PEM file of trusted roots; `nil`: the system's roots.
        package var trustedCAFile: String?
        package var connections: Int
        package var connectTimeoutMilliseconds: Int
        /// The limit from `send` to the response, with the wait for a stream.
        package var requestTimeoutMilliseconds: Int
        /// How long a request may wait for a stream. After that it fails as not sent.
        package var queueWaitMaxMilliseconds: Int
        /// How long a connection may be idle before a PING checks it: Apple wants at most one an
        /// hour. With requests in flight `pingTimeoutMilliseconds` applies.
        package var pingAfterIdleMilliseconds = 3_600_000
        package var pingTimeoutMilliseconds = 5_000
        /// The most requests that may wait for a stream. Beyond it new ones are refused.
        package var queueMax: Int
        /// How often the peer may refuse a request before it fails.
        package var refusalsMax = 5
        /// When a connection makes no progress and must be replaced.
        package var stall = StallDetector.Limits()
        /// When a connection may be replaced.
        package var reconnect = ReconnectBackoff.Limits()
        /// What a fresh connection may send before its first accepted request.
        package var start = StreamAdmission.Start.oneUntilAccepted

        package init(_ configuration: APNsClient.Configuration) {
            host = configuration.host
            port = configuration.port
            proxy = configuration.proxy?.proxy
            trustedCAFile = configuration.trustedCAFile
            connections = configuration.connections
            connectTimeoutMilliseconds = configuration.connectTimeoutMilliseconds
            requestTimeoutMilliseconds = configuration.requestTimeoutMilliseconds
            queueWaitMaxMilliseconds = configuration.queueWaitMilliseconds
            queueMax = configuration.queueMax
        }
    }

    private let thread: LoopThread<PoolEngine>
    private let goAwayCounts = GoAwayCounts()

    /// Creates a pool that connects on demand. Throws when the CA file cannot be used.
    package init(_ settings: Settings) throws(APNsConfigurationError) {
        do {
            let context = try TLSContext.client(trustedCAFile: settings.trustedCAFile)
            thread = try LoopThread { [goAwayCounts] loop in
                PoolEngine(
                    loop: loop, context: context, settings: settings, goAways: goAwayCounts)
            }
        } catch {
            throw .unusable("\(error)")
        }
    }

    deinit { thread.post { $0.shutdown(graceMilliseconds: 0) } }

    /// Sends in order where possible. Completes every request exactly once, on the pool's thread
    /// (after `shutdown`: on the caller's).
    package func send(_ batch: any HTTP2Batch) {
        let posting = thread.post { $0.send(batch) }
        guard posting == .closed else { return }
        for index in 0..<batch.count {
            batch.failed(index, as: .notTaken("the connection pool is shut down"))
        }
    }

    /// Connections ended by the peer's GOAWAY, by Apple's reason.
    package var goAways: [String: Int] { goAwayCounts.byReason }

    /// Drains the current connections and uses fresh ones from now on.
    package func renew() {
        thread.post { $0.renew() }
    }

    /// Stops accepting requests, waits up to the grace period for those in flight, and closes.
    package func shutdown(graceMilliseconds: Int) async {
        thread.post { $0.shutdown(graceMilliseconds: graceMilliseconds) }
        await withCheckedContinuation { continuation in
            thread.whenEnded { continuation.resume() }
        }
    }
}

/// Settings that cannot work; the message contains what to do.
public enum APNsConfigurationError: Error, Hashable, Sendable {
    case unusable(String)
}

extension APNsConfigurationError: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .unusable(let why): why
        }
    }
}
