package import Foundation
internal import Isolation

/// An HTTP/1.1 client for bots: a few connections of libcurl, each blocking on its own thread.
///
/// GET requests share kept connections, and libcurl may repeat one whose connection breaks. Every
/// other request gets a new connection and is sent at most once.
package struct HTTPClient: Sendable {
    /// As in "http://127.0.0.1:8080", without a slash at the end.
    private let origin: String
    private let tally: RequestTally
    private let connections: [HTTPConnection]
    /// The number of requests queued on each connection.
    private let queued: Locked<[Int]>
    private let timeoutSeconds: Int

    /// Creates a client that connects on the first request; `baseURL` gives host and port, in plain
    /// HTTP.
    package init(
        baseURL: URL, timeoutSeconds: Int = 10, connectionsMax: Int = 16,
        counting tally: RequestTally = RequestTally()
    ) {
        let base = baseURL.absoluteString
        origin = base.hasSuffix("/") ? String(base.dropLast()) : base
        self.tally = tally
        connections = (0..<connectionsMax).map { _ in HTTPConnection() }
        queued = Locked(Array(repeating: 0, count: connectionsMax))
        self.timeoutSeconds = timeoutSeconds
    }

    /// A response of any status.
    package struct Response: Hashable, Sendable {
        package let status: Int
        /// The headers, with names in lower case.
        package let headers: [String: String]
        package let body: [UInt8]
    }

    /// Sends a request and returns its response, whatever its status.
    ///
    /// `path` is already percent-encoded, `body` is JSON. Cancelling the task does not shorten the
    /// wait.
    package func send(
        _ method: String, _ path: String, token: String? = nil, language: String? = nil,
        body: [UInt8]? = nil
    ) async throws(HTTPClientError) -> Response {
        let index = queued.withLock { queued in
            let index = queued.indices.min { queued[$0] < queued[$1] } ?? 0
            queued[index] += 1
            return index
        }
        defer { queued.withLock { $0[index] -= 1 } }
        var headers = ["accept: application/json"]
        if let language { headers.append("accept-language: \(language)") }
        if let token { headers.append("authorization: Bearer \(token)") }
        // Without a value libcurl leaves the header out, and does not choose one.
        headers.append(body == nil ? "content-type:" : "content-type: application/json")
        return try await connections[index].send(
            HTTPConnection.Request(
                method: method, path: path, headers: headers, body: body ?? []),
            to: origin, counting: tally, by: .now.advanced(by: .seconds(timeoutSeconds)))
    }
}

extension HTTPClient {
    /// Reads a stream of events on a connection of its own, until it ends or the time is over.
    /// Returns the status; `nil`: there was no response.
    func stream(
        _ path: String, token: String, for length: Duration,
        take: @escaping @Sendable ([UInt8]) -> Void
    ) async -> Int? {
        await HTTPConnection().stream(
            HTTPConnection.Request(
                method: "GET", path: path, headers: ["authorization: Bearer \(token)"], body: []),
            from: origin, by: .now.advanced(by: length), take: take)
    }
}

/// Why there is no response. Unless the connection was refused, it is unknown whether the request
/// was performed.
package enum HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No connection could be made: the request was not sent.
    case refused
    /// The connection broke before the complete response.
    case lost
    /// The response did not arrive in time.
    case timedOut

    package var description: String {
        switch self {
        case .refused: "the connection was refused: is the server running?"
        case .lost: "the connection was lost before the complete response"
        case .timedOut: "the response did not arrive in time"
        }
    }
}
