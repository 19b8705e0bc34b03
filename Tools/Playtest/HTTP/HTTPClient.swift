package import Foundation
internal import Isolation

/// An HTTP/1.1 client for bots: a few kept connections, each blocking on its own thread.
///
/// It never repeats a request, because a bot's reaction to a failure is part of the play.
/// `URLSession` would silently repeat a POST when a kept connection breaks.
package struct HTTPClient: Sendable {
    private let connections: [HTTPConnection]
    /// The number of requests queued on each connection.
    private let queued: Locked<[Int]>
    private let timeoutSeconds: Int

    /// Creates a client that connects on the first request; `baseURL` gives host and port, in plain
    /// HTTP.
    package init(baseURL: URL, timeoutSeconds: Int = 10, connectionsMax: Int = 16) {
        let port = UInt16(exactly: baseURL.port ?? 80) ?? 80
        let address = HTTPConnection.Address(
            host: baseURL.scheme == "http" ? baseURL.host ?? "" : "", port: port)
        connections = (0..<connectionsMax).map { _ in HTTPConnection(to: address) }
        queued = Locked(Array(repeating: 0, count: connectionsMax))
        self.timeoutSeconds = timeoutSeconds
    }

    /// Sends a request and returns its response, whatever its status.
    ///
    /// `path` is already percent-encoded, `body` is JSON. Cancelling the task does not shorten the
    /// wait.
    package func send(
        _ method: String, _ path: String, token: String? = nil, language: String? = nil,
        body: [UInt8]? = nil
    ) async throws(HTTPClientError) -> HTTPAnswer {
        let index = queued.withLock { queued in
            let index = queued.indices.min { queued[$0] < queued[$1] } ?? 0
            queued[index] += 1
            return index
        }
        defer { queued.withLock { $0[index] -= 1 } }
        let request = HTTPConnection.Request(
            method: method, path: path, token: token, language: language, body: body)
        return try await connections[index].exchange(
            request, by: .now.advanced(by: .seconds(timeoutSeconds)))
    }
}

/// An HTTP response of any status.
package struct HTTPAnswer: Hashable, Sendable {
    package let status: Int
    /// The headers, with names in lower case.
    package let headers: [String: String]
    package let body: [UInt8]
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
        case .refused: "nobody takes connections there: is the server running?"
        case .lost: "the connection broke before the whole answer was there"
        case .timedOut: "no answer came in time"
        }
    }
}
