package import HTTP2

/// Several HTTP/2 connections to one APNs host, on one thread: opens, drains and replaces them,
/// and spreads requests over them.
///
/// A request that surely had no effect (never sent, or refused) goes to another connection by
/// itself; it fails only at its deadline or when there is no further try.
package final class ConnectionPool: Sendable {
    /// A client's configuration without its identity, and what no caller has to decide.
    package struct Settings: Sendable {
        package var host: String
        package var port: UInt16
        /// The proxy in between; `nil`: none.
        package var proxy: HTTPProxy?
        /// A PEM file of trusted roots; `nil`: the system's.
        package var trustedCAFile: String?
        package var connections: Int
        package var connectTimeoutMilliseconds: Int
        /// From `send` to the answer, waiting for a stream included.
        package var requestTimeoutMilliseconds: Int
        /// How long a request may wait for a stream; then it fails as never sent.
        package var queueWaitMaxMilliseconds: Int
        /// How long an idle connection may be quiet before a PING asks whether the peer lives:
        /// Apple wants at most one an hour. With requests in flight `pingTimeoutMilliseconds` is
        /// the patience.
        package var pingAfterIdleMilliseconds = 3_600_000
        package var pingTimeoutMilliseconds = 5_000
        /// Requests that wait for a stream; above it new ones are not taken.
        package var queueMax: Int
        /// How often a request may be refused by the peer before it fails.
        package var refusalsMax = 5
        /// When a connection gets nowhere and has to be replaced.
        package var stagnation = Stagnation.Limits()
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
    private let goAwayTally = GoAwayTally()

    /// Connects lazily. Throws when the CA file cannot be used.
    package init(_ settings: Settings) throws(APNsConfigurationError) {
        do {
            let context = try TLSContext.client(trustedCAFile: settings.trustedCAFile)
            thread = try LoopThread { [goAwayTally] loop in
                PoolEngine(
                    loop: loop, context: context, settings: settings, goAways: goAwayTally)
            }
        } catch {
            throw .unusable("\(error)")
        }
    }

    deinit { thread.post { $0.shutdown(graceMilliseconds: 0) } }

    /// Sends in order where it can; every request is answered or failed exactly once, on the pool's
    /// thread (after `shutdown`: on the caller's).
    package func send(_ batch: any HTTP2Batch) {
        let posting = thread.post { $0.send(batch) }
        guard posting == .closed else { return }
        for index in 0..<batch.count {
            batch.failed(index, as: .notTaken("the connection pool is shut down"))
        }
    }

    /// How many connections have ended by the peer's GOAWAY, by Apple's reason.
    package var goAways: [String: Int] { goAwayTally.byReason }

    /// Drains the connections that exist and uses fresh ones from now on.
    package func renew() {
        thread.post { $0.renew() }
    }

    /// Takes no more, waits for what is in flight within the bound, closes.
    package func shutdown(graceMilliseconds: Int) async {
        thread.post { $0.shutdown(graceMilliseconds: graceMilliseconds) }
        await withCheckedContinuation { continuation in
            thread.whenEnded { continuation.resume() }
        }
    }
}

/// Settings that cannot work; the message says what to do.
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
