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

extension PushTransport {
    /// Sends single requests; calls every completion exactly once, on the caller's thread for
    /// requests that are invalid HTTP.
    package func send(_ exchanges: [HTTP2Exchange]) {
        let sendable = exchanges.filter { exchange in
            guard let problem = exchange.request.problem else { return true }
            exchange.completion(.failure(.notTaken(problem)))
            return false
        }
        send(ExchangeBatch(sendable))
    }
}

extension ConnectionPool: PushTransport {}
