package import HTTP2

/// What carries a client's requests: the pool, or a test's script.
package protocol PushTransport: Sendable {
    /// Sends in order where it can; every request is answered or failed exactly once.
    func send(_ batch: any HTTP2Batch)
    /// How many connections have ended by GOAWAY, by Apple's reason.
    var goAways: [String: Int] { get }
    /// Drains the connections that exist and uses fresh ones from now on.
    func renew()
    /// Takes no more, waits for what is in flight within the bound, closes.
    func shutdown(graceMilliseconds: Int) async
}

extension PushTransport {
    /// Sends single requests; every completion is called exactly once, on the caller's thread for
    /// requests that no peer would take.
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
